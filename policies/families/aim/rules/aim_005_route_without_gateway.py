"""Routing is on, and nobody names a gateway.

The gateway comes from the service, else from the runtime configs that apply to it. Without one the service is Failed, and aim-engine makes
nothing at all of it.

Source: aim-engine v0.2.1 internal/aimservice/httproute.go; kaiwo dbca1b55 internal/controller/aim/routingconfig/resolve.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.route import route
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.family import Rule
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    if serving is None:
        return
    found = route(serving.service, serving.config.spec, serving.dialect)
    if found.reason not in ("GatewayNotConfigured", "RouteFailed") or serving.config.is_missing:
        return
    if serving.config.unknown:
        yield RULE.unchecked(f"{serving.config.unknown[0]} isn't known, and may name a gateway")
        return
    yield RULE.finding(
        ("spec", "routing", "gatewayRef"),
        "routing is on, and neither the service nor its runtime config names a gateway",
        expected="a gatewayRef",
        hint="set spec.routing.gatewayRef here or in the runtime config, or spec.routing.enabled: false",
    )


RULE = Rule(
    id="AIM-005",
    name="route-without-gateway",
    severity=Severity.ERROR,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/httproute.go; kaiwo dbca1b55 internal/controller/aim/routingconfig/resolve.go",
    mirrors="condition HTTPRouteReady, GatewayNotConfigured",
    reads=SERVICE_READS,
    is_about_failure=True,
    beside=READY,
    check=_check,
    good="model: {name: llama}\nrouting: {enabled: true, gatewayRef: {name: gw}}",
    bad="model: {name: llama}\nrouting: {enabled: true}",
)
