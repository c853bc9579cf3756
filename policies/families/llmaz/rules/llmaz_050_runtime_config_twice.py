"""Two recommended configurations of a runtime have the same name.

The first would be taken for either.

Source: llmaz 3c13ff3 pkg/webhook/backendruntime_webhook.go.
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
        if found.topic is Topic.CONFIG_TWICE:
            yield RULE.finding(found.path, "another configuration has this name", found=found.words.rpartition(" ")[2])


RULE = Rule(
    id="LLMAZ-050",
    name="runtime-config-twice",
    severity=Severity.ERROR,
    kinds=("BackendRuntime",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/webhook/backendruntime_webhook.go",
    mirrors="duplicated name",
    check=_check,
    good="image: acme/engine\nversion: v1\nrecommendedConfigs: [{name: default}, {name: big}]",
    bad="image: acme/engine\nversion: v1\nrecommendedConfigs: [{name: default}, {name: default}]",
)
