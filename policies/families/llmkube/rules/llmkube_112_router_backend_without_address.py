"""A router's external backend has no address, so the whole router fails.

The operator knows the addresses of the providers anthropic and openai. litellm needs a `url` unless the operator has
--default-litellm-url; the other providers always need one. If one backend has no address, the router becomes Failed,
and the operator creates no proxy.

Source: LLMKube v0.9.19, internal/controller/router_config_builder.go.
"""

from weighbridge.policies.families.llmkube.operator import operator_for
from weighbridge.policies.families.llmkube.predictions.router.backends import address_problem, external_address
from weighbridge.policies.families.llmkube.rulebook import FAILURE, Given, NotChecked, Said, Violation, part, proxies, text
from weighbridge.policies.families.llmkube.subject.routers import external_backends


@proxies.error(
    topic="Routers: backends, routes and budgets",
    about=FAILURE,
    reads=("Deployment.apps",),
    good="accepts-an-external-backend-in-the-cluster",
    bad="refuses-a-provider-without-an-address",
)
def check(router: Given) -> Said:
    operator = operator_for(*router)
    for path, backend in external_backends(router.spec):
        external = part(backend, "external")
        if backend.get("inferenceServiceRef") is not None or external_address(external, operator):
            continue
        if text(external, "provider") == "litellm" and not operator.is_seen:
            yield NotChecked("the operator's flags aren't known, --default-litellm-url among them")
            continue
        said = f"{address_problem(external)}; without it the whole router fails"
        yield Violation((*path, "external", "url"), said, hint="set the provider's address")
