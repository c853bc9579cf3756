"""A router's authentication would lock everyone out, or let everyone in.

With `dataPlane: Gateway` a team's allowlist is matched against a verified claim: it needs `policy.auth.jwt`, and a team
that is named once and without spaces around it. Upstream's webhook refuses the router.

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
    for objection in objections(request.object, Topic.GATEWAY_AUTH, Topic.GATEWAY_ALLOWLIST):
        yield RULE.finding(objection.path, objection.detail)


RULE = Rule(
    id="LLMKUBE-110",
    name="router-gateway-authentication",
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
policy:
  auth:
    jwt: {provider: sso, issuer: https://sso.example.com, jwksURI: https://sso.example.com/keys, teamClaim: team}
    allowlists: [{team: search, models: [llama-3]}]
""",
    bad="""\
dataPlane: Gateway
gatewayRef: {name: edge}
backends: [{name: local, inferenceServiceRef: {name: llama}}]
policy: {auth: {allowlists: [{team: search, models: [llama-3]}]}}
""",
)
