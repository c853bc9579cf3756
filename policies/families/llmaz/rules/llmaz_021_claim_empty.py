"""A claim names no model.

Without a list of models the controller panics and is never done; a model without a name is waited for for ever.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.subject.claims import claims_of


@objects.error(
    kinds=("Playground", "Service"),
    about=FAILURE,
    good="accepts-a-claim-of-one-model",
    bad="refuses-claims-without-models",
)
def check(given: Given) -> Said:
    spec, claims = given.spec, claims_of(given.object)
    if given.request.subresource or (given.kind == "Playground" and not ({"modelClaim", "modelClaims"} & spec.keys())):
        return
    if not claims.models:
        yield Violation(("spec", "modelClaims", "models"), "no model is claimed, at which the controller panics", hint="name the models")
    for model in claims.models:
        if not model.name.strip():
            yield Violation(model.path, "the claim names no model", hint="name an OpenModel")
