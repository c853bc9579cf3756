"""A block of settings is for another engine than the one that serves.

`vllmConfig`, `sglangConfig`, `tgiConfig` and `personaPlexConfig` are read only by their own runtime; only their parallel sizes are
looked at whatever the runtime is, and can even get a service refused.

Source: LLMKube v0.9.19 internal/controller/runtime.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.llmkube.rulebook import Said, Serving, Violation, services

_BLOCKS: Final = {"vllmConfig": "vllm", "sglangConfig": "sglang", "tgiConfig": "tgi", "personaPlexConfig": "personaplex"}


@services.warning(
    reads=("Model",),
    good="leaves-the-cuda-image-to-the-operator",
    bad="warns-of-settings-of-another-engine",
)
def check(serving: Serving) -> Said:
    for block, runtime in _BLOCKS.items():
        if not serving.is_metal and serving.spec.get(block) and serving.runtime != runtime:
            yield Violation(
                ("spec", block),
                f"has no effect on runtime {serving.runtime}",
                expected=f"runtime {runtime}",
                hint=f"set runtime: {runtime}, or remove {block}",
            )
