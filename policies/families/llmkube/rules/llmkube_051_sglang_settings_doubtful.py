"""The operator doubts what `sglangConfig` says, and starts SGLang all the same.

Speculation without an algorithm or a draft model, or thresholds for speculation that isn't enabled. The condition SGLangSpecValid
says so once the service is stored. Nothing is said where `extraArgs` have an algorithm.

Source: LLMKube v0.9.19 internal/controller/runtime_sglang.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import REPOSITORY_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.fields import text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving.pod_model is None or serving.runtime != "sglang" or not serving.names("sglangConfig"):
        return
    if serving.started is not None and serving.started.line.final("speculation") is not None:
        return
    for condition in serving.launch.conditions:
        yield RULE.finding(("spec", "sglangConfig", "speculative"), text(condition, "message"))


RULE = Rule(
    id="LLMKUBE-051",
    name="sglang-settings-doubtful",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/runtime_sglang.go",
    mirrors="condition SGLangSpecValid",
    reads=("Deployment.apps", "InferenceService", "Model"),
    beside=REPOSITORY_MODEL,
    check=_check,
    good="modelRef: repo\nruntime: sglang\nsglangConfig: {speculative: {enabled: true, algorithm: EAGLE, draftModelPath: org/draft}}",
    bad="modelRef: repo\nruntime: sglang\nsglangConfig: {speculative: {enabled: true}}",
)
