"""A claim names a flavor twice.

The order of the flavors is a preference, in which the second mention does nothing.

Source: llmaz 3c13ff3 api/core/v1alpha1/model_types.go.
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
    claims = claims_of(request.object if isinstance(request.object, dict) else None)
    for place, name in enumerate(claims.flavors):
        if name in claims.flavors[:place]:
            yield RULE.finding((*claims.flavors_path, place), "the flavor is claimed before", found=name)


RULE = Rule(
    id="LLMAZ-027",
    name="flavor-claimed-twice",
    severity=Severity.WARNING,
    kinds=(
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 api/core/v1alpha1/model_types.go",
    beside=BESIDE,
    check=_check,
    good="modelClaim: {modelName: opt, inferenceFlavors: [t4, a10]}",
    bad="modelClaim: {modelName: opt, inferenceFlavors: [t4, t4]}",
)
