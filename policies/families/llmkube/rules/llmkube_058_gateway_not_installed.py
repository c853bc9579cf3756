"""A service is published through a gateway in a cluster that has no Envoy AI Gateway.

The operator creates routes of the group aigateway.envoyproxy.io. Without its CRDs clients reach the service only through its own
Service, and the condition GatewayReady reports it.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_gateway_controller.go.
"""

from weighbridge.policies.families.llmkube.predictions.service.add_ons import ENVOY_AI
from weighbridge.policies.families.llmkube.rulebook import Said, Service, flag, part, services
from weighbridge.policies.families.llmkube.rules._add_ons import not_installed


@services.warning(
    topic="Services: names, ports, gateways and objectives",
    mirrors="condition GatewayReady",
    reads=("CustomResourceDefinition.apiextensions.k8s.io",),
    good="accepts-a-gateway-with-its-crds",
    bad="warns-of-a-gateway-without-its-crds",
)
def check(service: Service) -> Said:
    if flag(part(service.spec, "endpoint", "gateway"), "enabled"):
        path = ("spec", "endpoint", "gateway", "enabled")
        yield from not_installed(ENVOY_AI, service, path, "install Envoy AI Gateway, or remove the gateway")
