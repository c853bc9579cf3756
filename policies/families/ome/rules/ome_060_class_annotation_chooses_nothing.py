"""The annotation for an accelerator class stands alone.

`ome.io/accelerator-class` only keeps off runtimes that don't list the class. It never chooses one: the pods get neither the labels nor the
resources of the class. Write `spec.acceleratorSelector.acceleratorClass`.

Source: OME v0.1.5 pkg/acceleratorclassselector/selector.go.
"""

from __future__ import annotations

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.service_spec import ACCELERATED, annotation, service_of
from weighbridge.policies.ground.fields import part


@objects.warning(
    kinds=("InferenceService",),
    good="accepts-an-annotation-beside-the-class",
    bad="warns-of-an-annotation-that-chooses-no-class",
)
def check(given: Given) -> Said:
    service = service_of(given.request)
    named = annotation(service, "accelerator-class") if service is not None else None
    if service is None or not named:
        return
    spec = spec_of(service)
    places = [part(spec, "acceleratorSelector"), *(part(spec, component, "acceleratorOverride") for component in ACCELERATED)]
    if not any(place.get(key) for place in places for key in ("acceleratorClass", "policy")):
        yield Violation(
            ("metadata", "annotations", f"{PREFIX}accelerator-class"),
            "it keeps off runtimes that don't list the class, and chooses none for the pods",
            found=named,
            hint="write spec.acceleratorSelector.acceleratorClass as well",
        )
