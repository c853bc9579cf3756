"""The credentials of a router's external backend aren't there.

`credentialsSecretRef` names a Secret of the router's namespace with a key that the provider decides: OPENAI_API_KEY,
ANTHROPIC_API_KEY, LITELLM_MASTER_KEY, AWS_ACCESS_KEY_ID or GOOGLE_APPLICATION_CREDENTIALS. Without it the backend
answers nothing. Secrets are never read from a cluster, so this speaks only of those given beside the router.

Source: LLMKube v0.9.19, internal/controller/router_config_builder.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.predictions.router.backends import credentials_problem
from weighbridge.policies.families.llmkube.rulebook import Given, NotChecked, Said, Violation, objects
from weighbridge.policies.ground.fields import items, part


@objects.warning(
    kinds=("ModelRouter",),
    good="accepts-other-classes-as-sensitive",
    bad="warns-of-missing-credentials",
)
def check(given: Given) -> Said:
    namespace = given.namespace
    for index, backend in enumerate(items(given.spec, "backends")):
        problem, unknown = credentials_problem(part(backend, "external"), namespace, given.facts)
        if unknown:
            yield NotChecked(unknown)
        if problem:
            path = ("spec", "backends", index, "external", "credentialsSecretRef", "name")
            yield Violation(path, problem, hint="put the provider's key into a Secret of the router's namespace")
