"""A draft isn't one of two models.

Speculative decoding takes one main model and one draft. With two drafts a Playground is stored, but the Service that is made of it is
refused again and again.

Source: llmaz 3c13ff3 pkg/webhook/playground_webhook.go, service_webhook.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.subject.claims import claims_of
from weighbridge.policies.ground.spelling import amount


@objects.error(
    kinds=("Playground", "Service"),
    about=FAILURE,
    mirrors="only two models are allowed in speculativeDecoding mode",
    good="accepts-a-draft-before-the-main-model",
    bad="refuses-a-draft-alone",
)
def check(given: Given) -> Said:
    if given.request.subresource:
        return
    claims = claims_of(given.object)
    mains = sum(model.is_main for model in claims.models)
    if claims.has_draft and (len(claims.models) != 2 or mains != 1):
        found = f"{amount(mains, 'main model')} and {amount(len(claims.models) - mains, 'draft')}"
        message = f"a draft needs one main model beside it; the claims are of {found}"
        yield Violation(("spec", "modelClaims", "models"), message, hint="claim one model with the role main and one with the role draft")
