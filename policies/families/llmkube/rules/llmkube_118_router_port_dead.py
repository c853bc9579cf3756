"""A router's Service sends to a port that its proxy doesn't listen on.

LLMKube's own proxy listens on 8080 for requests and on 9090 for metrics, whatever `endpoint.port` says; the Service
listens on that port and sends to the same one. With any other than 8080 no request arrives, while the router is Ready.

Source: LLMKube v0.9.19, internal/controller/router_service_builder.go and router_deployment_builder.go; measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.resolve.service.address import PORT, service_port
from policies.families.llmkube.upstream.router_gateway import is_gateway
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    port = service_port(spec)
    if port != PORT and not is_gateway(spec):
        yield RULE.finding(
            ("spec", "endpoint", "port"),
            f"the proxy listens on {PORT}, so a Service with target port {port} reaches nothing",
            found=str(port),
            expected=str(PORT),
            hint="remove the port",
        )


RULE = Rule(
    id="LLMKUBE-118",
    name="router-port-dead",
    severity=Severity.ERROR,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/router_service_builder.go",
    check=_check,
    good="backends: [{name: local, inferenceServiceRef: {name: llama}}]\nendpoint: {type: NodePort}",
    bad="backends: [{name: local, inferenceServiceRef: {name: llama}}]\nendpoint: {port: 80}",
)
