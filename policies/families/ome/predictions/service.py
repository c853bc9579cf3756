"""What becomes of an InferenceService: the model, the runtime and the accelerator classes that it gets.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.ome.predictions.accelerators import ClassChoice
from weighbridge.policies.families.ome.predictions.failures import failure_of
from weighbridge.policies.families.ome.predictions.merge.created_objects import Made, made_of
from weighbridge.policies.families.ome.predictions.merge.placed_workloads import placeable
from weighbridge.policies.families.ome.predictions.merge.pod_webhook import as_admitted, goes_by_settings, templates_of
from weighbridge.policies.families.ome.predictions.merge.tables import pod_tables
from weighbridge.policies.families.ome.predictions.selection.choice import awaiting, nearest_misses
from weighbridge.policies.families.ome.subject.service import Serving, serving_of
from weighbridge.policies.families.prediction import Deferred, PredictedValue, Prediction, Table, choice_table
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.request import Request

_SUBJECT = "what OME makes of it"


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction of a service; `None` for what has no spec, and for subresources."""
    serving = serving_of(request, facts, config)
    if serving is None:
        return None
    made, model = made_of(request, facts, config), serving.model.model
    objects = made.objects if made is not None else []
    failure = failure_of(serving) or (made.failure if made is not None else "")
    waits = awaiting(model, serving.awaited) if model is not None and serving.awaited and not failure and not serving.is_virtual else ""
    return Prediction(
        status={},
        objects=objects,
        values=Deferred(lambda: [*_choices(serving), *(made.values() if made is not None else ())]),
        failure=failure,
        weight=Severity.ERROR if made is not None and made.is_refused else Severity.WARNING,
        waits=waits,
        placed=(lambda: placeable([as_admitted(obj) for obj in objects], model, facts)) if model is not None else None,
        unchecked=[Unchecked(_SUBJECT, reason) for reason in (*_unknown(serving), *_unmade(made), *_unread(objects))],
        tables=lambda: [*_tables(serving), *(pod_tables(made.values()) if made is not None else ())],
    )


def _tables(serving: Serving) -> Iterator[Table]:
    """The runtimes that OME selects among, the best first, each with the reason against it."""
    selection = serving.selection
    if selection is not None and selection.candidates and not serving.is_virtual:
        fitting = [one for one in selection.candidates if one.is_selectable]
        others = [one for one in nearest_misses(selection, len(selection.candidates)) if not one.is_selectable]
        rows = [
            (one.runtime.name, one.runtime.scope, str(one.score) if one.is_selectable else "", selection.reason(one) or "selected")
            for one in (*fitting, *others)
        ]
        columns, chosen = ("runtime", "scope", "score", "outcome"), int(selection.chosen is not None)
        yield choice_table(f"runtimes for {selection.model.title}:", columns, rows, chosen, len(fitting) - chosen)


def _unknown(serving: Serving) -> Iterator[str]:
    """What decides and isn't known."""
    if serving.model.unknown:
        yield serving.model.unknown
    if serving.named is None and serving.unknown_runtimes:
        yield serving.unknown_runtimes
    elif serving.named is not None and serving.named.unknown:
        yield serving.named.unknown
    for choice in serving.classes.values():
        if choice.unknown:
            yield choice.unknown


def _unmade(made: Made | None) -> Iterator[str]:
    """What keeps the workloads from being told."""
    if made is not None and made.unknown:
        yield made.unknown


def _unread(objects: Sequence[JSONObject]) -> Iterator[str]:
    """The settings that decide what becomes of the pods."""
    if any(goes_by_settings(template) for obj in objects for _, template in templates_of(obj)):
        yield "ConfigMap inferenceservice-config isn't read; the pods are those of OME's own installation"


def _choices(serving: Serving) -> Iterator[PredictedValue]:
    """What was chosen, by what, and what of the rest was left out."""
    what = f"InferenceService {serving.name}"
    model = serving.model.model
    if model is not None:
        reason = "of the namespace, before the cluster" if model.namespace else "of the cluster"
        yield PredictedValue(what, "model", model.title, f"{what} spec.model.name", reason)
    runtime = serving.runtime
    if runtime is not None:
        source = "selection" if serving.is_auto_selected else f"{what} spec.runtime.name"
        best = serving.selection.best if serving.selection is not None else None
        reason = f"score {best.score}" if best is not None else "named"
        yield PredictedValue(what, "runtime", runtime.title, source, reason)
    for choice in serving.classes.values():
        yield from _class_values(what, choice)


def _class_values(what: str, choice: ClassChoice) -> Iterator[PredictedValue]:
    field = f"acceleratorClass of {choice.component}"
    if choice.name:
        source = f"{what} {'.'.join(map(str, choice.path))}"
        yield PredictedValue(what, field, choice.name, source, f"policy {choice.policy}" if choice.policy else "named")
    for name, reason in choice.left_out:
        yield PredictedValue(what, field, "", f"AcceleratorClass {name}", f"left out: {reason}")
