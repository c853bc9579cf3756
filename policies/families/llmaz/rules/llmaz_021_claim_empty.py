"""A claim names no model.

Without a list of models the controller panics and is never done; a model without a name is waited for for ever.

Source: llmaz 3c13ff3 pkg/controller/inference/playground_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmaz.subject.claims import claims_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec, claims = spec_of(request.object), claims_of(request.object if isinstance(request.object, dict) else None)
    if (
        request.subresource
        or not isinstance(request.object, dict)
        or (request.gvk.kind == "Playground" and not ({"modelClaim", "modelClaims"} & spec.keys()))
    ):
        return
    if not claims.models:
        yield RULE.finding(("spec", "modelClaims", "models"), "no model is claimed, at which the controller panics", hint="name the models")
    for model in claims.models:
        if not model.name.strip():
            yield RULE.finding(model.path, "the claim names no model", hint="name an OpenModel")


RULE = Rule(
    id="LLMAZ-021",
    name="claim-empty",
    severity=Severity.ERROR,
    kinds=(
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller/inference/playground_controller.go",
    is_about_failure=True,
    check=_check,
    good="modelClaim: {modelName: opt}",
    bad="modelClaims: {}",
)
