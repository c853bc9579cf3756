"""The target of a scaling metric isn't a quantity, so the operator panics at every reconcile.

The operator creates the Deployment and the Service, but no autoscaler, and the service never gets a status.

Source: LLMKube v0.9.19, internal/controller/hpa_reconciler.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Said, Service, Violation, items, off_metal, text
from weighbridge.policies.ground.quantity import must_parse_panic


@off_metal.error(
    topic="Services: replicas and autoscaling",
    about=FAILURE,
    good="accepts-a-scaling-target-of-two",
    bad="refuses-a-scaling-target-that-is-no-quantity",
)
def check(service: Service) -> Said:
    for index, metric in enumerate(items(service.spec, "autoscaling", "metrics")):
        value = text(metric, "targetAverageValue")
        if text(metric, "type") == "Pods" and value and must_parse_panic(value):
            yield Violation(
                ("spec", "autoscaling", "metrics", index, "targetAverageValue"),
                f'"{value}" is not a quantity; the operator panics on it and creates no autoscaler',
                found=value,
                expected="a quantity such as 2 or 500m",
            )
