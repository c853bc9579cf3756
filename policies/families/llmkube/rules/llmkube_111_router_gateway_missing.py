"""A router for a gateway names no gateway.

With `dataPlane: Gateway` the operator attaches routes to the Gateway in `gatewayRef`. Without it the operator creates
nothing, and only the condition GatewayReady reports it; no webhook refuses the router.

Source: LLMKube v0.9.19, internal/controller/modelrouter_gateway_controller.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, Said, Violation, gateways


@gateways.error(
    topic="Routers: data planes", about=FAILURE, good="accepts-a-router-on-a-gateway", bad="refuses-a-gateway-router-without-gateway"
)
def check(router: Given) -> Said:
    if router.spec.get("gatewayRef") is None:
        yield Violation(
            ("spec", "gatewayRef"),
            "is missing; with dataPlane: Gateway the operator creates nothing without it",
            hint="name the Gateway of the routes, or use dataPlane: Proxy",
        )
