"""A latency objective is set for an engine whose latency the operator can't measure.

Only vLLM has the metric: for any other runtime no objective is made, and the condition SLOReady says so.

Source: LLMKube v0.9.19 internal/controller/inferenceservice_slo_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    if serving.operator.since(0, 9, 8) and text(part(serving.spec, "slo"), "indicator") == "latency" and serving.runtime != "vllm":
        yield RULE.finding(
            ("spec", "slo", "indicator"),
            f"latency isn't measured on runtime {serving.runtime}, so the operator makes no objective",
            found="latency",
            expected="availability, or runtime vllm",
        )


RULE = Rule(
    id="LLMKUBE-056",
    name="slo-latency-unsupported",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/inferenceservice_slo_controller.go",
    mirrors="condition SLOReady, IndicatorUnsupportedForRuntime",
    beside=(
        f"{GGUF_MODEL}\n"
        "---\n"
        "apiVersion: inference.llmkube.dev/v1alpha1\n"
        "kind: Model\n"
        "metadata: {name: repo, namespace: default}\n"
        "spec: {source: org/model, format: safetensors, hardware: {gpu: {count: 1}}}"
    ),
    reads=("Deployment.apps",),
    check=_check,
    good="modelRef: repo\nruntime: vllm\nslo: {objective: '99', indicator: latency, latencyThreshold: '1'}",
    bad="modelRef: gguf\nslo: {objective: '99', indicator: latency, latencyThreshold: '1'}",
)
