"""A claim has several main models.

The engine serves the last one, with its flavors; the others are only loaded. Claim one main model.

Source: llmaz 3c13ff3, pkg/controller/inference/playground_controller.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Claims, Said, Violation, claims


@claims.error(good="accepts-a-main-model-and-a-draft", bad="refuses-two-main-models")
def check(claims: Claims) -> Said:
    mains = () if claims.has_draft else claims.mains
    for model in mains[:-1]:
        message = f"another main model comes after it, and {mains[-1].name} is the model that llmaz serves"
        yield Violation(model.path, message, found=model.name, hint="claim one main model")
