"""Another cache of the namespace is for the same template.

Both lead to the same artifact, and of two such caches one can stay Progressing for good; a service that takes that one never starts.

Source: aim-engine v0.2.1 internal/aimtemplatecache; kaiwo dbca1b55 internal/controller/aim/aimtemplatecache_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.aim.kinds import OLD
from weighbridge.policies.families.aim.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONValue, name_of


@objects.warning(
    kinds=("AIMTemplateCache",),
    reads=(
        "AIMTemplateCache",
        "AIMTemplateCache.aim.silogen.ai",
    ),
    good="accepts-a-dedicated-cache-beside-a-shared-one",
    bad="warns-of-a-second-cache-of-a-template",
)
def check(given: Given) -> Said:
    own = _cached(given.object, given.group)
    namespace = given.namespace
    if not own[0] or own[2] == "Dedicated":
        return
    for other in given.facts.objects.list(given.group, "AIMTemplateCache", namespace):
        if name_of(other) != given.name and _cached(other, given.group) == own:
            key = "templateRef" if given.group == OLD else "templateName"
            yield Violation(
                ("spec", key), f"AIMTemplateCache {name_of(other)} is for the same template", found=own[0], hint="keep one of them"
            )
            return


def _cached(cache: JSONValue, group: str) -> tuple[str, ...]:
    spec = spec_of(cache if isinstance(cache, dict) else None)
    if group == OLD:
        return text(spec, "templateRef"), "", "", text(spec, "storageClassName")
    return text(spec, "templateName"), text(spec, "templateScope"), text(spec, "mode", "Shared"), text(spec, "storageClassName")
