"""A Playground claims no model, or uses both ways to claim models.

`modelClaim` names one model, and `modelClaims` several models with roles. Write one of the two fields.

Source: llmaz 3c13ff3, pkg/webhook/playground_webhook.go.
"""

from weighbridge.policies.families.llmaz.rulebook import FAILURE, Given, Objections, Said, Topic, Violation, objections


@objections(Topic.CLAIMS, "Playground").error(
    about=FAILURE,
    mirrors="modelClaim and modelClaims couldn't be both nil",
    good="accepts-a-claim-of-one-model",
    bad="refuses-a-playground-without-a-claim",
)
def check(objections: Objections, given: Given) -> Said:
    what = "its models in two ways" if isinstance(given.spec.get("modelClaim"), dict) else "no model"
    for found in objections:
        yield Violation(found.path, f"the Playground claims {what}", hint="write spec.modelClaim or spec.modelClaims")
