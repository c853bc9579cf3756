"""A router's budget has no cap, or caps a rule that isn't there.

A budget needs `maxTokens` or `maxUSD`; one of scope rule needs the name of a rule of this router. Upstream's webhook
refuses the router.

Source: LLMKube v0.9.19, internal/controller/modelrouter_validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.upstream.router_spec import Topic
from policies.families.llmkube.upstream.router_webhook import objections
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for objection in objections(request.object, Topic.BUDGET):
        yield RULE.finding(objection.path, objection.detail)


RULE = Rule(
    id="LLMKUBE-106",
    name="router-budget",
    severity=Severity.ERROR,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelrouter_validation.go",
    mirrors="vmodelrouter.inference.llmkube.dev",
    is_about_failure=True,
    check=_check,
    good="""\
backends: [{name: local, inferenceServiceRef: {name: llama}}]
policy: {budgets: [{name: all, scope: router, maxTokens: 100000}]}
""",
    bad="""\
backends: [{name: local, inferenceServiceRef: {name: llama}}]
policy: {budgets: [{name: all, scope: router}]}
""",
)
