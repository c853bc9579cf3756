"""The operator doubts what `sglangConfig` says, and starts SGLang all the same.

Speculation without an algorithm or a draft model, or thresholds for speculation that isn't enabled. The condition SGLangSpecValid
says so once the service is stored. Nothing is said where `extraArgs` have an algorithm.

Source: LLMKube v0.9.19 internal/controller/runtime_sglang.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import Said, Serving, Violation, services
from weighbridge.policies.ground.fields import text


@services.warning(
    mirrors="condition SGLangSpecValid",
    reads=("Deployment.apps", "InferenceService", "Model"),
    good="fills-the-port-of-sglang",
    bad="warns-of-incomplete-speculation-of-sglang",
)
def check(serving: Serving) -> Said:
    if serving.pod_model is None or serving.runtime != "sglang" or not serving.names("sglangConfig"):
        return
    if serving.started is not None and serving.started.line.final("speculation") is not None:
        return
    for condition in serving.launch.conditions:
        yield Violation(("spec", "sglangConfig", "speculative"), text(condition, "message"))
