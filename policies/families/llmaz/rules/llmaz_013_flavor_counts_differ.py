"""Flavors of a model have different numbers of accelerators.

A pod has the limits of one flavor, whichever node it is placed on. Flavors only stand in for each other where their numbers are the
same; give the others to a model of their own.

Source: InftyAI/scheduler-plugins docs/plugins/resource_fungibility.md.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.subject.flavors import flavors_of
from weighbridge.policies.ground.spelling import amount


@objects.warning(
    kinds=("OpenModel",),
    good="accepts-flavors-with-equal-counts",
    bad="warns-of-flavors-with-different-counts",
)
def check(given: Given) -> Said:
    flavors = flavors_of(given.object)
    if not flavors:
        return
    first = sum(count.value() for count in flavors[0].accelerators.values())
    for flavor in flavors[1:]:
        count = sum(found.value() for found in flavor.accelerators.values())
        if count != first:
            other = f"flavor {flavors[0].name} has {first}, which pods get for either"
            message = f"flavor {flavor.name} has {amount(count, 'accelerator')} and {other}"
            yield Violation((*flavor.path, "limits"), message, found=str(count), expected=str(first))
