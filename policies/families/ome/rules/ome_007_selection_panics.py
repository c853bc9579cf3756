"""OME panics at a runtime that a service names or that OME may select.

A runtime whose `modelSizeRange` has only one bound stops the selection for every model that matches one of its formats, even if another
runtime fits. OME's webhook answers with `panic: runtime error`. If the service names the runtime, OME's controller panics again and
again. Name another runtime in the service, or add the missing bound.

Source: OME v0.1.5, pkg/runtimeselector/matcher.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Service, Violation, deployed, listed
from weighbridge.policies.families.ome.subject.selection.choice import PANICS


@deployed.error(about=FAILURE, good="accepts-a-named-runtime-next-to-a-broken-one", bad="refuses-a-selection-that-panics")
def check(service: Service) -> Said:
    selection, named = service.selection, service.named
    if selection is not None and selection.blocking:
        names = listed([one.runtime.title for one in selection.blocking])
        yield Violation(
            ("spec", "model", "name"),
            f"OME panics while it selects a runtime: the modelSizeRange of {names} has one bound only",
            hint="name a runtime in spec.runtime.name, or give that one both bounds",
        )
    if named is not None and named.candidate is not None and named.candidate.outcome == PANICS:
        yield Violation(
            ("spec", "runtime", "name"),
            f"OME panics on the runtime: the modelSizeRange of {named.candidate.runtime.title} has one bound only",
            found=named.name,
            hint="name another one, or give that one both bounds",
        )
