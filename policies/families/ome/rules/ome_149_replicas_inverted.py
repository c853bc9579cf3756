"""A component's least number of replicas is greater than its greatest.

Nothing refuses it: the autoscaler's greatest number becomes the least one, so the service never scales. Where only `minReplicas` is given
OME's webhook fills in 3 for the greatest, and 2 for a router.

Source: OME v0.1.5 pkg/controller/v1beta1/inferenceservice/reconcilers/hpa.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.ground.fields import part, whole

#: The components, and the greatest number that the webhook fills in.
_COMPONENTS: Final = {"engine": 3, "decoder": 3, "router": 2}


@objects.warning(
    kinds=("InferenceService",),
    good="accepts-a-budget-of-one-kind",
    bad="warns-of-a-least-number-above-the-default",
)
def check(given: Given) -> Said:
    for name, default in _COMPONENTS.items():
        component = part(given.spec, name)
        least, most = whole(component, "minReplicas"), whole(component, "maxReplicas") or default
        if least > most:
            message = f"minReplicas is {least} and maxReplicas {most}, so that the service never scales"
            yield Violation(("spec", name, "maxReplicas"), message, found=str(most), expected=f"{least} or more")
