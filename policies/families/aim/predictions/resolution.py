"""Finds the model and the template of a service, or why the operator stops before it has both.

Source: kaiwo dbca1b55, internal/controller/aim/shared/service_{observation,status}.go; aim-engine v0.2.1, internal/aimservice/model.go,
template.go and reconcile.go.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.predictions.model import REFUSED, predict_model
from weighbridge.policies.families.aim.predictions.outcome import Service
from weighbridge.policies.families.aim.predictions.template import WAITING, named_in, predict_template
from weighbridge.policies.ground.fields import part, text


def has_model(service: Service, facts: Facts, config: Configuration) -> bool:
    """Whether a model is found; kaiwo looks for none if the service names its template."""
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
        service.stopped = model.reason != REFUSED
        return False
    if model.model is None:
        if not part(service.spec, "model", "custom"):
            service.unknown(f"the operator makes AIMModel {model.created}; what is in its image isn't known")
        return False
    return True


def has_template(service: Service, facts: Facts, config: Configuration) -> bool:
    """Whether a template is found, and it and the model are ready."""
    dialect = service.dialect
    name = service.model.name if service.model is not None else ""
    template = service.template = predict_template(service.spec, name, dialect, service.namespace, facts, config)
    if template.unknown:
        service.unknown(template.unknown)
        return False
    failure = template.failure
    if failure and not template.state:
        # aim-engine's CRD doesn't allow this status, so it never writes one.
        service.ends("", "TemplateReady", template.reason, failure)
        return False
    model_fails = _model_failed(service)
    if template.template is None:
        # A named template that doesn't exist stops everything.
        service.stopped = service.stopped or bool(dialect.is_aim_engine and failure and template.selection is None)
        if not (model_fails or (not dialect.is_aim_engine and _model_waits(service))):
            service.ends(template.state, "TemplateReady", template.reason, failure, waits=template.waits)
        return False
    if model_fails or _model_waits(service):
        return False
    if failure:
        # kaiwo takes a named template, whatever its state is.
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
