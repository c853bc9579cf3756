"""An argument of the runtime asks for something that the claim doesn't have.

The path of a draft is there with a draft, the path of a model with an ID or an address. The controller fails again and again, and the
Playground gets no condition.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from policies.families.llmaz.predictions.runtime import arguments_of, rendered, variables_of
from policies.families.llmaz.rulebook import FAILURE, Reading, Said, Violation, services
from policies.families.llmaz.rules._examples import CLAIM_READS


@services.error(
    kinds=("Playground",),
    about=FAILURE,
    mirrors="missing flag or the flag has format error",
    reads=CLAIM_READS,
    good="accepts-a-model-of-a-hub-in-a-playground",
    bad="refuses-the-speculative-configuration-for-one-model",
)
def check(reading: Reading) -> Said:
    claims = reading.claims
    mains = sum(model.is_main for model in claims.models)
    is_whole = not (reading.missing or reading.unknown) and (not claims.has_draft or (len(claims.models), mains) == (2, 1))
    if reading.config is None or reading.choice is None or not reading.sources or not is_whole:
        return
    _, wrong = rendered(arguments_of(reading.config), variables_of(reading.sources, skips=reading.skips))
    if wrong:
        message = f"the argument {wrong} of BackendRuntime {reading.choice.runtime} can't be filled in for these models"
        hint = "claim a main model and a draft" if "Draft" in wrong else "give the model an ID, or take another configuration"
        yield Violation(("spec", "backendRuntimeConfig", "configName"), message, found=reading.choice.config, hint=hint)
