"""A component's canary gets less than nothing, or more than all.

`canaryTrafficPercent` is a share of the traffic, from 0 to 100. Neither OME's schema nor its webhook holds that.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part

_COMPONENTS: Final = ("engine", "decoder", "router")


@objects.error(
    kinds=("InferenceService",),
    good="accepts-a-budget-of-one-kind",
    bad="refuses-a-canary-above-all-of-the-traffic",
)
def check(given: Given) -> Said:
    for name in _COMPONENTS:
        found = part(given.spec, name).get("canaryTrafficPercent")
        if type(found) is int and not 0 <= found <= 100:
            message = f"{found} is no percentage of the traffic"
            yield Violation(("spec", name, "canaryTrafficPercent"), message, found=str(found), expected="0 to 100")
