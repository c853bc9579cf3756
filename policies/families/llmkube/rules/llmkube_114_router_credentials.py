"""The credentials of a router's external backend don't exist.

`credentialsSecretRef` names a Secret of the router's namespace. Its key depends on the provider: OPENAI_API_KEY,
ANTHROPIC_API_KEY, LITELLM_MASTER_KEY, AWS_ACCESS_KEY_ID or GOOGLE_APPLICATION_CREDENTIALS. Without it the backend
doesn't answer. Weighbridge never reads Secrets from a cluster, so the rule judges only those that are given with the
router.

Source: LLMKube v0.9.19, internal/controller/router_config_builder.go.
"""

from weighbridge.policies.families.llmkube.predictions.router.backends import credentials_problem
from weighbridge.policies.families.llmkube.rulebook import Given, NotChecked, Said, Violation, part, routers
from weighbridge.policies.families.llmkube.subject.routers import external_backends


@routers.warning(
    topic="Routers: backends, routes and budgets", good="accepts-other-classes-as-sensitive", bad="warns-of-missing-credentials"
)
def check(router: Given) -> Said:
    for path, backend in external_backends(router.spec):
        problem, unknown = credentials_problem(part(backend, "external"), router.namespace, router.facts)
        if unknown:
            yield NotChecked(unknown)
        if problem:
            hint = "put the provider's key into a Secret of the router's namespace"
            yield Violation((*path, "external", "credentialsSecretRef", "name"), problem, hint=hint)
