"""The address of an external backend is of no use to a gateway.

With `dataPlane: Gateway` the host and port of an external backend are written into the gateway's own configuration: its
`url` has to be absolute, with a port or with a scheme that has one.

Source: LLMKube v0.9.19, internal/controller/modelrouter_gateway_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.operator import operator_for
from policies.families.llmkube.resolve.router.backends import external_address
from policies.families.llmkube.upstream.router_gateway import is_gateway
from policies.fields import items, part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:
    spec = spec_of(request.object)
    if not is_gateway(spec):
        return
    operator = operator_for(request, facts, config)
    for index, backend in enumerate(items(spec, "backends")):
        external = part(backend, "external")
        address = external_address(external, operator)
        if external and not _is_absolute(address):
            yield RULE.finding(
                ("spec", "backends", index, "external", "url"),
                "has no host and port for the gateway to connect to",
                found=text(external, "url"),
                expected="an absolute address, such as https://llm.example.com",
            )


def _is_absolute(address: str) -> bool:
    try:
        split = urlsplit(address)
        return bool(split.scheme and split.hostname) and (split.port is not None or split.scheme in ("http", "https"))
    except ValueError:
        return False


RULE = Rule(
    id="LLMKUBE-116",
    name="router-gateway-address",
    severity=Severity.ERROR,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/modelrouter_gateway_controller.go",
    reads=("Deployment.apps",),
    check=_check,
    good="""\
dataPlane: Gateway
gatewayRef: {name: edge}
backends: [{name: cloud, tier: cloud, external: {provider: litellm, model: m, url: "https://llm.example.com"}}]
""",
    bad="""\
dataPlane: Gateway
gatewayRef: {name: edge}
backends: [{name: cloud, tier: cloud, external: {provider: litellm, model: m, url: llm.example.com}}]
""",
)
