"""The operator doubts what `sglangConfig` says, and starts SGLang all the same.

Speculation without an algorithm or a draft model, or thresholds for speculation that isn't enabled. The condition SGLangSpecValid
says so once the service is stored. The rule is silent where `extraArgs` have an algorithm.

Source: LLMKube v0.9.19, internal/controller/runtime_sglang.go.
"""

from weighbridge.policies.families.llmkube.rulebook import PREDICTED, Said, Service, Violation, text, with_model


@with_model.warning(
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
            yield Violation(("spec", "sglangConfig", "speculative"), text(condition, "message"))
