"""A router's external backend has no address, by which the whole router fails.

Providers anthropic and openai have an address that the operator knows; litellm needs a `url` unless the operator has
--default-litellm-url, and the others always need one. One backend without makes the router's phase Failed, and no proxy
is made.

Source: LLMKube v0.9.19, internal/controller/router_config_builder.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.llmkube.operator import operator_for
from policies.families.llmkube.resolve.router.backends import address_problem, external_address
from policies.families.llmkube.upstream.router_gateway import is_gateway
from policies.fields import items, part, text
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    spec = spec_of(request.object)
    if is_gateway(spec):
        return
    operator = operator_for(request, facts, config)
    for index, backend in enumerate(items(spec, "backends")):
        external = part(backend, "external")
        if not external or backend.get("inferenceServiceRef") is not None or external_address(external, operator):
            continue
        if text(external, "provider") == "litellm" and not operator.is_seen:
            yield RULE.unchecked("the operator's flags aren't known, --default-litellm-url among them")
            continue
        yield RULE.finding(
            ("spec", "backends", index, "external", "url"),
            f"{address_problem(external)}; without it the whole router fails",
            hint="set the provider's address",
        )


RULE = Rule(
    id="LLMKUBE-112",
    name="router-backend-without-address",
    severity=Severity.ERROR,
    kinds=("ModelRouter",),
    since="0.1.0",
    source="LLMKube v0.9.19 internal/controller/router_config_builder.go",
    reads=("Deployment.apps",),
    is_about_failure=True,
    check=_check,
    good="backends: [{name: cloud, tier: cloud, external: {provider: openai, model: gpt-4o}}]",
    bad="backends: [{name: cloud, tier: cloud, external: {provider: bedrock, model: some.model}}]",
)
