"""Several main models are claimed.

The engine serves the last of them, with its flavors; the others are only loaded. Claim one main model.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
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


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if not isinstance(request.object, dict) or request.subresource:
        return
    claims = claims_of(request.object)
    mains = [model for model in claims.models if model.is_main]
    if not claims.has_draft and len(mains) > 1:
        for model in mains[:-1]:
            yield RULE.finding(
                model.path, f"another main model comes after it, and {mains[-1].name} is the one that is served", found=model.name
            )


RULE = Rule(
    id="LLMAZ-023",
    name="main-models-several",
    severity=Severity.ERROR,
    kinds=(
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/playground_controller.go",
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt}",
    bad="modelClaims: {models: [{name: opt}, {name: small}]}",
)
