"""Routing is enabled, but no gateway is named.

The gateway comes from the service, else from the runtime configs that apply to it. Without one the service is Failed, and aim-engine
creates none of its objects. Set `routing.gatewayRef` in the service or in its runtime config, or switch routing off.

Source: aim-engine v0.2.1, internal/aimservice/httproute.go; kaiwo dbca1b55, internal/controller/aim/routingconfig/resolve.go.
"""

from weighbridge.policies.families.aim.rulebook import FAILURE, NotChecked, Said, Service, Violation, services


@services.error(
    about=FAILURE,
    mirrors="condition HTTPRouteReady, GatewayNotConfigured",
    good="accepts-a-route-through-the-gateway-of-the-config",
    bad="refuses-a-route-without-a-gateway",
)
def check(service: Service) -> Said:
    if service.asked_route.reason not in ("GatewayNotConfigured", "RouteFailed") or service.config.is_missing:
        return
    if service.config.unknown:
        yield NotChecked(f"{service.config.unknown[0]} isn't known, and may name a gateway")
        return
    yield Violation(
        ("spec", "routing", "gatewayRef"),
        "routing is enabled, but neither the service nor its runtime config names a gateway",
        expected="a gatewayRef",
        hint="set spec.routing.gatewayRef here or in the runtime config, or spec.routing.enabled: false",
    )
