"""A service names a runtime that can't serve its model.

A runtime fits if it is enabled, lists the accelerator classes that the service requests, supports the model's format, framework,
architecture and quantization in one item, and has a size range that includes the model. If it doesn't fit, OME's controller reports an
error. Name another runtime, or leave it out for OME to select one.

OME's agent fills in the model's missing fields once it has the model's files, unless the model has the annotation
`ome.oracle.com/skip-config-parsing: "true"`. Until then the rule doesn't check a runtime that could fit.

Source: OME v0.1.5, pkg/runtimeselector/selector.go and pkg/modelagent/config_parser.go.
"""

from weighbridge.policies.families.ome.rulebook import CLASS_READS, FAILURE, NotChecked, Said, Service, Violation, deployed
from weighbridge.policies.families.ome.subject.selection.choice import FITS, NO_CLASS, PANICS, awaiting, why_not


@deployed.error(about=FAILURE, reads=CLASS_READS, good="accepts-the-larger-of-two-runtimes", bad="refuses-a-runtime-for-smaller-models")
def check(service: Service) -> Said:
    named, model = service.named, service.model
    if named is None or model is None or named.candidate is None or named.candidate.outcome in (FITS, PANICS):
        return
    if named.candidate.outcome == NO_CLASS and service.missing_classes:
        # OME-013 is about a missing class, with which no runtime helps.
        return
    if named.awaited:
        yield NotChecked(awaiting(model, named.awaited))
        return
    yield Violation(
        ("spec", "runtime", "name"),
        f"{named.candidate.runtime.title} can't serve {model.title}: {why_not(model, named.candidate, service.demanded)}",
        found=named.name,
        hint="name another runtime, or leave it out so that OME selects one",
    )
