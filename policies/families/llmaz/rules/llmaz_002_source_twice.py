"""A model has two sources, a hub and a URI.

The hub wins and nobody is told: the files of the URI are never loaded. Keep the one that is meant.

Source: llmaz 3c13ff3 pkg/controller_helper/modelsource.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    source = part(spec_of(request.object), "source")
    if isinstance(source.get("modelHub"), dict) and text(source, "uri"):
        hint = "remove spec.source.uri, or spec.source.modelHub"
        yield RULE.finding(
            ("spec", "source", "uri"), "the model has two sources, and the URI is never read", found=text(source, "uri"), hint=hint
        )


RULE = Rule(
    id="LLMAZ-002",
    name="source-twice",
    severity=Severity.ERROR,
    kinds=("OpenModel",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/controller_helper/modelsource",
    check=_check,
    good="familyName: opt\nsource: {modelHub: {modelID: facebook/opt-125m}}",
    bad='familyName: opt\nsource: {modelHub: {modelID: facebook/opt-125m}, uri: "s3://bucket/opt"}',
)
