"""A service is to be reached through a gateway in a cluster that has no Envoy AI Gateway.

The operator writes routes of group aigateway.envoyproxy.io. Without its CRDs the service is only reached by its own Service, and
the condition GatewayReady says so.

Source: LLMKube v0.9.19 internal/controller/inferenceservice_gateway_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.installed import NOT_KNOWN, is_installed
from policies.families.llmkube.resolve.service.add_ons import ENVOY_AI
from policies.families.llmkube.rules._examples import GGUF_MODEL
from policies.families.llmkube.subject.serving import serving_of
from policies.fields import flag, part
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    if not flag(part(serving.spec, "endpoint", "gateway"), "enabled"):
        return
    installed = is_installed(ENVOY_AI, facts)
    if installed is None:
        yield RULE.unchecked(NOT_KNOWN)
    if installed is False:
        yield RULE.finding(
            ("spec", "endpoint", "gateway", "enabled"),
            "has no effect, since the CRDs of aigateway.envoyproxy.io aren't installed",
            hint="install Envoy AI Gateway, or remove the gateway",
        )


RULE = Rule(
    id="LLMKUBE-058",
    name="gateway-not-installed",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/inferenceservice_gateway_controller.go",
    mirrors="condition GatewayReady",
    reads=("CustomResourceDefinition.apiextensions.k8s.io",),
    beside=(
        f"{GGUF_MODEL}\n---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: things.example.com}}"
    ),
    check=_check,
    good="modelRef: gguf",
    bad="modelRef: gguf\nendpoint: {gateway: {enabled: true, gatewayRef: {name: edge}}}",
)
