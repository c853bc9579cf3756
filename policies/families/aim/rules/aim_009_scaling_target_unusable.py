"""A metric of the autoscaler has no target that KServe could use.

The type decides which field is read: `Value` reads `value`, `AverageValue` reads `averageValue`. An amount that can't be read counts as
absent, and `Utilization` is for CPU and memory, of which the CRD allows no metric. A list without metrics, or a metric without
`podmetric`, scales nothing.

Source: aim-engine v0.2.1 api/v1alpha1/aimservice_types.go; KServe v0.16 pkg/apis/serving/v1beta1/component.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import amount, items, part, text
from policies.findings import Finding, Severity
from policies.request import Request

#: Which field holds the amount, by the type of the target.
_FIELDS = {"Value": "value", "AverageValue": "averageValue"}


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    scaling = spec_of(request.object).get("autoScaling")
    if not isinstance(scaling, dict):
        return
    metrics = items(scaling, "metrics")
    if not metrics:
        yield RULE.finding(("spec", "autoScaling", "metrics"), "there is no metric to scale by", expected="a metric of type PodMetric")
    for index, metric in enumerate(metrics):
        path = ("spec", "autoScaling", "metrics", index, "podmetric")
        if not part(metric, "podmetric"):
            yield RULE.finding(path, "the metric says nothing: podmetric is missing", expected="metric and target")
            continue
        target = part(metric, "podmetric", "target")
        field = _FIELDS.get(text(target, "type"), "")
        if not field:
            yield RULE.finding((*path, "target", "type"), "Utilization is only known of CPU and memory", expected="Value or AverageValue")
        elif amount(target.get(field)) is None:
            found = text(target, field)
            yield RULE.finding(
                (*path, "target", field), f"a target of type {target['type']} needs {field}, an amount", found=found, expected="such as 10"
            )


RULE = Rule(
    id="AIM-009",
    name="scaling-target-unusable",
    severity=Severity.ERROR,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 api/v1alpha1/aimservice_types.go; KServe v0.16 pkg/apis/serving/v1beta1/component.go",
    check=_check,
    good="""\
model: {name: llama}
maxReplicas: 2
autoScaling:
  metrics:
  - {type: PodMetric, podmetric: {metric: {query: q}, target: {type: Value, value: "10"}}}""",
    bad="""\
model: {name: llama}
maxReplicas: 2
autoScaling:
  metrics:
  - {type: PodMetric, podmetric: {metric: {query: q}, target: {type: Value, averageValue: "10"}}}""",
)
