"""A limit is below what is requested.

No pod can have more than its limit. Raise the limit or lower the request.

Source: llmaz 3c13ff3 pkg/webhook/playground_webhook.go, backendruntime_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmaz.rules._examples import BESIDE
from policies.families.llmaz.upstream.webhooks import Topic, objections
from policies.findings import Finding, Severity
from policies.objects import Operation
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if not isinstance(request.object, dict):
        return
    for found in objections(request.object, is_create=request.operation is Operation.CREATE):
        if found.topic is Topic.RESOURCES:
            yield RULE.finding(
                found.path, f"the limit of {found.path[-1]} is below what is requested", hint="raise the limit, or lower the request"
            )


RULE = Rule(
    id="LLMAZ-031",
    name="limit-below-request",
    severity=Severity.ERROR,
    kinds=(
        "Playground",
        "BackendRuntime",
    ),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/webhook/playground_webhook.go, backendruntime_webhook.go",
    mirrors="must be greater than or equal to request",
    beside=BESIDE,
    check=_check,
    good="""\
modelClaim: {modelName: opt}
backendRuntimeConfig: {resources: {requests: {cpu: 1}, limits: {cpu: 2}}}""",
    bad="""\
modelClaim: {modelName: opt}
backendRuntimeConfig: {resources: {requests: {cpu: 2}, limits: {cpu: 1}}}""",
)
