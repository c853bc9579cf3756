"""A budget asks of a gateway what it can't count.

With `dataPlane: Gateway` budgets are counted in tokens, for the router or for a team. Dollars and single rules need
LLMKube's own proxy; upstream's webhook refuses the router.

Source: LLMKube v0.9.19, internal/controller/modelrouter_gateway_controller.go.
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
    for objection in objections(request.object, Topic.GATEWAY_BUDGET):
        yield RULE.finding(objection.path, objection.detail, hint="set maxTokens for scope router or team, or use dataPlane: Proxy")


RULE = Rule(
    id="LLMKUBE-108",
    name="router-gateway-budget",
    severity=Severity.ERROR,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelrouter_gateway_controller.go",
    mirrors="vmodelrouter.inference.llmkube.dev",
    is_about_failure=True,
    check=_check,
    good="""\
dataPlane: Gateway
gatewayRef: {name: edge}
backends: [{name: local, inferenceServiceRef: {name: llama}}]
policy: {budgets: [{name: all, scope: router, maxTokens: 100000}]}
""",
    bad="""\
dataPlane: Gateway
gatewayRef: {name: edge}
backends: [{name: local, inferenceServiceRef: {name: llama}}]
policy: {budgets: [{name: all, scope: router, maxUSD: "5"}]}
""",
)
