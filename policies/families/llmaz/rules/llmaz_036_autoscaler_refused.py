"""The API server refuses the autoscaler of an elastic Playground.

The controller tries again and again, and the Playground gets no condition.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go, Kubernetes v1.36 pkg/apis/autoscaling/validation.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.predictions.playground import autoscaler_of
from weighbridge.policies.families.llmaz.rulebook import FAILURE, Given, Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS
from weighbridge.policies.ground.fields import part, whole


@services.error(
    kinds=("Playground",),
    about=FAILURE,
    reads=CLAIM_READS,
    good="accepts-a-trigger-of-its-own",
    bad="refuses-a-metric-without-a-resource",
)
def check(serving: Serving, given: Given) -> Said:
    if whole(part(given.spec, "elasticConfig"), "minReplicas", 1) < 1:
        # Of too few replicas another rule tells.
        return
    _, failure = autoscaler_of(serving)
    if failure.startswith("HorizontalPodAutoscaler"):
        message = f"the API server refuses its autoscaler: {failure.partition(' is invalid: ')[2]}"
        yield Violation(("spec", "elasticConfig", "scaleTrigger"), message)
