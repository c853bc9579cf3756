"""An object that a router needs in the gateway belongs to another router or service.

With `dataPlane: Gateway` each backend becomes objects with the name of the backend, and the route has the name of the router. They are in
the router's namespace. If another router has a backend of that name, or if a service with that name is published through a gateway, the
object is already there. The operator doesn't take it over, and compiles nothing of the newer router.

Source: LLMKube v0.9.19, internal/controller/modelrouter_gateway_controller.go.
"""

from weighbridge.policies.families.llmkube.predictions.gateway_objects import owner_of, wanted_by_router
from weighbridge.policies.families.llmkube.rulebook import Given, Said, Violation, gateways


@gateways.error(
    topic="Routers: data planes",
    mirrors="condition GatewayReady, ReconcileFailed",
    reads=("InferenceService", "ModelRouter"),
    good="accepts-routers-with-different-backends-on-a-gateway",
    bad="refuses-a-backend-name-of-another-router-on-a-gateway",
)
def check(router: Given) -> Said:
    for wanted in wanted_by_router(router.object):
        owner = owner_of(wanted, "ModelRouter", router.object, router.namespace, router.facts)
        if owner is not None:
            message = f"{wanted.kind} {wanted.name} of the gateway belongs to {owner.kind} {owner.name}, so the operator compiles no route"
            yield Violation(wanted.field, message, found=wanted.name, hint="choose a name that is unique in the namespace")
