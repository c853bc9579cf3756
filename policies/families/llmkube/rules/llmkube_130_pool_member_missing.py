"""A pool's member is a service that isn't there.

Members are InferenceServices of the pool's namespace. While one is missing the pool is Degraded, and none of the others
is started or stopped. It may come later in the same rollout, so this warns.

Source: LLMKube v0.9.19, internal/controller/modelpool_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import FAILURE, REFERENCE, Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.llmkube.subject.pool_members import member_names
from weighbridge.policies.families.llmkube.subject.references import SERVICES


@objects.warning(
    kinds=("ModelPool",),
    about=REFERENCE | FAILURE,
    reads=("InferenceService",),
    good="refuses-a-swap-budget-in-words",
    bad="warns-of-a-missing-pool-member",
)
def check(given: Given) -> Said:
    namespace = given.namespace
    for index, name in enumerate(member_names(given.object)):
        missing = SERVICES.is_missing(given.facts, namespace, name) if name else False
        if missing is None:
            yield NotChecked(SERVICES.unknown)
            return
        if missing:
            yield Violation(
                ("spec", "members", index, "inferenceServiceRef", "name"),
                f'namespace "{namespace}" has no InferenceService "{name}"; the operator doesn\'t reconcile the pool until it exists',
                found=name,
                nearest=SERVICES.nearest(given.facts, namespace, name),
                hint="create the service in the pool's namespace, or correct the name",
            )
