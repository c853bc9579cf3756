"""A router's backend is a service that isn't there.

The service is looked up in the router's own namespace. As long as it is missing the whole router fails, the other
backends with it. It may come later in the same rollout, so this warns.

Source: LLMKube v0.9.19, internal/controller/router_config_builder.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import FAILURE, REFERENCE, Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.references import SERVICES
from weighbridge.policies.ground.fields import items, part, text


@objects.warning(
    kinds=("ModelRouter",),
    about=REFERENCE | FAILURE,
    reads=("InferenceService",),
    good="accepts-a-router-behind-a-load-balancer",
    bad="warns-of-a-router-without-its-service",
)
def check(given: Given) -> Said:
    namespace = given.namespace
    for index, backend in enumerate(items(given.spec, "backends")):
        if backend.get("inferenceServiceRef") is None:
            continue
        name = text(part(backend, "inferenceServiceRef"), "name")
        missing = SERVICES.is_missing(given.facts, namespace, name)
        if missing is None:
            yield NotChecked(SERVICES.unknown)
            return
        if missing:
            yield Violation(
                ("spec", "backends", index, "inferenceServiceRef", "name"),
                f'namespace "{namespace}" has no InferenceService "{name}"; the whole router fails until it exists',
                found=name,
                nearest=SERVICES.nearest(given.facts, namespace, name),
                hint="create the service in the router's namespace, or correct the name",
            )
