"""An elastic Playground takes the trigger of a runtime that has no hpa.

The controller panics and starts again, for ever. The trigger is looked for under the name that follows from the roles, whatever
`configName` says.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.predictions.playground import trigger_of
from weighbridge.policies.families.llmaz.rulebook import FAILURE, Given, Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS


@services.error(
    kinds=("Playground",),
    about=FAILURE,
    reads=CLAIM_READS,
    good="accepts-a-trigger-of-its-own",
    bad="refuses-to-take-an-empty-trigger-of-a-runtime",
)
def check(serving: Serving, given: Given) -> Said:
    elastic = given.spec.get("elasticConfig")
    if not isinstance(elastic, dict) or isinstance(elastic.get("scaleTrigger"), dict) or serving.choice is None:
        return
    _, panics = trigger_of(serving)
    if panics:
        message = f"the trigger of BackendRuntime {serving.choice.runtime} has no hpa, at which the controller panics"
        yield Violation(
            ("spec", "elasticConfig", "scaleTrigger"), message, hint="give the Playground a trigger of its own, or mend the runtime's"
        )
