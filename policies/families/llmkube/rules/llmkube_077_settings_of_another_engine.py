"""A block of settings is for another engine than the one that serves.

Only its own runtime reads `vllmConfig`, `sglangConfig`, `tgiConfig` or `personaPlexConfig`. But the operator checks their
parallel sizes whatever the runtime is, and may refuse the service for them.

Source: LLMKube v0.9.19, internal/controller/runtime.go.
"""

from typing import Final

from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, off_metal

_BLOCKS: Final = {"vllmConfig": "vllm", "sglangConfig": "sglang", "tgiConfig": "tgi", "personaPlexConfig": "personaplex"}


@off_metal.warning(
    topic="Services: engines and their settings", good="leaves-the-cuda-image-to-the-operator", bad="warns-of-settings-of-another-engine"
)
def check(service: Service) -> Said:
    for block, runtime in _BLOCKS.items():
        if service.spec.get(block) and service.runtime != runtime:
            yield Violation(
                ("spec", block),
                f"has no effect on runtime {service.runtime}",
                expected=f"runtime {runtime}",
                hint=f"set runtime: {runtime}, or remove {block}",
            )
