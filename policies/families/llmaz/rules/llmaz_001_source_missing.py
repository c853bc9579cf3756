"""A model has no source.

Neither a hub nor a URI is given, so there is nothing to load. Name one of them.

Source: llmaz 3c13ff3 pkg/webhook/openmodel_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.upstream.webhooks import Topic, objections
from policies.findings import Finding, Severity
from policies.objects import Operation
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if not isinstance(request.object, dict):
        return
    for found in objections(request.object, is_create=request.operation is Operation.CREATE):
        if found.topic is Topic.NO_SOURCE:
            yield RULE.finding(found.path, "the model has no source", hint="give spec.source.modelHub or spec.source.uri")


RULE = Rule(
    id="LLMAZ-001",
    name="source-missing",
    severity=Severity.ERROR,
    kinds=("OpenModel",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/webhook/openmodel_webhook.go",
    mirrors="Source can't be all null",
    check=_check,
    good="familyName: opt\nsource: {modelHub: {modelID: facebook/opt-125m}}",
    bad="familyName: opt\nsource: {}",
)
