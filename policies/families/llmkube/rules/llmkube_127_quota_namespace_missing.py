"""A GPUQuota is for a namespace that isn't there.

`namespaceRef` may name any namespace, not just the quota's own; one that doesn't exist is never reported. It may come
later in the same rollout, so this warns.

Source: LLMKube v0.9.19, internal/controller/gpuquota_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.rulebook import Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.references import NAMESPACES
from weighbridge.policies.ground.fields import text


@objects.warning(
    kinds=("GPUQuota",),
    reads=("Namespace",),
    good="warns-of-a-quota-without-its-webhook",
    bad="warns-of-a-quota-for-a-missing-namespace",
)
def check(given: Given) -> Said:
    named = text(given.spec, "namespaceRef")
    missing = bool(named) and NAMESPACES.is_missing(given.facts, "", named)
    if missing is None:
        yield NotChecked(NAMESPACES.unknown)
    if not missing:
        return
    yield Violation(
        ("spec", "namespaceRef"),
        f'there is no namespace "{named}", so the quota limits nothing',
        found=named,
        nearest=NAMESPACES.nearest(given.facts, "", named, otherwise=0),
    )
