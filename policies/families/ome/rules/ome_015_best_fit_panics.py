"""BestFit has several classes to choose from, and no constraints.

OME's controller reads the constraints without asking whether there are any, and panics for the service again and again. An empty
`constraints: {}` is enough.

Source: OME v0.1.5 pkg/acceleratorclassselector/policies.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Serving, Violation, services
from weighbridge.policies.families.ome.rules._examples import CLASS_READS


@services.error(
    about=FAILURE,
    reads=CLASS_READS,
    good="accepts-best-fit-with-empty-constraints",
    bad="refuses-best-fit-without-constraints",
)
def check(serving: Serving) -> Said:
    if serving.is_virtual:
        return

    for choice in serving.classes.values():
        if choice.panics:
            yield Violation(
                choice.path,
                "OME's controller panics on BestFit with several classes and without constraints",
                found=choice.policy,
                hint="write spec.acceleratorSelector.constraints, {} is enough",
            )
