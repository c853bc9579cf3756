"""The Gateway of a service's route isn't there.

The gateway is the service's, else that of the runtime configs that apply. The route is made all the same, no gateway ever takes it, and
the service can't be reached. By default this warns; the configuration's `references` decides.

Source: aim-engine v0.2.1 internal/aimservice/httproute.go; kaiwo dbca1b55 internal/controller/aim/routingconfig/resolve.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.aim.resolve.route import route
from policies.families.aim.resolve.service import serving_of
from policies.families.aim.rules._examples import READY, SERVICE_READS
from policies.families.aim.subject.references import GATEWAYS
from policies.families.family import Rule
from policies.fields import text
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    if serving is None:
        return
    gateway = route(serving.service, serving.config.spec, serving.dialect).gateway
    if not gateway or text(gateway, "kind", "Gateway") != "Gateway" or text(gateway, "group", GATEWAYS.group) != GATEWAYS.group:
        return
    namespace, name = text(gateway, "namespace") or serving.namespace, text(gateway, "name")
    missing = GATEWAYS.is_missing(facts, namespace, name)
    if missing is None:
        yield RULE.unchecked(GATEWAYS.unknown)
    elif missing:
        yield RULE.finding(
            ("spec", "routing", "gatewayRef", "name"),
            f'namespace "{namespace}" has no Gateway "{name}"; the route is made, and no gateway takes it',
            found=name,
            nearest=GATEWAYS.nearest(facts, namespace, name),
            hint="name a Gateway that is there, with its namespace",
        )


RULE = Rule(
    id="AIM-038",
    name="gateway-missing",
    severity=Severity.WARNING,
    kinds=("AIMService",),
    since="0.1.0",
    source="aim-engine v0.2.1 internal/aimservice/httproute.go; kaiwo dbca1b55 internal/controller/aim/routingconfig/resolve.go",
    mirrors="condition HTTPRouteReady",
    reads=tuple(sorted((*SERVICE_READS, "Gateway.gateway.networking.k8s.io"))),
    is_about_reference=True,
    beside=READY
    + """
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: edge, namespace: default}
spec: {gatewayClassName: envoy, listeners: [{name: http, port: 80, protocol: HTTP}]}""",
    check=_check,
    good="""\
model: {name: llama}
routing: {enabled: true, gatewayRef: {name: edge}}""",
    bad="""\
model: {name: llama}
routing: {enabled: true, gatewayRef: {name: edgy}}""",
)
