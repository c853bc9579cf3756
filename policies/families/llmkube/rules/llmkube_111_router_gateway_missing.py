"""A router for a gateway names none.

With `dataPlane: Gateway` routes are attached to the Gateway of `gatewayRef`. Without it nothing is made, which only the
condition GatewayReady tells; no webhook refuses it.

Source: LLMKube v0.9.19, internal/controller/modelrouter_gateway_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.upstream.router_gateway import is_gateway
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    if is_gateway(spec) and spec.get("gatewayRef") is None:
        yield RULE.finding(
            ("spec", "gatewayRef"),
            "is missing; with dataPlane: Gateway the operator makes nothing without it",
            hint="name the Gateway of the routes, or use dataPlane: Proxy",
        )


RULE = Rule(
    id="LLMKUBE-111",
    name="router-gateway-missing",
    severity=Severity.ERROR,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelrouter_gateway_controller.go",
    is_about_failure=True,
    check=_check,
    good="dataPlane: Gateway\ngatewayRef: {name: edge}\nbackends: [{name: local, inferenceServiceRef: {name: llama}}]",
    bad="dataPlane: Gateway\nbackends: [{name: local, inferenceServiceRef: {name: llama}}]",
)
