"""A metric of type Resource has no target utilisation, so it doesn't scale the service.

The operator drops such a metric. If none is left, the API server applies its default, 80 % of the CPU, which says little about an
engine on a GPU.

Source: LLMKube v0.9.19, internal/controller/hpa_reconciler.go.
"""

from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, items, off_metal, text


@off_metal.warning(
    topic="Services: replicas and autoscaling",
    good="accepts-a-resource-metric-with-a-target",
    bad="warns-of-a-resource-metric-without-a-target",
)
def check(service: Service) -> Said:
    metrics = items(service.spec, "autoscaling", "metrics")
    for index, metric in enumerate(metrics):
        if text(metric, "type") == "Resource" and not isinstance(metric.get("targetAverageUtilization"), int):
            yield Violation(
                ("spec", "autoscaling", "metrics", index, "targetAverageUtilization"),
                "isn't set, so the operator drops the metric" + ("; the service is scaled by CPU at 80 %" if len(metrics) == 1 else ""),
                expected="a percentage such as 70",
            )
