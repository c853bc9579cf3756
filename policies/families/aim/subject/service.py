"""An AIMService with all that is known of it: its configs, model and template, and the InferenceService and route that the operator makes.

The steps are in the operator's own order, and it may stop at each.

Source: kaiwo dbca1b55, internal/controller/aim/aimservice_controller.go and shared/service_{observation,status}.go; aim-engine v0.2.1,
internal/aimservice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import Dialect, dialect_of
from weighbridge.policies.families.aim.predictions.configuration import RuntimeConfig, runtime_config
from weighbridge.policies.families.aim.predictions.inference import inference_service, predictor
from weighbridge.policies.families.aim.predictions.model import REFUSED, ResolvedModel, predict_model
from weighbridge.policies.families.aim.predictions.names import LONGEST_NAMESPACE, kaiwo_runtime_name, runtime_name
from weighbridge.policies.families.aim.predictions.route import Route, http_route, route
from weighbridge.policies.families.aim.predictions.selection import Selection
from weighbridge.policies.families.aim.predictions.template import NOT_YET, WAITING, ResolvedTemplate, named_in, predict_template
from weighbridge.policies.families.aim.predictions.volumes import volumes_of
from weighbridge.policies.families.aim.predictions.workload import Work, environment, repeats
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.prediction import condition
from weighbridge.policies.ground.field_errors import FieldError, invalid_message
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, lookup, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.request import Request
from weighbridge.policies.pods.validation.deployment import deployment_errors

_SUBJECT: Final = "what AIM does with it"
#: Where kaiwo itself runs, unless AIM_OPERATOR_NAMESPACE says otherwise.
OPERATOR_NAMESPACE: Final = "kaiwo-system"
#: kaiwo's conditions for those of aim-engine; one says both that the model and that the template of a service are found.
_KAIWO_CONDITIONS: Final = {"ModelReady": "Resolved", "TemplateReady": "Resolved", "RuntimeConfigReady": "Ready"}


@dataclass(slots=True)
class Service:
    """A service with all that the operator finds for it, as far as it gets.

    `stored` is the service as it is or will be stored. `failure` says why it gets no InferenceService or no pods; `waits` says it where the
    operator goes on by itself. `state` is what the operator writes into `status.status`; `refused` are the API server's errors about the
    Deployment of KServe.
    """

    stored: JSONObject
    dialect: Dialect
    namespace: str
    config: RuntimeConfig
    model: ResolvedModel | None = None
    template: ResolvedTemplate | None = None
    work: Work | None = None
    route: Route | None = None
    state: str = "Starting"
    failure: str = ""
    weight: Severity = Severity.WARNING
    waits: str = ""
    refused: Sequence[FieldError] = ()
    reference: JSONObject | None = None
    conditions: list[JSONObject] = field(default_factory=list)
    unchecked: list[Unchecked] = field(default_factory=list)
    objects: list[JSONObject] = field(default_factory=list)

    @property
    def spec(self) -> JSONObject:
        """The service's spec."""
        return spec_of(self.stored)

    @property
    def template_name(self) -> str:
        """The template that the spec names, as it is written; empty where it names none."""
        name = lookup(self.spec, self.dialect.template)
        return name if isinstance(name, str) and name.strip() else ""

    @property
    def asked_route(self) -> Route:
        """The route that the service asks for, whether or not the operator comes that far."""
        return route(self.stored, self.config.spec, self.dialect)

    @property
    def selection(self) -> Selection | None:
        """The choice among the templates, if there was one."""
        return self.template.selection if self.template is not None else None

    def ends(self, state: str, kind: str, reason: str, message: str, *, waits: bool = False) -> None:
        """The operator stops here, or `waits` for what it writes itself; without a state it writes nothing."""
        self.state = state
        self.failure, self.waits = ("", message) if waits else (message, "")
        if not self.dialect.is_aim_engine:
            kind = "RuntimeReady" if reason == NOT_YET else _KAIWO_CONDITIONS.get(kind, kind)
            reason = NOT_YET if reason == "TemplateNotReady" else reason
        self.conditions += [condition(kind, "False", reason, message)] if state else []

    def unknown(self, reason: str) -> None:
        """Something that the outcome depends on isn't known."""
        self.unchecked.append(Unchecked(_SUBJECT, reason))


def service_of(request: Request, facts: Facts, config: Configuration) -> Service | None:
    """The service of a request, predicted once; `None` for a subresource, and for an object without a spec."""
    found = request.object
    if request.subresource or not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        return None
    return request.once(Service, lambda: _predicted(found, request, facts, config))


def work_of(request: Request, facts: Facts, config: Configuration) -> Work | None:
    """What the service of a request runs; `None` where the operator doesn't come that far."""
    service = service_of(request, facts, config)
    return service.work if service is not None else None


def _predicted(found: JSONObject, request: Request, facts: Facts, config: Configuration) -> Service:
    dialect, namespace = dialect_of(request.gvk.group), namespace_of(found) or request.namespace or "default"
    stored = _as_stored(found, namespace)
    configs = runtime_config(dialect, text(spec_of(stored), "runtimeConfigName"), namespace, facts, config)
    service = Service(stored, dialect, namespace, configs)
    for name in configs.unknown:
        service.unknown(f"{name} isn't known, and is taken for absent")
    if part(service.spec, "model", "custom", "hardware", "gpu").get("requests") == 0:
        # Go drops the 0 from the operator's own update, which the server then refuses.
        service.state, service.failure = "", "the service is never reconciled: the operator's own update of it is refused"
        service.weight = Severity.ERROR
        return service
    came = _has_model(service, facts, config) and _has_template(service, facts, config)
    if configs.is_missing:
        state, reason = ("Failed", "ReferenceNotFound") if dialect.is_aim_engine else ("Degraded", "RuntimeConfigMissing")
        service.conditions, service.unchecked = [], []
        service.ends(state, "RuntimeConfigReady", reason, f'runtime config "{configs.name}" not found')
    elif came:
        _runs(service, facts)
    if not dialect.is_aim_engine and service.template is not None and service.template.template is not None:
        service.reference = _config_reference(service, service.template.template, facts, config)
    return service


def _config_reference(service: Service, template: JSONObject, facts: Facts, config: Configuration) -> JSONObject | None:
    """The config that kaiwo names in the status: the service's, else its template's; cluster templates look where the operator runs."""
    found = service.config.reference()
    if found is not None:
        return found
    namespace = namespace_of(template) or OPERATOR_NAMESPACE
    return runtime_config(service.dialect, text(spec_of(template), "runtimeConfigName"), namespace, facts, config).reference()


def _as_stored(found: JSONObject, namespace: str) -> JSONObject:
    """The service with its namespace and its name, which a manifest may leave open."""
    metadata = metadata_of(found)
    name = name_of(found) or f"{text(metadata, 'generateName')}xxxxx"
    return {**found, "metadata": {**metadata, "namespace": namespace, "name": name}}


def _has_model(service: Service, facts: Facts, config: Configuration) -> bool:
    """Whether a model is found; kaiwo looks for none where the service names its template."""
    dialect = service.dialect
    if not dialect.is_aim_engine and named_in(service.spec, dialect):
        return True
    model = service.model = predict_model(service.spec, dialect, service.namespace, facts, config)
    if model.unknown:
        service.unknown(model.unknown)
        return False
    if model.failure:
        states = {"UnknownError": "Degraded", "ModelNotFound": "Failed" if dialect.is_aim_engine else "Pending", REFUSED: "Pending"}
        kind = "DependenciesReachable" if model.reason == REFUSED else "ModelReady"
        service.ends(states.get(model.reason, "Failed"), kind, model.reason, model.failure)
        return False
    if model.model is None:
        described = bool(part(service.spec, "model", "custom"))
        left = "its template isn't there yet" if described else "what is in its image isn't known"
        service.unknown(f"the operator makes AIMModel {model.created}; {left}")
        return False
    return True


def _has_template(service: Service, facts: Facts, config: Configuration) -> bool:
    """Whether a template is found, and it and the model are ready."""
    dialect = service.dialect
    name = service.model.name if service.model is not None else ""
    template = service.template = predict_template(service.spec, name, dialect, service.namespace, facts, config)
    if template.unknown:
        service.unknown(template.unknown)
        return False
    failure = template.failure
    if failure and not template.state:
        # A status that its CRD doesn't allow: nothing is ever written.
        service.ends("", "TemplateReady", template.reason, failure)
        return False
    model_fails = _model_failed(service)
    if template.template is None:
        if not (model_fails or (not dialect.is_aim_engine and _model_waits(service))):
            service.ends(template.state, "TemplateReady", template.reason, failure, waits=template.waits)
        return False
    if model_fails or _model_waits(service):
        return False
    if failure:
        # kaiwo takes a template that is named, whatever its state.
        kind = "TemplateReady" if dialect.is_aim_engine else "RuntimeReady"
        service.ends(template.state, kind, template.reason, failure, waits=template.waits)
        return False
    return True


def _model_failed(service: Service) -> bool:
    model = service.model
    if model is None or model.status not in ("Failed", "Degraded"):
        return False
    what = f"{text(model.model, 'kind')} {model.name} is in failed state"
    state = "Failed" if service.dialect.is_aim_engine or model.status == "Failed" else "Degraded"
    reason = "ModelNotReady" if service.dialect.is_aim_engine else f"Model{model.status}"
    service.ends(state, "ModelReady", reason, what)
    return True


def _model_waits(service: Service) -> bool:
    model = service.model
    if model is None or model.status in ("", "Ready"):
        if model is not None and not model.status:
            service.unknown(f"{text(model.model, 'kind')} {model.name} has no status yet, and is taken for ready")
        return False
    waits = model.status in WAITING
    reason = f"Model{model.status}" if waits and not service.dialect.is_aim_engine else "ModelNotReady"
    service.ends("Pending", "ModelReady", reason, f"{text(model.model, 'kind')} {model.name} status: {model.status}", waits=waits)
    return True


def _runs(service: Service, facts: Facts) -> None:
    """Add the objects that the operator makes."""
    dialect, template = service.dialect, service.template
    if template is None or template.template is None:
        return
    if template.unsure:
        service.unknown(template.unsure)
    config = service.config.spec
    service.route = service.asked_route
    if service.route.failure:
        service.ends(service.route.state, service.route.condition, service.route.reason, service.route.failure)
        if not service.route.runs_all_the_same:
            return
    if dialect.is_aim_engine and len(service.namespace) > LONGEST_NAMESPACE:
        message = f"the name of the namespace is too long: it has {len(service.namespace)} characters, {LONGEST_NAMESPACE} is the most"
        service.ends("Degraded", "InferenceServiceReady", "FetchError", message)
        service.model = service.template = None
        return
    named = runtime_name if dialect.is_aim_engine else kaiwo_runtime_name
    name = named(name_of(service.stored), service.namespace)
    model = service.model.model if service.model is not None else None
    work = service.work = Work(service.stored, dialect, model or {}, template.template, config, name, facts)
    again = repeats(environment(work))
    if again:
        reason = f'.spec.predictor.containers[0].env: duplicate entries for key [name="{again[0]}"]'
        service.ends("Starting", "DependenciesReachable", "InfrastructureError", f"Failed to apply resources: {reason}")
        service.weight = Severity.ERROR
        return
    volumes = volumes_of(work)
    if dialect.is_aim_engine and not volumes:
        service.failure = (
            f"{text(template.template, 'kind')} {name_of(template.template)} names no model sources: no cache, and so no pod, is made"
        )
        return
    deployment = predictor(work)
    service.refused = [error for error in deployment_errors(deployment) if _is_known(error)]
    service.objects += [inference_service(work), *([] if service.refused else [deployment]), *volumes]
    if service.refused:
        # KServe tries again without end, and the service stays Starting.
        service.failure, service.weight = invalid_message("Deployment", "apps", name_of(deployment), service.refused), Severity.ERROR
    if service.route.path and not service.route.failure:
        service.objects.append(http_route(work, service.route))


def _is_known(error: FieldError) -> bool:
    """Whether the field of an error is known here: KServe writes labels of its own, and takes an image from its runtime."""
    return error.field.startswith("spec.template.spec.") and not error.field.endswith("].image")
