"""A flavor's limit is no amount that pods can have.

Devices are counted in whole numbers, and no amount is below zero. The LeaderWorkerSet is made all the same, but each of its pods is
refused.

Source: llmaz 3c13ff3 pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

from weighbridge.policies.families.llmaz.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.llmaz.subject.flavors import flavors_of, is_extended
from weighbridge.policies.ground.fields import amount


@objects.error(kinds=("OpenModel",), good="accepts-a-flavor-of-a-name-alone", bad="refuses-a-negative-limit")
def check(known_given: Given) -> Said:
    for flavor in flavors_of(known_given.object):
        for name, value in flavor.limits.items():
            found = amount(value)
            if found is None:
                continue
            path = (*flavor.path, "limits", name)
            if found.sign() < 0:
                yield Violation(path, "a limit can't be below zero", found=str(value))
            elif is_extended(name) and not found.is_integer():
                yield Violation(path, f"{name} is given in whole numbers", found=str(value), expected=str(found.value()))
            elif is_extended(name) and found.is_zero():
                yield Violation(path, f"the flavor has no {name}", found=str(value), hint="give an amount, or remove the limit")
