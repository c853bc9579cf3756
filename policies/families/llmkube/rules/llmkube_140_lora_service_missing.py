"""An adapter is for a service that isn't there.

The service is looked up in the adapter's namespace unless `inferenceServiceRef.namespace` names another. It may come
later in the same rollout, so this warns.

Source: LLMKube v0.9.19, internal/controller/loraadapter_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import FAILURE, REFERENCE, Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.adapters import target
from weighbridge.policies.families.llmkube.subject.references import SERVICES


@objects.warning(
    kinds=("LoRAAdapter",),
    about=REFERENCE | FAILURE,
    reads=("InferenceService",),
    good="accepts-an-adapter",
    bad="warns-of-an-adapter-without-its-service",
)
def check(given: Given) -> Said:
    namespace, name = target(given.object, given.namespace)
    missing = SERVICES.is_missing(given.facts, namespace, name)
    if missing is None:
        yield NotChecked(SERVICES.unknown)
    elif missing:
        yield Violation(
            ("spec", "inferenceServiceRef", "name"),
            f'namespace "{namespace}" has no InferenceService "{name}"',
            found=name,
            nearest=SERVICES.nearest(given.facts, namespace, name),
            hint="create the service, or correct its name or namespace",
        )
