"""Speculative decoding is set for an engine that doesn't read it.

Only llama.cpp reads `speculativeDecoding`. vLLM and SGLang have their own settings (`vllmConfig.speculative`,
`sglangConfig.speculative`); the other engines have none.

Source: LLMKube v0.9.19, internal/controller/runtime_llamacpp_args.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, off_metal, part, text


@off_metal.warning(
    topic="Services: engines and their settings",
    good="skips-the-download-of-a-repository-for-vllm",
    bad="warns-of-speculation-that-is-ignored",
)
def check(service: Service) -> Said:
    kind, runtime = text(part(service.spec, "speculativeDecoding"), "type"), service.runtime
    if kind not in {"", "none", "disabled"} and runtime != "llamacpp":
        own = f"{runtime}Config.speculative" if runtime in {"vllm", "sglang"} else "runtime llamacpp"
        said = f"has no effect on runtime {runtime}"
        yield Violation(("spec", "speculativeDecoding"), said, found=kind, expected=own, hint=f"use {own}")
