"""The operator reports a doubt about `sglangConfig`, and starts SGLang all the same.

Either speculative decoding has no algorithm or no draft model, or it has thresholds and isn't enabled. The condition
SGLangSpecValid reports it once the service is stored. The rule is silent if `extraArgs` have an algorithm.

Source: LLMKube v0.9.19, internal/controller/runtime_sglang.go.
"""

from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, Violation, text, with_model


@with_model.warning(
    topic="Services: engines and their settings",
    mirrors="condition SGLangSpecValid",
    reads=PREDICTED,
    good="fills-the-port-of-sglang",
    bad="warns-of-incomplete-speculation-of-sglang",
)
def check(service: Service) -> Said:
    if service.runtime != "sglang" or not service.names("sglangConfig"):
        return
    if service.line is None or service.line.final("speculation") is None:
        for condition in service.launch.conditions:
            is_unused = text(condition, "reason").endswith("Unused")
            hint = "set speculative.enabled to true, or remove the thresholds" if is_unused else "set algorithm and draftModelPath"
            yield Violation(("spec", "sglangConfig", "speculative"), text(condition, "message"), hint=hint)
