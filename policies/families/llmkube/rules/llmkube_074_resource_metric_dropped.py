"""A metric of type Resource has no utilisation to aim at, so it isn't what the service is scaled by.

The operator drops such a metric. Where none is left, the API server puts in CPU at 80 %, which says little of an engine on a GPU.

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
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    serving = serving_of(request, facts, config)
    metrics = [] if serving.is_metal else items(serving.spec, "autoscaling", "metrics")
    for index, metric in enumerate(metrics):
        if text(metric, "type") == "Resource" and not isinstance(metric.get("targetAverageUtilization"), int):
            yield RULE.finding(
                ("spec", "autoscaling", "metrics", index, "targetAverageUtilization"),
                "isn't set, so the operator drops the metric" + ("; the service is scaled by CPU at 80 %" if len(metrics) == 1 else ""),
                expected="a percentage such as 70",
            )


RULE = Rule(
    id="LLMKUBE-074",
    name="resource-metric-dropped",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/hpa_reconciler.go",
    reads=("Model",),
    beside=GGUF_MODEL,
    check=_check,
    good="modelRef: gguf\nautoscaling: {maxReplicas: 3, metrics: [{name: cpu, type: Resource, targetAverageUtilization: 70}]}",
    bad="modelRef: gguf\nautoscaling: {maxReplicas: 3, metrics: [{name: cpu, type: Resource}]}",
)
