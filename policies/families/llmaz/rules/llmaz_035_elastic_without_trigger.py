"""An elastic Playground has nothing that scales it.

Neither it nor its runtime names a trigger, so no autoscaler is made and the replicas stay as they are.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.predictions.playground import trigger_of
from weighbridge.policies.families.llmaz.rulebook import Given, Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS


@services.warning(
    kinds=("Playground",),
    reads=CLAIM_READS,
    good="accepts-a-trigger-of-its-own",
    bad="warns-of-scaling-without-a-trigger",
)
def check(serving: Serving, given: Given) -> Said:
    elastic = given.spec.get("elasticConfig")
    if not isinstance(elastic, dict) or serving.runtime is None:
        return
    hpa, panics = trigger_of(serving)
    if hpa is None and not panics:
        hint = "write scaleTrigger: {hpa: {...}}"
        yield Violation(("spec", "elasticConfig", "scaleTrigger"), "nothing says when to scale, so no autoscaler is made", hint=hint)
