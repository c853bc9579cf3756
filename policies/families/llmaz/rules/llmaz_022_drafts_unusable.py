"""A draft isn't claimed together with exactly one main model.

Speculative decoding takes one main model and one draft. The API server stores a Playground with two drafts, but llmaz's webhook refuses
its Service again and again. Claim one main model and one draft.

Source: llmaz 3c13ff3, pkg/webhook/playground_webhook.go and service_webhook.go.
"""

from weighbridge.policies.families.llmaz.rulebook import FAILURE, Claims, Said, Violation, claims
from weighbridge.policies.ground.spelling import amount


@claims.error(
    about=FAILURE,
    mirrors="only two models are allowed in speculativeDecoding mode",
    good="accepts-a-draft-before-the-main-model",
    bad="refuses-a-draft-alone",
)
def check(claims: Claims) -> Said:
    models, mains = len(claims.models), len(claims.mains)
    if claims.has_draft and (models, mains) != (2, 1):
        found = f"{amount(mains, 'main model')} and {amount(models - mains, 'draft')}"
        message = f"a draft needs one main model, and the claims name {found}"
        yield Violation(("spec", "modelClaims", "models"), message, hint="claim one model with the role main and one with the role draft")
