"""Another cache of the namespace is for the same template.

Both use the same artifact, and one of the two caches can stay Progressing forever. A service that uses that cache never starts. Keep
one of them.

Source: aim-engine v0.2.1, internal/aimtemplatecache; kaiwo dbca1b55, internal/controller/aim/aimtemplatecache_controller.go.
"""

from typing import Final

from weighbridge.policies.families.aim.kinds import NEW, OLD
from weighbridge.policies.families.aim.rulebook import Given, JSONObject, Said, Violation, name_of, objects, of_both_groups, spec_of, text
from weighbridge.policies.ground.objects import namespace_of


@objects.warning(
    kinds=("AIMTemplateCache",),
    reads=of_both_groups("AIMTemplateCache"),
    good="accepts-a-dedicated-cache-next-to-a-shared-one",
    bad="warns-of-a-second-cache-of-a-template",
)
def check(given: Given) -> Said:
    name, _, mode, _ = own = _cached(given.object, given.group)
    if not name or mode == "Dedicated":
        return
    others = given.facts.objects.where(given.group, "AIMTemplateCache", _FILED[given.group], (given.namespace, *own))
    for other in others:
        if name_of(other) != given.name:
            key = "templateRef" if given.group == OLD else "templateName"
            yield Violation(("spec", key), f"AIMTemplateCache {name_of(other)} is for the same template", "keep one of them", found=name)
            return


def _cached(cache: JSONObject, group: str) -> tuple[str, str, str, str]:
    """The values that are equal in two equal caches: the template, its scope, the mode and the storage class."""
    spec = spec_of(cache)
    if group == OLD:
        return text(spec, "templateRef"), "", "", text(spec, "storageClassName")
    return text(spec, "templateName"), text(spec, "templateScope"), text(spec, "mode", "Shared"), text(spec, "storageClassName")


def _old_filed(cache: JSONObject) -> tuple[str, ...]:
    return namespace_of(cache), *_cached(cache, OLD)


def _new_filed(cache: JSONObject) -> tuple[str, ...]:
    return namespace_of(cache), *_cached(cache, NEW)


#: What the store files caches under, by their group.
_FILED: Final = {OLD: _old_filed, NEW: _new_filed}
