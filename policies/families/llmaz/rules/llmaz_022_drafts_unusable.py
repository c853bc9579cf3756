"""A draft isn't one of two models.

Speculative decoding takes one main model and one draft. With two drafts a Playground is stored, but the Service that is made of it is
refused again and again.

Source: llmaz 3c13ff3 pkg/webhook/playground_webhook.go, service_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.rules._examples import BESIDE
from policies.families.llmaz.subject.claims import claims_of
from policies.findings import Finding, Severity
from policies.request import Request
from policies.spelling import amount


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if not isinstance(request.object, dict) or request.subresource:
        return
    claims = claims_of(request.object)
    mains = sum(model.is_main for model in claims.models)
    if claims.has_draft and (len(claims.models) != 2 or mains != 1):
        found = f"{amount(mains, 'main model')} and {amount(len(claims.models) - mains, 'draft')}"
        message = f"a draft needs one main model beside it; the claims are of {found}"
        yield RULE.finding(
            ("spec", "modelClaims", "models"), message, hint="claim one model with the role main and one with the role draft"
        )


RULE = Rule(
    id="LLMAZ-022",
    name="drafts-unusable",
    severity=Severity.ERROR,
    kinds=(
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/webhook/playground_webhook.go, service_webhook.go",
    mirrors="only two models are allowed in speculativeDecoding mode",
    is_about_failure=True,
    beside=BESIDE,
    check=_check,
    good="modelClaims: {models: [{name: opt}, {name: small, role: draft}]}",
    bad="modelClaims: {models: [{name: opt, role: draft}, {name: small, role: draft}]}",
)
