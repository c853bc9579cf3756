"""Flavors of a model have different numbers of accelerators.

A pod gets the limits of one flavor, whichever node it runs on. A flavor can only replace another one with the same number of
accelerators. Create a separate model for the other flavors.

Source: InftyAI/scheduler-plugins 25a11fd, docs/plugins/resource_fungibility.md.
"""

from weighbridge.policies.families.llmaz.rulebook import Flavors, Said, Violation, flavors
from weighbridge.policies.ground.spelling import amount


@flavors.warning(good="accepts-flavors-with-equal-counts", bad="warns-of-flavors-with-different-counts")
def check(flavors: Flavors) -> Said:
    first = flavors[0].accelerator_count
    for flavor in flavors[1:]:
        count = flavor.accelerator_count
        if count != first:
            other = f"flavor {flavors[0].name} has {first}; pods get {first} with either flavor"
            message = f"flavor {flavor.name} has {amount(count, 'accelerator')} and {other}"
            yield Violation((*flavor.path, "limits"), message, found=str(count), expected=str(first))
