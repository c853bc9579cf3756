"""An AIMService with all that is known of it: its configs, model and template, and the InferenceService and route that the operator makes.

Each step can end it, in the operator's own order. Sources: kaiwo dbca1b55, internal/controller/aim/aimservice_controller.go and
shared/service_{observation,status}.go; aim-engine v0.2.1, internal/aimservice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import Dialect, dialect_of
from weighbridge.policies.families.aim.predictions.configuration import RuntimeConfig, runtime_config
from weighbridge.policies.families.aim.predictions.inference import inference_service, predictor
from weighbridge.policies.families.aim.predictions.model import REFUSED, ResolvedModel, resolve_model
from weighbridge.policies.families.aim.predictions.names import LONGEST_NAMESPACE, kaiwo_runtime_name, runtime_name
from weighbridge.policies.families.aim.predictions.route import Route, http_route, route
from weighbridge.policies.families.aim.predictions.selection import Selection
from weighbridge.policies.families.aim.predictions.template import NOT_YET, WAITING, ResolvedTemplate, named_in, resolve_template
from weighbridge.policies.families.aim.predictions.volumes import volumes_of
from weighbridge.policies.families.aim.predictions.workload import Work, environment, repeats
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.prediction import condition
from weighbridge.policies.ground.field_errors import FieldError, invalid_message
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import JSONObject, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.pods.validation.deployment import deployment_errors

_SUBJECT: Final = "what AIM makes of it"
#: Where kaiwo itself runs, unless AIM_OPERATOR_NAMESPACE says otherwise.
OPERATOR_NAMESPACE: Final = "kaiwo-system"
#: Where kaiwo tells what aim-engine tells of in a condition of its own: that a service's model and template are found it tells in one.
_KAIWO_CONDITIONS: Final = {"ModelReady": "Resolved", "TemplateReady": "Resolved", "RuntimeConfigReady": "Ready"}


@dataclass(slots=True)
class Serving:
    """A service with all that was resolved for it, as far as the operator comes.

    `failure` and `waits` are empty for one that gets its InferenceService and its pods: `waits` is where the operator goes on by itself.
    `state` is what it writes into `status.status`; `refused` is what the API server has against the Deployment of KServe.
    """

    service: JSONObject
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
        return spec_of(self.service)

    @property
    def selection(self) -> Selection | None:
        """The choice among the templates, where there was one."""
        return self.template.selection if self.template is not None else None

    def ends(self, state: str, kind: str, reason: str, message: str, *, waits: bool = False) -> None:
        """The operator comes no further, or `waits` for what it writes itself; without a state it writes nothing."""
        self.state = state
        self.failure, self.waits = ("", message) if waits else (message, "")
        if not self.dialect.merges_deeply:
            kind = "RuntimeReady" if reason == NOT_YET else _KAIWO_CONDITIONS.get(kind, kind)
            reason = NOT_YET if reason == "TemplateNotReady" else reason
        self.conditions += [condition(kind, "False", reason, message)] if state else []

    def unknown(self, reason: str) -> None:
        """Something that decides isn't known."""
        self.unchecked.append(Unchecked(_SUBJECT, reason))


def serving_of(request: Request, facts: Facts, config: Configuration) -> Serving | None:
    """The service of a request, resolved once for all who ask; `None` for what has no spec, and for subresources."""
    found = request.object
    if request.subresource or not isinstance(found, dict) or not isinstance(found.get("spec"), dict):
        return None
    return request.once(Serving, lambda: _resolved(found, request, facts, config))


def _resolved(found: JSONObject, request: Request, facts: Facts, config: Configuration) -> Serving:
    dialect, namespace = dialect_of(request.gvk.group), namespace_of(found) or request.namespace or "default"
    service = _as_stored(found, namespace)
    configs = runtime_config(dialect, text(spec_of(service), "runtimeConfigName"), namespace, facts, config)
    serving = Serving(service, dialect, namespace, configs)
    for name in configs.unknown:
        serving.unknown(f"{name} isn't known, and is taken for absent")
    if part(serving.spec, "model", "custom", "hardware", "gpu").get("requests") == 0:
        # Go drops the 0 from the operator's own update, which the server then refuses.
        serving.state, serving.failure = "", "the service is never reconciled: the operator's own update of it is refused"
        serving.weight = Severity.ERROR
        return serving
    came = _has_model(serving, facts, config) and _has_template(serving, facts, config)
    if configs.is_missing:
        state, reason = ("Failed", "ReferenceNotFound") if dialect.merges_deeply else ("Degraded", "RuntimeConfigMissing")
        serving.conditions, serving.unchecked = [], []
        serving.ends(state, "RuntimeConfigReady", reason, f'runtime config "{configs.name}" not found')
    elif came:
        _runs(serving, facts)
    if not dialect.merges_deeply and serving.template is not None and serving.template.template is not None:
        serving.reference = _config_reference(serving, serving.template.template, facts, config)
    return serving


def _config_reference(serving: Serving, template: JSONObject, facts: Facts, config: Configuration) -> JSONObject | None:
    """The config that kaiwo names in the status: the service's, else its template's; cluster templates look where the operator runs."""
    found = serving.config.reference()
    if found is not None:
        return found
    namespace = namespace_of(template) or OPERATOR_NAMESPACE
    return runtime_config(serving.dialect, text(spec_of(template), "runtimeConfigName"), namespace, facts, config).reference()


def _as_stored(found: JSONObject, namespace: str) -> JSONObject:
    """The service with its namespace and its name, which a manifest may leave open."""
    metadata = metadata_of(found)
    name = name_of(found) or f"{text(metadata, 'generateName')}xxxxx"
    return {**found, "metadata": {**metadata, "namespace": namespace, "name": name}}


def _has_model(serving: Serving, facts: Facts, config: Configuration) -> bool:
    """Whether a model is found; kaiwo looks for none where the service names its template."""
    dialect = serving.dialect
    if not dialect.merges_deeply and named_in(serving.spec, dialect):
        return True
    model = serving.model = resolve_model(serving.spec, dialect, serving.namespace, facts, config)
    if model.unknown:
        serving.unknown(model.unknown)
        return False
    if model.failure:
        states = {"UnknownError": "Degraded", "ModelNotFound": "Failed" if dialect.merges_deeply else "Pending", REFUSED: "Pending"}
        kind = "DependenciesReachable" if model.reason == REFUSED else "ModelReady"
        serving.ends(states.get(model.reason, "Failed"), kind, model.reason, model.failure)
        return False
    if model.model is None:
        described = bool(part(serving.spec, "model", "custom"))
        left = "its template isn't there yet" if described else "what is in its image isn't known"
        serving.unknown(f"the operator makes AIMModel {model.created}; {left}")
        return False
    return True


def _has_template(serving: Serving, facts: Facts, config: Configuration) -> bool:
    """Whether a template is found, and it and the model are ready."""
    dialect = serving.dialect
    name = serving.model.name if serving.model is not None else ""
    template = serving.template = resolve_template(serving.spec, name, dialect, serving.namespace, facts, config)
    if template.unknown:
        serving.unknown(template.unknown)
        return False
    told = template.failure
    if told and not template.state:
        # A status that its CRD doesn't allow: nothing is ever written.
        serving.ends("", "TemplateReady", template.reason, told)
        return False
    model_fails = _model_failed(serving)
    if template.template is None:
        if not (model_fails or (not dialect.merges_deeply and _model_waits(serving))):
            serving.ends(template.state, "TemplateReady", template.reason, told, waits=template.waits)
        return False
    if model_fails or _model_waits(serving):
        return False
    if told:
        # To kaiwo a template that is named is resolved, whatever its state.
        kind = "TemplateReady" if dialect.merges_deeply else "RuntimeReady"
        serving.ends(template.state, kind, template.reason, told, waits=template.waits)
        return False
    return True


def _model_failed(serving: Serving) -> bool:
    model = serving.model
    if model is None or model.status not in ("Failed", "Degraded"):
        return False
    what = f"{text(model.model, 'kind')} {model.name} is in failed state"
    state = "Failed" if serving.dialect.merges_deeply or model.status == "Failed" else "Degraded"
    reason = "ModelNotReady" if serving.dialect.merges_deeply else f"Model{model.status}"
    serving.ends(state, "ModelReady", reason, what)
    return True


def _model_waits(serving: Serving) -> bool:
    model = serving.model
    if model is None or model.status in ("", "Ready"):
        if model is not None and not model.status:
            serving.unknown(f"{text(model.model, 'kind')} {model.name} has no status yet, and is taken for ready")
        return False
    waits = model.status in WAITING
    reason = f"Model{model.status}" if waits and not serving.dialect.merges_deeply else "ModelNotReady"
    serving.ends("Pending", "ModelReady", reason, f"{text(model.model, 'kind')} {model.name} status: {model.status}", waits=waits)
    return True


def _runs(serving: Serving, facts: Facts) -> None:
    """The operator makes its objects."""
    dialect, template = serving.dialect, serving.template
    if template is None or template.template is None:
        return
    if template.unsure:
        serving.unknown(template.unsure)
    config = serving.config.spec
    serving.route = route(serving.service, config, dialect)
    if serving.route.failure:
        serving.ends(serving.route.state, serving.route.condition, serving.route.reason, serving.route.failure)
        if not serving.route.runs_all_the_same:
            return
    if dialect.merges_deeply and len(serving.namespace) > LONGEST_NAMESPACE:
        message = f"the name of the namespace is too long: it has {len(serving.namespace)} characters, {LONGEST_NAMESPACE} is the most"
        serving.ends("Degraded", "InferenceServiceReady", "FetchError", message)
        serving.model = serving.template = None
        return
    named = runtime_name if dialect.merges_deeply else kaiwo_runtime_name
    name = named(name_of(serving.service), serving.namespace)
    model = serving.model.model if serving.model is not None else None
    work = serving.work = Work(serving.service, dialect, model or {}, template.template, config, name, facts)
    again = repeats(environment(work))
    if again:
        reason = f'.spec.predictor.containers[0].env: duplicate entries for key [name="{again[0]}"]'
        serving.ends("Starting", "DependenciesReachable", "InfrastructureError", f"Failed to apply resources: {reason}")
        serving.weight = Severity.ERROR
        return
    volumes = volumes_of(work)
    if dialect.merges_deeply and not volumes:
        serving.failure = (
            f"{text(template.template, 'kind')} {name_of(template.template)} names no model sources: no cache, and so no pod, is made"
        )
        return
    deployment = predictor(work)
    serving.refused = [error for error in deployment_errors(deployment) if _is_known(error)]
    serving.objects += [inference_service(work), *([] if serving.refused else [deployment]), *volumes]
    if serving.refused:
        # KServe tries again for ever, and the service stays Starting.
        serving.failure, serving.weight = invalid_message("Deployment", "apps", name_of(deployment), serving.refused), Severity.ERROR
    if serving.route.path and not serving.route.failure:
        serving.objects.append(http_route(work, serving.route))


def _is_known(error: FieldError) -> bool:
    """Whether what an error is about is known: KServe writes labels of its own, and takes an image from its runtime."""
    return error.field.startswith("spec.template.spec.") and not error.field.endswith("].image")
