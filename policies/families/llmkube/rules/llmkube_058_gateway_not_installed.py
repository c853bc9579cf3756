"""A service is to be reached through a gateway in a cluster that has no Envoy AI Gateway.

The operator writes routes of group aigateway.envoyproxy.io. Without its CRDs the service is only reached by its own Service, and
the condition GatewayReady says so.

Source: LLMKube v0.9.19 internal/controller/inferenceservice_gateway_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.installed import NOT_KNOWN, is_installed
from weighbridge.policies.families.llmkube.predictions.service.add_ons import ENVOY_AI
from weighbridge.policies.families.llmkube.rulebook import Given, NotChecked, Said, Serving, Violation, services
from weighbridge.policies.ground.fields import flag, part


@services.warning(
    mirrors="condition GatewayReady",
    reads=("CustomResourceDefinition.apiextensions.k8s.io",),
    good="warns-of-an-objective-without-pyrra",
    bad="warns-of-a-gateway-without-its-crds",
)
def check(serving: Serving, given: Given) -> Said:
    if not flag(part(serving.spec, "endpoint", "gateway"), "enabled"):
        return
    installed = is_installed(ENVOY_AI, given.facts)
    if installed is None:
        yield NotChecked(NOT_KNOWN)
    if installed is False:
        yield Violation(
            ("spec", "endpoint", "gateway", "enabled"),
            "has no effect, since the CRDs of aigateway.envoyproxy.io aren't installed",
            hint="install Envoy AI Gateway, or remove the gateway",
        )
