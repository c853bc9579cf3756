"""The API server refuses the autoscaler of an elastic Playground.

The controller tries again and again, and the Playground gets no condition. Correct the trigger.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go; Kubernetes v1.36, pkg/apis/autoscaling/validation.
"""

from weighbridge.policies.families.llmaz.predictions.playground import autoscaler_of
from weighbridge.policies.families.llmaz.rulebook import FAILURE, Said, Service, Violation, elastic, whole


@elastic.error(about=FAILURE, good="accepts-a-metric-with-its-resource", bad="refuses-a-metric-without-a-resource")
def check(service: Service) -> Said:
    _, failure = autoscaler_of(service)
    # LLMAZ-032 reports too few replicas.
    if failure.startswith("HorizontalPodAutoscaler") and whole(service.elastic, "minReplicas", 1) >= 1:
        message = f"the API server refuses its autoscaler: {failure.partition(' is invalid: ')[2]}"
        yield Violation(("spec", "elasticConfig", "scaleTrigger"), message, hint="correct the field of hpa that the message names")
