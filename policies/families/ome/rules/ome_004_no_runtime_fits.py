"""No runtime can be selected for a service's model.

A service that names no runtime gets the best one of those that fit and have a format with `autoSelect`. If there is none, OME's webhook
refuses the service. `weighbridge dry-run` lists every runtime with the reason against it. Apply a runtime that supports the model, or name
one.

Source: OME v0.1.5, pkg/runtimeselector/selector.go.
"""

from typing import Final

from weighbridge.policies.families.ome.rulebook import CLASS_READS, FAILURE, REFERENCE, NotChecked, Said, Service, Violation, deployed
from weighbridge.policies.families.ome.subject.selection.choice import awaiting, nearest_misses

#: The most runtimes that a finding lists as the nearest.
_MOST: Final = 3


@deployed.error(
    about=REFERENCE | FAILURE,
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    reads=CLASS_READS,
    good="accepts-a-class-that-is-there",
    bad="warns-of-a-class-that-no-runtime-lists",
)
def check(service: Service) -> Said:
    selection, model = service.selection, service.model
    if selection is None or model is None or selection.chosen is not None or selection.blocking:
        return
    if service.missing_classes:
        # OME-013 is about a missing class, with which no runtime helps.
        return
    if service.unknown_runtimes:
        yield NotChecked(service.unknown_runtimes)
    elif selection.awaited:
        # OME-173 is about a service that the webhook refuses until then.
        if not service.is_selected_at_admission:
            yield NotChecked(awaiting(model, selection.awaited))
    else:
        yield Violation(
            ("spec", "model", "name"),
            f"no runtime can be selected for {model.title}",
            nearest="; ".join(f"{one.runtime.title}: {selection.reason(one)}" for one in nearest_misses(selection, _MOST)),
            hint="apply a runtime that supports the model with autoSelect: true, or name one in spec.runtime.name",
        )
