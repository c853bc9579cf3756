"""The prediction of an InferenceService, with the model, the runtime and the accelerator classes that it gets.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.ome.operator import KnownOperator, operator_of
from weighbridge.policies.families.ome.predictions.failures import failure_of
from weighbridge.policies.families.ome.predictions.merge.created_objects import Workloads, workloads_of
from weighbridge.policies.families.ome.predictions.merge.placed_workloads import placeable, wherever_it_comes
from weighbridge.policies.families.ome.predictions.merge.pod_webhook import as_admitted, goes_by_settings, templates_of
from weighbridge.policies.families.ome.predictions.merge.tables import added_tables, pod_tables
from weighbridge.policies.families.ome.subject.accelerator_choice import ClassChoice
from weighbridge.policies.families.ome.subject.selection.choice import awaiting, nearest_misses
from weighbridge.policies.families.ome.subject.service import Service, service_of
from weighbridge.policies.families.prediction import Deferred, PredictedValue, Prediction, Table, choice_table
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.request import Request

_SUBJECT = "what OME does with it"


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction of a service; `None` without a spec, and for subresources."""
    service = service_of(request, facts, config)
    if service is None:
        return None
    workloads, model = workloads_of(request, facts, config), service.model
    objects = workloads.objects if workloads is not None else []
    operator = operator_of(facts)
    failure = failure_of(service) or (workloads.failure if workloads is not None else "")

    stored: list[JSONObject] = []

    def admitted() -> list[JSONObject]:
        if not stored:
            stored.extend(as_admitted(obj, operator.settings) for obj in objects)
        return stored

    waits = awaiting(model, service.awaited) if model is not None and service.awaited and not failure and not service.is_virtual else ""
    return Prediction(
        status={},
        objects=Deferred(workloads.whole_objects, len(objects)) if workloads is not None and objects else [],
        values=Deferred(lambda: [*_choices(service), *(workloads.values() if workloads is not None else ())]),
        failure=failure,
        weight=Severity.ERROR if operator.refusal or (workloads is not None and workloads.is_refused) else Severity.WARNING,
        waits=waits,
        placed=(lambda: placeable(admitted(), model, facts)) if model is not None else None,
        together=(lambda: wherever_it_comes(admitted(), model)) if model is not None else None,
        unchecked=[Unchecked(_SUBJECT, reason) for reason in (*_unknown(service), *_unmade(workloads), *_unread(objects, operator))],
        tables=lambda: [*_tables(service), *_tables_of_pods(workloads)],
    )


def _tables(service: Service) -> Iterator[Table]:
    """A table of the runtimes among which OME selects, the best first, each with the reason against it."""
    selection = service.selection
    if selection is not None and selection.candidates and not service.is_virtual:
        fitting = [one for one in selection.candidates if one.is_selectable]
        others = [one for one in nearest_misses(selection, len(selection.candidates)) if not one.is_selectable]
        rows = [
            (one.runtime.name, one.runtime.scope, str(one.score) if one.is_selectable else "", selection.reason(one) or "selected")
            for one in (*fitting, *others)
        ]
        columns, chosen = ("runtime", "scope", "score", "outcome"), int(selection.chosen is not None)
        yield choice_table(f"runtimes for {selection.model.title}:", columns, rows, chosen, len(fitting) - chosen)


def _tables_of_pods(workloads: Workloads | None) -> Iterator[Table]:
    """Tables of the merged values in the pods of each workload, and of the values that OME's webhook adds."""
    values = list(workloads.values()) if workloads is not None else []
    yield from pod_tables(values)
    yield from added_tables(values)


def _unknown(service: Service) -> Iterator[str]:
    """The unknown facts on which the outcome depends."""
    if service.model_reference.unknown:
        yield service.model_reference.unknown
    if service.named is None and service.unknown_runtimes:
        yield service.unknown_runtimes
    elif service.named is not None and service.named.unknown:
        yield service.named.unknown
    for choice in service.classes.values():
        if choice.unknown:
            yield choice.unknown


def _unmade(workloads: Workloads | None) -> Iterator[str]:
    """Why the workloads can't be predicted."""
    if workloads is not None:
        yield from filter(None, (workloads.unknown, *dict.fromkeys(workloads.assumed)))


def _unread(objects: Sequence[JSONObject], operator: KnownOperator) -> Iterator[str]:
    """The unknown settings on which the pods depend."""
    if not operator.is_known and any(goes_by_settings(template) for obj in objects for _, template in templates_of(obj)):
        yield "ConfigMap inferenceservice-config isn't known; the prediction assumes OME's default settings"


def _choices(service: Service) -> Iterator[PredictedValue]:
    """The choices of runtime and class: the chosen one, what decided, and why not the others."""
    what = f"InferenceService {service.name}"
    model = service.model
    if model is not None:
        reason = "of the namespace, before the cluster" if model.namespace else "of the cluster"
        yield PredictedValue(what, "model", model.title, f"{what} spec.model.name", reason)
    runtime = service.runtime
    if runtime is not None:
        source = "selection" if service.is_auto_selected else f"{what} spec.runtime.name"
        best = service.selection.best if service.selection is not None else None
        reason = f"score {best.score}" if best is not None else "named"
        yield PredictedValue(what, "runtime", runtime.title, source, reason)
    for choice in service.classes.values():
        yield from _class_values(what, choice)


def _class_values(what: str, choice: ClassChoice) -> Iterator[PredictedValue]:
    field = f"acceleratorClass of {choice.component}"
    if choice.name:
        source = f"{what} {'.'.join(map(str, choice.path))}"
        yield PredictedValue(what, field, choice.name, source, f"policy {choice.policy}" if choice.policy else "named")
    for name, reason in choice.left_out:
        yield PredictedValue(what, field, "", f"AcceleratorClass {name}", f"left out: {reason}")
