"""A Playground claims no models, or in two ways.

`modelClaim` names one model, `modelClaims` several with roles. Write one of them.

Source: llmaz 3c13ff3 pkg/webhook/playground_webhook.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmaz.upstream.webhooks import Topic, objections
from policies.findings import Finding, Severity
from policies.objects import Operation
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    if not isinstance(request.object, dict):
        return
    for found in objections(request.object, is_create=request.operation is Operation.CREATE):
        if found.topic is Topic.CLAIMS:
            yield RULE.finding(
                found.path,
                "the Playground claims its models in two ways"
                if isinstance(spec_of(request.object).get("modelClaim"), dict)
                else "the Playground claims no model",
                hint="write spec.modelClaim or spec.modelClaims",
            )


RULE = Rule(
    id="LLMAZ-020",
    name="claim-missing-or-twice",
    severity=Severity.ERROR,
    kinds=("Playground",),
    since="0.1.0",
    source="llmaz 3c13ff3 pkg/webhook/playground_webhook.go",
    mirrors="modelClaim and modelClaims couldn't be both nil",
    is_about_failure=True,
    check=_check,
    good="modelClaim: {modelName: opt}",
    bad="replicas: 1",
)
