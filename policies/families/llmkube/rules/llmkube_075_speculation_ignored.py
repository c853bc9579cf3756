"""Speculative decoding is set for an engine that doesn't read it.

`speculativeDecoding` is llama.cpp's. vLLM and SGLang have settings of their own (`vllmConfig.speculative`,
`sglangConfig.speculative`); the others have none.

Source: LLMKube v0.9.19 internal/controller/runtime_llamacpp_args.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import Said, Serving, Violation, services
from weighbridge.policies.ground.fields import part, text


@services.warning(
    reads=("Model",),
    good="skips-the-download-of-a-repository-for-vllm",
    bad="warns-of-speculation-that-is-ignored",
)
def check(serving: Serving) -> Said:
    kind = text(part(serving.spec, "speculativeDecoding"), "type")
    if not serving.is_metal and kind not in {"", "none", "disabled"} and serving.runtime != "llamacpp":
        own = f"{serving.runtime}Config.speculative" if serving.runtime in {"vllm", "sglang"} else "runtime llamacpp"
        yield Violation(
            ("spec", "speculativeDecoding"), f"has no effect on runtime {serving.runtime}", found=kind, expected=own, hint=f"use {own}"
        )
