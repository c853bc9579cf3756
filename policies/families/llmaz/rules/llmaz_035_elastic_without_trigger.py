"""An elastic Playground has no trigger, so nothing scales it.

Neither the Playground nor its runtime has a trigger, so the controller creates no autoscaler, and the number of replicas never
changes. Write a trigger.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go.
"""

from weighbridge.policies.families.llmaz.predictions.playground import trigger_of
from weighbridge.policies.families.llmaz.rulebook import Said, Service, Violation, elastic


@elastic.warning(good="accepts-a-trigger-of-its-own", bad="warns-of-scaling-without-a-trigger")
def check(service: Service) -> Said:
    hpa, panics = trigger_of(service)
    if service.runtime is not None and hpa is None and not panics:
        hint = "write scaleTrigger: {hpa: {...}}"
        yield Violation(("spec", "elasticConfig", "scaleTrigger"), "no trigger is set, so llmaz creates no autoscaler", hint)
