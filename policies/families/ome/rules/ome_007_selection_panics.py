"""A runtime that a service names, or that OME selects among, makes OME panic.

A runtime whose `modelSizeRange` has one bound only stops the selection for every model that matches one of its formats, also where another
runtime fits. OME's webhook answers with `panic: runtime error`; where the service names the runtime, OME's controller panics again and
again. Name another runtime in the service, or give the broken one both bounds.

Source: OME v0.1.5, pkg/runtimeselector/matcher.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Service, Violation, deployed, listed
from weighbridge.policies.families.ome.subject.selection.choice import PANICS


@deployed.error(about=FAILURE, good="accepts-a-named-runtime-beside-a-broken-one", bad="refuses-a-selection-that-panics")
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
