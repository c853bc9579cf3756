"""A router asks a gateway for an audit log of its own.

`policy.auditLog` belongs to LLMKube's own proxy. A gateway logs for all its routes alike, where the gateway is
configured; upstream's webhook refuses the router rather than let an audit go missing.

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
    for objection in objections(request.object, Topic.GATEWAY_AUDIT):
        yield RULE.finding(
            objection.path,
            "has no effect with dataPlane: Gateway, where access logs are configured on the gateway",
            hint="remove policy.auditLog and use the chart's gateway.auditLog values, or use dataPlane: Proxy",
        )


RULE = Rule(
    id="LLMKUBE-109",
    name="router-gateway-audit-log",
    severity=Severity.ERROR,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelrouter_gateway_controller.go",
    mirrors="vmodelrouter.inference.llmkube.dev",
    is_about_failure=True,
    check=_check,
    good="backends: [{name: local, inferenceServiceRef: {name: llama}}]\npolicy: {auditLog: {sink: stdout}}",
    bad="""\
dataPlane: Gateway
gatewayRef: {name: edge}
backends: [{name: local, inferenceServiceRef: {name: llama}}]
policy: {auditLog: {sink: stdout}}
""",
)
