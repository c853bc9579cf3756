"""The prediction of an AIMService: its status, the objects that the operator creates, and where their values come from.

Sources: kaiwo dbca1b55, internal/controller/aim/shared/service_status.go; aim-engine v0.2.1, internal/aimservice.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.dialect import is_paused
from weighbridge.policies.families.aim.predictions.inference import values
from weighbridge.policies.families.aim.predictions.predicted_service import Service, service_of
from weighbridge.policies.families.aim.predictions.service_layer import ServiceConfig
from weighbridge.policies.families.aim.predictions.tables import tables
from weighbridge.policies.families.prediction import Deferred, PredictedValue, Prediction
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.request import Request


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction of a service."""
    service = service_of(request, facts, config)
    if service is None:
        return None
    layer = ServiceConfig(service.stored, service.config)
    return Prediction(
        status=_status(service),
        objects=Deferred(lambda: service.objects) if service.made else [],
        placed=lambda: service.placed,
        values=Deferred(lambda: [*layer.values(), *_values(service)]),
        failure=service.failure,
        weight=service.weight,
        waits=service.waits,
        unchecked=service.unchecked,
        tables=lambda: tables(service.config, service.selection, layer),
        merged=lambda: layer.merged,
    )


def _status(service: Service) -> JSONObject:
    if service.unchecked and not service.serves and not service.failure and not service.waits:
        return {}
    if is_paused(service.stored, service.dialect):
        return {}
    out: JSONObject = {"status": service.state}
    if not service.state:
        # The operator never writes this status.
        return out
    if service.reference is not None:
        out["resolvedRuntimeConfig"] = service.reference
    # If nothing is created, neither is the described model.
    out |= service.resolved if service.made or not service.described else {}
    return {**out, "conditions": service.conditions} if service.conditions else out


def _values(service: Service) -> list[PredictedValue]:
    """The origin of the model, the template and the pods' resources."""
    out = []
    if service.model is not None and service.model.name:
        source = "AIMService spec.model"
        out.append(PredictedValue("AIMService", "status.resolvedModel", service.model.name, source, f"scope {service.model.scope}"))
    selection = service.selection
    if selection is not None and selection.chosen is not None:
        out.append(PredictedValue("AIMService", "status.resolvedTemplate", selection.chosen.name, "selection", selection.reason))
    return [*out, *(values(service.work) if service.work is not None and service.made else ())]
