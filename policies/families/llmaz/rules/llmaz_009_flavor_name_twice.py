"""Two flavors of a model have the same name.

Whoever claims the name gets the first; the other one is never used.

Source: llmaz 3c13ff3 api/core/v1alpha1/model_types.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.subject.flavors import flavors_of


@objects.error(
    kinds=("OpenModel",),
    good="accepts-a-flavor-of-a-name-alone",
    bad="refuses-two-flavors-of-one-name",
)
def check(given: Given) -> Said:
    seen: set[str] = set()
    for flavor in flavors_of(given.object):
        if flavor.name and flavor.name in seen:
            yield Violation((*flavor.path, "name"), "another flavor has this name, and is the one that is taken", found=flavor.name)
        seen.add(flavor.name)
