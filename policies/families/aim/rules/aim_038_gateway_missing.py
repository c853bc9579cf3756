"""The Gateway of a service's route doesn't exist.

The operator uses the service's gateway, else the gateway of the runtime configs that apply. It creates the route, but no gateway ever
accepts it, so clients can't reach the service. Name a Gateway that exists, with its namespace. The rule warns by default. The
configuration's `references` can make it an error.

Source: aim-engine v0.2.1, internal/aimservice/httproute.go; kaiwo dbca1b55, internal/controller/aim/routingconfig/resolve.go.
"""

from weighbridge.policies.families.aim.rulebook import REFERENCE, Given, Said, Service, reads_of_services, services, text
from weighbridge.policies.families.aim.subject.references import GATEWAYS


@services.warning(
    about=REFERENCE,
    mirrors="condition HTTPRouteReady",
    reads=reads_of_services("Gateway.gateway.networking.k8s.io"),
    good="accepts-a-gateway-that-is-there",
    bad="warns-of-a-gateway-of-another-namespace",
)
def check(service: Service, given: Given) -> Said:
    gateway = service.asked_route.gateway
    if not gateway or text(gateway, "kind", "Gateway") != "Gateway" or text(gateway, "group", GATEWAYS.group) != GATEWAYS.group:
        return
    namespace, name = text(gateway, "namespace") or service.namespace, text(gateway, "name")
    message = f'namespace "{namespace}" has no Gateway "{name}"; the operator creates the route, but no gateway accepts it'
    hint = "name a Gateway that exists, with its namespace"
    yield from GATEWAYS.missing(given, ("spec", "routing", "gatewayRef", "name"), name, message, hint=hint, namespace=namespace)
