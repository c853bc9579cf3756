"""A claim names no model.

Without a list of models the controller panics again and again. It waits for a model without a name for ever. Name an OpenModel.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go.
"""

from weighbridge.policies.families.llmaz.rulebook import FAILURE, Claims, Given, Said, Violation, claims


@claims.error(about=FAILURE, good="accepts-a-claim-of-one-model", bad="refuses-claims-without-models")
def check(claims: Claims, given: Given) -> Said:
    is_claim = given.kind != "Playground" or {"modelClaim", "modelClaims"} & given.spec.keys()
    if is_claim and not claims.models:
        yield Violation(("spec", "modelClaims", "models"), "no model is claimed, and the controller panics on that", hint="name the models")
    for model in claims.models:
        if not model.name.strip():
            yield Violation(model.path, "the claim names no model", hint="name an OpenModel")
