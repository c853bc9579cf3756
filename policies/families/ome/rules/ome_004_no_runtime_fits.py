"""No runtime can be selected for a service's model.

A service that names no runtime gets the best of those that fit and have a format with `autoSelect`. Where there is none, OME's webhook
refuses the service. `weighbridge dry-run` lists every runtime with the reason against it.

Source: OME v0.1.5 pkg/runtimeselector/selector.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.predictions.selection.choice import awaiting, nearest_misses
from weighbridge.policies.families.ome.rulebook import FAILURE, REFERENCE, NotChecked, Said, Serving, Violation, services
from weighbridge.policies.families.ome.rules._examples import CLASS_READS

#: Candidates whose reasons are told.
_MOST: Final = 3


@services.error(
    about=REFERENCE | FAILURE,
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    reads=CLASS_READS,
    good="warns-of-a-missing-class-that-no-runtime-lists",
    bad="warns-of-a-class-that-no-runtime-lists",
)
def check(serving: Serving) -> Said:
    if serving.is_virtual:
        return
    selection, model = serving.selection, serving.model.model
    if selection is None or model is None or selection.chosen is not None or selection.blocking:
        return
    if serving.missing_classes:
        # Of a class that isn't there another rule speaks, and no runtime is of any help.
        return
    if serving.unknown_runtimes:
        yield NotChecked(serving.unknown_runtimes)
        return
    if selection.awaited and serving.is_selected_at_admission:
        # OME-173 speaks of what the webhook refuses until then.
        return
    if selection.awaited:
        yield NotChecked(awaiting(model, selection.awaited))
        return
    reasons = [f"{one.runtime.title}: {selection.reason(one)}" for one in nearest_misses(selection, _MOST)]
    yield Violation(
        ("spec", "model", "name"),
        f"no runtime can be selected for {model.title}",
        nearest="; ".join(reasons),
        hint="apply a runtime that supports the model with autoSelect: true, or name one in spec.runtime.name",
    )
