"""A router for a gateway sets its own audit log.

Only LLMKube's own proxy reads `policy.auditLog`. A gateway logs all its routes alike, as its own configuration states.
Upstream's webhook refuses the router, so that no audit log is missing.

Source: LLMKube v0.9.19, internal/controller/modelrouter_gateway_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Said, Violation, routers
from weighbridge.policies.families.llmkube.upstream.router_spec import Topic
from weighbridge.policies.families.llmkube.upstream.router_webhook import WEBHOOK, objections


@routers.error(
    topic="Routers: data planes",
    about=FAILURE,
    mirrors=WEBHOOK,
    good="accepts-a-router-on-a-gateway",
    bad="refuses-an-audit-log-on-a-gateway",
)
def check(router: Given) -> Said:
    for objection in objections(router.object, Topic.GATEWAY_AUDIT):
        yield Violation(
            objection.path,
            "has no effect with dataPlane: Gateway, where access logs are configured on the gateway",
            hint="remove policy.auditLog and use the chart's gateway.auditLog values, or use dataPlane: Proxy",
        )
