"""An elastic Playground uses a runtime's trigger, which has no `hpa`.

The controller panics and restarts, again and again. It looks up the trigger by the name that follows from the roles, not by
`configName`. Give the Playground its own trigger, or correct the runtime's.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go.
"""

from weighbridge.policies.families.llmaz.predictions.playground import trigger_of
from weighbridge.policies.families.llmaz.rulebook import FAILURE, Said, Service, Violation, elastic


@elastic.error(about=FAILURE, good="accepts-a-trigger-for-a-runtime-without-one", bad="refuses-to-take-an-empty-trigger-of-a-runtime")
def check(service: Service) -> Said:
    _, panics = trigger_of(service)
    if panics and not isinstance(service.elastic.get("scaleTrigger"), dict):
        message = f"the trigger of BackendRuntime {service.choice.runtime} has no hpa, and the controller panics on that"
        hint = "give the Playground its own trigger, or correct the runtime's"
        yield Violation(("spec", "elasticConfig", "scaleTrigger"), message, hint)
