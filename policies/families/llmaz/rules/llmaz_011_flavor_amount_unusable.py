"""No pod can have a flavor's limit.

The number of devices must be a whole number, and no amount may be below zero. The controller creates the LeaderWorkerSet, but the API
server refuses each of its pods. Write a whole number above zero.

Source: llmaz 3c13ff3, pkg/controller/inference/service_controller.go.
"""

from weighbridge.policies.families.llmaz.rulebook import Flavors, Said, Violation, amount, flavors
from weighbridge.policies.families.llmaz.subject.flavors import is_extended


@flavors.error(good="accepts-one-gpu", bad="refuses-a-negative-limit")
def check(flavors: Flavors) -> Said:
    for flavor in flavors:
        for name, value in flavor.limits.items():
            found, path = amount(value), (*flavor.path, "limits", name)
            if found is None:
                continue
            if found.sign() < 0:
                yield Violation(path, "a limit can't be below zero", hint="write an amount above zero", found=str(value))
            elif is_extended(name) and not found.is_integer():
                yield Violation(path, f"{name} is given in whole numbers", found=str(value), expected=str(found.value()))
            elif is_extended(name) and found.is_zero():
                yield Violation(path, f"the flavor has no {name}", hint="give an amount, or remove the limit", found=str(value))
