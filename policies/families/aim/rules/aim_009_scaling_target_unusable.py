"""A metric of the autoscaler has no target that KServe can use.

The target's type decides which field is read: `Value` reads `value`, `AverageValue` reads `averageValue`. An amount that can't be read
counts as absent. `Utilization` is for CPU and memory, for which the CRD allows no metric. A list without metrics, or a metric without
`podmetric`, scales nothing. Write the amount into the field of the target's type.

Source: aim-engine v0.2.1, api/v1alpha1/aimservice_types.go; KServe v0.16, pkg/apis/serving/v1beta1/component.go.
"""

from weighbridge.policies.families.aim.rulebook import JSONObject, Said, Violation, amount, items, part, specs, text

#: Which field holds the amount, by the type of the target.
_FIELDS = {"Value": "value", "AverageValue": "averageValue"}


@specs.error(kinds=("AIMService",), good="accepts-a-target-value", bad="refuses-a-target-in-the-wrong-field")
def check(spec: JSONObject) -> Said:
    scaling = spec.get("autoScaling")
    if not isinstance(scaling, dict):
        return
    metrics = items(scaling, "metrics")
    if not metrics:
        yield Violation(("spec", "autoScaling", "metrics"), "there is no metric to scale by", expected="a metric of type PodMetric")
    for index, metric in enumerate(metrics):
        path = ("spec", "autoScaling", "metrics", index, "podmetric")
        if not part(metric, "podmetric"):
            yield Violation(path, "the metric says nothing: podmetric is missing", expected="metric and target")
            continue
        target = part(metric, "podmetric", "target")
        field = _FIELDS.get(text(target, "type"), "")
        if not field:
            yield Violation((*path, "target", "type"), "Utilization is only known of CPU and memory", expected="Value or AverageValue")
        elif amount(target.get(field)) is None:
            found = text(target, field)
            yield Violation(
                (*path, "target", field), f"a target of type {target['type']} needs {field}, an amount", found=found, expected="such as 10"
            )
