"""An object that publishes a service through a gateway belongs to another router or service.

The Backend and the route of a service have the service's name, with dashes for dots. A router with `dataPlane: Gateway` gives the name of
each backend to a Backend in the same namespace. The operator doesn't take over an object of another owner: the service runs, but the
gateway has no route to it.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_gateway_controller.go.
"""

from weighbridge.policies.families.llmkube.predictions.gateway_objects import OBJECTIVE, owner_of, wanted_by_service
from weighbridge.policies.families.llmkube.rulebook import Said, Service, Violation, services


@services.warning(
    topic="Services: names, ports, gateways and objectives",
    mirrors="condition GatewayReady, ReconcileFailed",
    reads=("InferenceService", "ModelRouter"),
    good="accepts-a-service-on-a-gateway-next-to-a-router",
    bad="warns-of-a-backend-of-a-router-with-the-name-of-a-service",
)
def check(service: Service) -> Said:
    for wanted in wanted_by_service(service.object):
        owner = None if wanted.kind == OBJECTIVE else owner_of(wanted, "InferenceService", service.object, service.namespace, service.facts)
        if owner is not None:
            message = f"{wanted.kind} {wanted.name} of the gateway belongs to {owner.kind} {owner.name}, so the gateway gets no route"
            yield Violation(wanted.field, message, found=wanted.name, hint="rename the service, or that backend")
            return
