"""A router says something that its data plane doesn't do.

LLMKube's own proxy authenticates nobody: `policy.auth` is only enforced with `dataPlane: Gateway`, and whoever relies on
it there leaves the router open. It knows no Gateway either, gets another node port than `endpoint.nodePort`, and doesn't
look at `latencySLOMs`, so that a rule with no other condition matches every request.

Source: LLMKube v0.9.19, internal/controller/router_config_builder.go and router_service_builder.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.upstream.router_gateway import is_gateway
from policies.fields import items, part
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    if is_gateway(spec):
        return
    if part(spec, "policy", "auth"):
        yield RULE.finding(
            ("spec", "policy", "auth"), "isn't enforced by the proxy, so everyone may use the router", hint="use dataPlane: Gateway"
        )
    if spec.get("gatewayRef") is not None:
        yield RULE.finding(("spec", "gatewayRef"), "has no effect with dataPlane: Proxy", hint="use dataPlane: Gateway, or remove it")
    if part(spec, "endpoint").get("nodePort") is not None:
        yield RULE.finding(("spec", "endpoint", "nodePort"), "has no effect; the API server picks a port", hint="remove it")
    for index, rule in enumerate(items(spec, "rules")):
        match = part(rule, "match")
        if match.get("latencySLOMs") is not None:
            alone = "" if len(match) > 1 else ", and without another condition the rule matches every request"
            yield RULE.finding(("spec", "rules", index, "match", "latencySLOMs"), f"has no effect{alone}", hint="match by something else")


RULE = Rule(
    id="LLMKUBE-117",
    name="router-field-ignored",
    severity=Severity.WARNING,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/router_config_builder.go",
    check=_check,
    good="backends: [{name: local, inferenceServiceRef: {name: llama}}]",
    bad="backends: [{name: local, inferenceServiceRef: {name: llama}}]\ngatewayRef: {name: edge}",
)
