"""The policy BestFit has several classes to choose from, but no constraints.

OME's controller reads the constraints without a check, and panics again and again if there are none. Write constraints; an empty
`constraints: {}` is enough.

Source: OME v0.1.5, pkg/acceleratorclassselector/selector.go.
"""

from weighbridge.policies.families.ome.rulebook import CLASS_READS, FAILURE, Said, Service, Violation, deployed


@deployed.error(
    about=FAILURE, reads=CLASS_READS, good="accepts-best-fit-with-empty-constraints", bad="refuses-best-fit-without-constraints"
)
def check(service: Service) -> Said:
    for choice in service.classes.values():
        if choice.panics:
            yield Violation(
                choice.path,
                "OME's controller panics on BestFit with several classes and without constraints",
                found=choice.policy,
                hint="write spec.acceleratorSelector.constraints, {} is enough",
            )
