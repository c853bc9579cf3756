"""A parameter of a flavor has no effect, or an invalid value.

llmaz defines TP, PP and INSTANCE-TYPE, in capitals; TP and PP must be whole numbers above 0. Nothing reads other
parameters.

Source: llmaz 3c13ff3, api/core/v1alpha1/model_types.go.
"""

from typing import Final

from weighbridge.policies.families.llmaz.rulebook import Flavors, Said, Similar, Violation, flavors

_PRESET: Final = ("INSTANCE-TYPE", "PP", "TP")


@flavors.warning(good="accepts-a-parameter-in-capitals", bad="warns-of-a-parameter-in-small-letters")
def check(flavors: Flavors) -> Said:
    near = Similar(_PRESET)
    for flavor in flavors:
        for name, value in flavor.params.items():
            path = (*flavor.path, "params", name)
            if name not in _PRESET:
                yield Violation(path, "nothing reads this parameter", found=name, nearest=near.to(name.upper(), otherwise=3))
            elif name != "INSTANCE-TYPE" and not (value.isascii() and value.isdigit() and int(value) > 0):
                yield Violation(path, f"{name} must be a whole number above 0", found=value, expected="such as 2")
