"""An argument of the runtime asks for something that the claim doesn't have.

The path of a draft is there with a draft, the path of a model with an ID or an address. The controller fails again and again, and the
Playground gets no condition.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.predictions.runtime import arguments_of, rendered, variables_of
from weighbridge.policies.families.llmaz.rulebook import FAILURE, Said, Serving, Violation, services
from weighbridge.policies.families.llmaz.rules._examples import CLAIM_READS


@services.error(
    kinds=("Playground",),
    about=FAILURE,
    mirrors="missing flag or the flag has format error",
    reads=CLAIM_READS,
    good="accepts-a-model-of-a-hub-in-a-playground",
    bad="refuses-the-speculative-configuration-for-one-model",
)
def check(serving: Serving) -> Said:
    claims = serving.claims
    mains = sum(model.is_main for model in claims.models)
    is_whole = not (serving.missing or serving.unknown) and (not claims.has_draft or (len(claims.models), mains) == (2, 1))
    if serving.config is None or serving.choice is None or not serving.sources or not is_whole:
        return
    _, wrong = rendered(arguments_of(serving.config), variables_of(serving.sources, skips=serving.skips))
    if wrong:
        message = f"the argument {wrong} of BackendRuntime {serving.choice.runtime} can't be filled in for these models"
        hint = "claim a main model and a draft" if "Draft" in wrong else "give the model an ID, or take another configuration"
        yield Violation(("spec", "backendRuntimeConfig", "configName"), message, found=serving.choice.config, hint=hint)
