"""A router's backend is a service that doesn't exist.

The operator looks up the service in the router's own namespace. While it is missing, the whole router fails with all
its backends. The service may come later in the same rollout, so the rule only warns.

Source: LLMKube v0.9.19, internal/controller/router_config_builder.go.
"""

from weighbridge.policies.families.llmkube.rulebook import FAILURE, REFERENCE, Given, Said, items, part, routers, text
from weighbridge.policies.families.llmkube.subject.references import SERVICES


@routers.warning(
    topic="Routers: backends, routes and budgets",
    about=REFERENCE | FAILURE,
    reads=("InferenceService",),
    good="accepts-a-router-of-a-service",
    bad="warns-of-a-router-without-its-service",
)
def check(router: Given) -> Said:
    # Each reason is reported once.
    yield from dict.fromkeys(_missing(router))


def _missing(router: Given) -> Said:
    namespace, hint = router.namespace, "create the service in the router's namespace, or correct the name"
    for index, backend in enumerate(items(router.spec, "backends")):
        if backend.get("inferenceServiceRef") is not None:
            path, name = ("spec", "backends", index, "inferenceServiceRef", "name"), text(part(backend, "inferenceServiceRef"), "name")
            said = f'namespace "{namespace}" has no InferenceService "{name}"; the whole router fails until it exists'
            yield from SERVICES.missing(router, path, name, said, hint=hint, namespace=namespace)
