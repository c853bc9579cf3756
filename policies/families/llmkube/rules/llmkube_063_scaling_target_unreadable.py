"""The target of a scaling metric is no quantity, on which the operator panics at every reconcile.

Deployment and Service are there, but no autoscaler, and the service never gets a status.

Source: LLMKube v0.9.19 internal/controller/hpa_reconciler.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.fields import items, text
from policies.findings import Finding, Severity
from policies.quantity import must_parse_panic
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    for index, metric in enumerate([] if serving.is_metal else items(serving.spec, "autoscaling", "metrics")):
        value = text(metric, "targetAverageValue")
        if text(metric, "type") == "Pods" and value and must_parse_panic(value):
            yield RULE.finding(
                ("spec", "autoscaling", "metrics", index, "targetAverageValue"),
                f'"{value}" is not a quantity; the operator panics on it and makes no autoscaler',
                found=value,
                expected="a quantity such as 2 or 500m",
            )


RULE = Rule(
    id="LLMKUBE-063",
    name="scaling-target-unreadable",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/hpa_reconciler.go",
    reads=("Model",),
    is_about_failure=True,
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\nautoscaling: {maxReplicas: 3, metrics: [{name: requests, type: Pods, targetAverageValue: '2'}]}",
    bad="modelRef: gguf\nautoscaling: {maxReplicas: 3, metrics: [{name: requests, type: Pods, targetAverageValue: two}]}",
)
