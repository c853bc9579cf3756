"""What the controller makes of a Service: a LeaderWorkerSet with the flavor's limits and the model's loader, and a Service in front of it.

Source: llmaz 3c13ff3, pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import spec_of
from policies.families.llmaz.kinds import RUNNER
from policies.families.llmaz.operator import CONFIG, NAMESPACE, NOT_INITIALISED, SUBJECT
from policies.families.llmaz.predictions.flavor_fit import fits_of, tables_of
from policies.families.llmaz.predictions.origins import values_of
from policies.families.llmaz.predictions.stored import rewritten_values
from policies.families.llmaz.predictions.workload import balancer, duplicates, leader_worker_set
from policies.families.llmaz.subject.flavors import considered
from policies.families.llmaz.subject.service import Reading, reading_of
from policies.families.prediction import Deferred, Effective, condition
from policies.ground.fields import items, part, text
from policies.ground.findings import Severity, Unchecked
from policies.ground.objects import JSONObject
from policies.ground.request import Request

PANIC_NO_CLAIM = "runtime error: index out of range [0] with length 0"
PANIC_NO_HPA = "runtime error: invalid memory address or nil pointer dereference"


@dataclass(slots=True)
class Outcome:
    """What becomes of a Service: the objects that are made, whether its status is written, and the error that the controller repeats.

    `weight` is how much that weighs.
    """

    objects: list[JSONObject] = field(default_factory=list)
    failure: str = ""
    is_panic: bool = False
    weight: Severity = Severity.WARNING
    unchecked: list[Unchecked] = field(default_factory=list)

    @property
    def status(self) -> JSONObject:
        """The status; nothing while the controller fails."""
        if self.failure or not self.objects:
            return {}
        return {"conditions": [condition("Progressing", "True", "ServiceInProgress", "Inference Service is progressing")], "replicas": 0}


def resolve(request: Request, facts: Facts, config: Configuration) -> Effective | None:
    """The prediction of a Service."""
    reading = reading_of(request, facts, config)
    if reading is None:
        return None
    outcome = outcome_of(reading.object, reading)
    return Effective(
        status=outcome.status,
        objects=outcome.objects,
        values=Deferred(lambda: [*rewritten_values(request, facts, f"Service/{reading.name}"), *values_of(reading, outcome.objects)]),
        settings=reading.operator.settings(),
        failure=outcome.failure,
        weight=outcome.weight,
        unchecked=[*outcome.unchecked, *_of_settings(reading)],
        tables=lambda: tables_of(
            fits_of(considered(reading.claims, reading.flavors), facts, config, reading.namespace, reading.own_limits),
            reading.operator.scheduler,
        ),
    )


def outcome_of(service: JSONObject, reading: Reading) -> Outcome:
    """What the controller makes of `service`; `reading` is of it, or of the Playground that it was made of."""
    if reading.operator.trouble:
        # A cluster without any settings doesn't have llmaz yet.
        return Outcome(failure=NOT_INITIALISED, weight=Severity.WARNING if reading.operator.is_there else Severity.NOTE)
    if not reading.claims.models:
        return Outcome(failure=f"panic: {PANIC_NO_CLAIM}", is_panic=True, weight=Severity.ERROR)
    if reading.missing:
        return Outcome(failure=f'OpenModel.llmaz.io "{reading.missing[0].name}" not found')
    if reading.unknown:
        named = reading.unknown[0].name
        return Outcome(unchecked=[Unchecked(SUBJECT, f"OpenModel {named} isn't known")])
    if not reading.skips and any(source.has_loader for source in reading.sources) and _has_empty_template(service):
        return Outcome(failure=f"panic: {PANIC_NO_CLAIM}", is_panic=True, weight=Severity.ERROR)
    workload = leader_worker_set(service, reading)
    again = duplicates(workload)
    if again:
        what = f"{reading.namespace}/{reading.name}; leaderworkerset.x-k8s.io/v1, Kind=LeaderWorkerSet"
        return Outcome(failure=f"failed to create typed patch object ({what}): {again}", weight=Severity.ERROR)
    front = balancer(reading)
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


def _of_settings(reading: Reading) -> list[Unchecked]:
    if reading.operator.is_known:
        return []
    return [Unchecked(SUBJECT, f"ConfigMap {CONFIG} of {NAMESPACE} isn't known; upstream's settings are taken")]
