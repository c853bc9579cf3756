"""The annotation for an accelerator class is set, but not the class itself.

`ome.io/accelerator-class` only excludes runtimes that don't list the class. It never chooses a class: the pods get neither the labels nor
the resources of the class. Write `spec.acceleratorSelector.acceleratorClass`.

Source: OME v0.1.5, pkg/acceleratorclassselector/selector.go.
"""

from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.families.ome.rulebook import Said, Service, Violation, part, services
from weighbridge.policies.families.ome.subject.service_spec import ACCELERATED


@services.warning(good="accepts-an-annotation-with-the-class", bad="warns-of-an-annotation-that-chooses-no-class")
def check(service: Service) -> Said:
    named, spec = service.annotation("accelerator-class"), service.written
    places = [part(spec, "acceleratorSelector"), *(part(spec, component, "acceleratorOverride") for component in ACCELERATED)]
    if named and not any(place.get(key) for place in places for key in ("acceleratorClass", "policy")):
        yield Violation(
            ("metadata", "annotations", f"{PREFIX}accelerator-class"),
            "it only excludes runtimes that don't list the class; the pods get no class",
            found=named,
            hint="write spec.acceleratorSelector.acceleratorClass as well",
        )
