"""What the controller creates for a Service: a LeaderWorkerSet with the flavor's limits and the model's loader, and a Service in front.

Source: llmaz 3c13ff3, pkg/controller/inference/service_controller.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmaz.kinds import BALANCER_SUFFIX, SERVICE, TEMPLATES
from weighbridge.policies.families.llmaz.operator import CONFIG, NAMESPACE, NOT_INITIALISED, SUBJECT, KnownOperator
from weighbridge.policies.families.llmaz.predictions.flavor_fit import claimed_fits, tables_of
from weighbridge.policies.families.llmaz.predictions.origins import values_of
from weighbridge.policies.families.llmaz.predictions.typed_patch import workload_refusal
from weighbridge.policies.families.llmaz.predictions.workload import balancer, leader_worker_set
from weighbridge.policies.families.llmaz.subject.owners import is_controlled_by
from weighbridge.policies.families.llmaz.subject.service import Service, service_of
from weighbridge.policies.families.prediction import Deferred, PredictedValue, Prediction, condition
from weighbridge.policies.ground.field_errors import ErrorType, FieldError, invalid_message
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.request import Request
from weighbridge.policies.pods.validation.service import service_errors

PANIC_NO_CLAIM = "runtime error: index out of range [0] with length 0"
PANIC_NO_HPA = "runtime error: invalid memory address or nil pointer dereference"


@dataclass(slots=True)
class ServiceOutcome:
    """The outcome for a Service: the objects that the controller creates, or the error that it repeats, with the severity `weight`."""

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
    service = service_of(request, facts, config)
    if service is None:
        return None
    outcome = outcome_of(service.object, service, facts)
    return Prediction(
        status=outcome.status,
        objects=outcome.objects,
        values=Deferred(lambda: [*scheduler_values(service.object, service.operator), *values_of(service, outcome.objects)]),
        settings=service.operator.settings(),
        failure=outcome.failure,
        weight=outcome.weight,
        unchecked=[*outcome.unchecked, *_of_settings(service)],
        tables=lambda: tables_of(claimed_fits(service, facts, config), service.operator.scheduler),
    )


def outcome_of(manifest: JSONObject, service: Service, facts: Facts) -> ServiceOutcome:
    """What the controller creates from a Service's manifest; `service` is this Service, or the Playground that it comes from."""
    if service.operator.trouble:
        # In a cluster without these settings llmaz isn't installed yet.
        return ServiceOutcome(failure=NOT_INITIALISED, weight=Severity.WARNING if service.operator.is_there else Severity.NOTE)
    if not service.claims.models:
        return ServiceOutcome(failure=f"panic: {PANIC_NO_CLAIM}", weight=Severity.ERROR)
    if service.missing:
        return ServiceOutcome(failure=f'OpenModel.llmaz.io "{service.missing[0].name}" not found')
    if service.unknown:
        named = service.unknown[0].name
        return ServiceOutcome(unchecked=[Unchecked(SUBJECT, f"OpenModel {named} isn't known")])
    sources = service.sources
    if len(sources) < len(service.claims.models):
        return ServiceOutcome(unchecked=[Unchecked(SUBJECT, "the source of a model can't be read")])
    if not service.skips and any(source.has_loader for source in sources) and _has_empty_template(manifest):
        return ServiceOutcome(failure=f"panic: {PANIC_NO_CLAIM}", weight=Severity.ERROR)
    workload = leader_worker_set(manifest, service)
    if refused := workload_refusal(workload) or _schema_refusal(workload):
        return ServiceOutcome(failure=refused, weight=Severity.ERROR)
    if foreign_balancer(service, facts) is not None:
        return ServiceOutcome([workload])
    front = balancer(service)
    if errors := list(service_errors(front)):
        return ServiceOutcome([workload], invalid_message("Service", "", name_of(front), errors), weight=Severity.ERROR)
    return ServiceOutcome([workload, front])


def _schema_refusal(workload: JSONObject) -> str:
    """The refusal of a LeaderWorkerSet with a template without containers, whose empty list the controller leaves out."""
    templates = part(workload, "spec", "leaderWorkerTemplate")
    errors = [
        FieldError(ErrorType.REQUIRED, f"spec.leaderWorkerTemplate.{name}.spec.containers")
        for name in TEMPLATES
        if name in templates and not items(templates, name, "spec", "containers")
    ]
    return invalid_message("LeaderWorkerSet", "leaderworkerset.x-k8s.io", name_of(workload), errors) if errors else ""


def foreign_balancer(service: Service, facts: Facts) -> JSONObject | None:
    """A Kubernetes Service that has the name of the one in front of the pods and wasn't created by llmaz; the controller leaves it as it
    is.
    """
    found = facts.objects.get("", "Service", service.namespace, f"{service.name}{BALANCER_SUFFIX}")
    if not isinstance(found, dict):
        return None
    return None if is_controlled_by(found, SERVICE.kind, service.name) else found


def scheduler_values(manifest: JSONObject, operator: KnownOperator) -> Iterator[PredictedValue]:
    """The scheduler that the controller writes into the templates of a Service, before it looks at its models."""
    if operator.trouble or not operator.scheduler:
        return
    templates, whole = part(spec_of(manifest), "workloadTemplate"), f"Service/{name_of(manifest)}"
    for name in TEMPLATES:
        if isinstance(templates.get(name), dict) and not text(part(templates, name, "spec"), "schedulerName"):
            path = f"spec.workloadTemplate.{name}.spec.schedulerName"
            yield PredictedValue(whole, path, operator.scheduler, operator.scheduler_origin, "the controller writes it where it is open")


def _has_empty_template(manifest: JSONObject) -> bool:
    """Whether a template has no container; the loader takes the variables of the first."""
    templates = part(spec_of(manifest), "workloadTemplate")
    return any(isinstance(templates.get(name), dict) and not items(templates, name, "spec", "containers") for name in TEMPLATES)


def _of_settings(service: Service) -> list[Unchecked]:
    if service.operator.is_known:
        return []
    if not service.operator.is_readable:
        reason = f"ConfigMap {CONFIG} of {NAMESPACE} has a form of YAML that isn't read here; upstream's settings are taken"
        return [Unchecked(SUBJECT, reason)]
    return [Unchecked(SUBJECT, f"ConfigMap {CONFIG} of {NAMESPACE} isn't known; upstream's settings are taken")]
