"""What the controller makes of a Service: a LeaderWorkerSet with the flavor's limits and the model's loader, and a Service in front of it.

Source: llmaz 3c13ff3, pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmaz.kinds import RUNNER
from weighbridge.policies.families.llmaz.operator import CONFIG, NAMESPACE, NOT_INITIALISED, SUBJECT
from weighbridge.policies.families.llmaz.predictions.flavor_fit import fits_of, tables_of
from weighbridge.policies.families.llmaz.predictions.origins import values_of
from weighbridge.policies.families.llmaz.predictions.stored import rewritten_values
from weighbridge.policies.families.llmaz.predictions.workload import balancer, duplicates, leader_worker_set
from weighbridge.policies.families.llmaz.subject.flavors import considered
from weighbridge.policies.families.llmaz.subject.service import Serving, serving_of
from weighbridge.policies.families.prediction import Deferred, Prediction, condition
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.request import Request

PANIC_NO_CLAIM = "runtime error: index out of range [0] with length 0"
PANIC_NO_HPA = "runtime error: invalid memory address or nil pointer dereference"


@dataclass(slots=True)
class Outcome:
    """What becomes of a Service: the objects that are made, whether its status is written, and the error that the controller repeats.

    `weight` is how much that weighs.
    """

    objects: list[JSONObject] = field(default_factory=list)
    failure: str = ""
    weight: Severity = Severity.WARNING
    unchecked: list[Unchecked] = field(default_factory=list)

    @property
    def status(self) -> JSONObject:
        """The status; nothing while the controller fails."""
        if self.failure or not self.objects:
            return {}
        return {"conditions": [condition("Progressing", "True", "ServiceInProgress", "Inference Service is progressing")], "replicas": 0}


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction of a Service."""
    serving = serving_of(request, facts, config)
    if serving is None:
        return None
    outcome = outcome_of(serving.object, serving)
    return Prediction(
        status=outcome.status,
        objects=outcome.objects,
        values=Deferred(lambda: [*rewritten_values(request, facts, f"Service/{serving.name}"), *values_of(serving, outcome.objects)]),
        settings=serving.operator.settings(),
        failure=outcome.failure,
        weight=outcome.weight,
        unchecked=[*outcome.unchecked, *_of_settings(serving)],
        tables=lambda: tables_of(
            fits_of(considered(serving.claims, serving.flavors), facts, config, serving.namespace, serving.own_limits),
            serving.operator.scheduler,
        ),
    )


def outcome_of(service: JSONObject, serving: Serving) -> Outcome:
    """What the controller makes of `service`; `reading` is of it, or of the Playground that it was made of."""
    if serving.operator.trouble:
        # A cluster without any settings doesn't have llmaz yet.
        return Outcome(failure=NOT_INITIALISED, weight=Severity.WARNING if serving.operator.is_there else Severity.NOTE)
    if not serving.claims.models:
        return Outcome(failure=f"panic: {PANIC_NO_CLAIM}", weight=Severity.ERROR)
    if serving.missing:
        return Outcome(failure=f'OpenModel.llmaz.io "{serving.missing[0].name}" not found')
    if serving.unknown:
        named = serving.unknown[0].name
        return Outcome(unchecked=[Unchecked(SUBJECT, f"OpenModel {named} isn't known")])
    if not serving.skips and any(source.has_loader for source in serving.sources) and _has_empty_template(service):
        return Outcome(failure=f"panic: {PANIC_NO_CLAIM}", weight=Severity.ERROR)
    workload = leader_worker_set(service, serving)
    again = duplicates(workload)
    if again:
        what = f"{serving.namespace}/{serving.name}; leaderworkerset.x-k8s.io/v1, Kind=LeaderWorkerSet"
        return Outcome(failure=f"failed to create typed patch object ({what}): {again}", weight=Severity.ERROR)
    front = balancer(serving)
    if len(front["metadata"]["name"]) > 63:
        name = front["metadata"]["name"]
        told = f'Service "{name}" is invalid: metadata.name: Invalid value: "{name}": must be no more than 63 characters'
        return Outcome([workload], told, weight=Severity.ERROR)
    return Outcome([workload, front])


def _has_empty_template(service: JSONObject) -> bool:
    """Whether a template has no container, of whose first one the loader takes the variables."""
    templates = part(spec_of(service), "workloadTemplate")
    return any(
        isinstance(templates.get(name), dict) and not items(templates, name, "spec", "containers")
        for name in ("leaderTemplate", "workerTemplate")
    )


def has_runner(service: JSONObject, template: str) -> bool:
    """Whether a template of a Service has the container that llmaz fills in."""
    found = items(part(spec_of(service), "workloadTemplate", template), "spec", "containers")
    return any(text(container, "name") == RUNNER for container in found)


def _of_settings(serving: Serving) -> list[Unchecked]:
    if serving.operator.is_known:
        return []
    return [Unchecked(SUBJECT, f"ConfigMap {CONFIG} of {NAMESPACE} isn't known; upstream's settings are taken")]
