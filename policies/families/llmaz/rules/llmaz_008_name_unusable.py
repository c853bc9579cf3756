"""A name has dots or is too long.

Models, Playgrounds and Services are named like labels of DNS: at most 63 lower case letters, digits and `-`. Write `qwen2-0--5b` for
qwen2-0.5b.

Source: llmaz 3c13ff3 pkg/webhook/openmodel_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.upstream.webhooks import Topic, objections
from policies.findings import Finding, Severity
from policies.objects import Operation, name_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if not isinstance(request.object, dict):
        return
    for found in objections(request.object, is_create=request.operation is Operation.CREATE):
        if found.topic is Topic.NAME:
            yield RULE.finding(
                found.path,
                f"the name can't be used: {found.words.rpartition(': ')[2]}",
                found=name_of(request.object),
                expected=name_of(request.object).replace(".", "--")[:60],
            )


RULE = Rule(
    id="LLMAZ-008",
    name="name-unusable",
    severity=Severity.ERROR,
    kinds=(
        "OpenModel",
        "Playground",
        "Service",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/webhook/openmodel_webhook.go",
    mirrors="must not contain dots",
    is_about_failure=True,
    check=_check,
    good="metadata: {name: opt-125m}\nspec: {familyName: opt, source: {modelHub: {modelID: facebook/opt-125m}}}",
    bad="metadata: {name: opt-1.3b}\nspec: {familyName: opt, source: {modelHub: {modelID: facebook/opt-1.3b}}}",
)
