"""A rule asks of a gateway what only LLMKube's own proxy can do.

With `dataPlane: Gateway` rules match by model name and headers, and route by primary-fallback or weighted. Task
complexity, capabilities, latency, name patterns, the classifier and shadow routes need the proxy; upstream's webhook
refuses the router.

Source: LLMKube v0.9.19, internal/controller/modelrouter_gateway_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.llmkube.upstream.router_spec import Topic
from policies.families.llmkube.upstream.router_webhook import objections
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    for objection in objections(request.object, Topic.GATEWAY_MATCH):
        yield RULE.finding(objection.path, objection.detail, hint="match by models and headers, or use dataPlane: Proxy")


RULE = Rule(
    id="LLMKUBE-107",
    name="router-gateway-match",
    severity=Severity.ERROR,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelrouter_gateway_controller.go",
    mirrors="vmodelrouter.inference.llmkube.dev",
    is_about_failure=True,
    check=_check,
    good="""\
dataPlane: Gateway
gatewayRef: {name: edge}
backends: [{name: local, inferenceServiceRef: {name: llama}}]
rules: [{name: small, match: {models: [llama-3]}, route: {backends: [local]}}]
""",
    bad="""\
dataPlane: Gateway
gatewayRef: {name: edge}
backends: [{name: local, inferenceServiceRef: {name: llama}}]
rules: [{name: small, match: {models: ["llama-*"]}, route: {backends: [local]}}]
""",
)
