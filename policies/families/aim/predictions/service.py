"""The prediction of an AIMService: its status, the objects that the operator creates, and where their values come from.

Sources: kaiwo dbca1b55, internal/controller/aim/shared/service_status.go; aim-engine v0.2.1, internal/aimservice.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.aim.predictions.inference import values
from weighbridge.policies.families.aim.predictions.service_layer import ServiceConfig
from weighbridge.policies.families.aim.predictions.tables import tables
from weighbridge.policies.families.aim.subject.service import Serving, serving_of
from weighbridge.policies.families.prediction import Deferred, PredictedValue, Prediction
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.request import Request


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction of a service."""
    serving = serving_of(request, facts, config)
    if serving is None:
        return None
    layer = ServiceConfig(serving.service, serving.config)
    return Prediction(
        status=_status(serving),
        objects=serving.objects,
        values=Deferred(lambda: [*layer.values(), *_values(serving)]),
        failure=serving.failure,
        weight=serving.weight,
        waits=serving.waits,
        unchecked=serving.unchecked,
        tables=lambda: tables(serving.config, serving.selection, layer),
        merged=lambda: layer.merged,
    )


def _status(serving: Serving) -> JSONObject:
    if serving.unchecked and not serving.objects and not serving.failure and not serving.waits:
        return {}
    out: JSONObject = {"status": serving.state}
    if not serving.state:
        # The operator never writes this status.
        return out
    model, template = serving.model, serving.template
    if serving.reference is not None:
        out["resolvedRuntimeConfig"] = serving.reference
    if serving.dialect.merges_deeply and model is not None and model.model is not None and model.status in ("", "Ready"):
        out["resolvedModel"] = {"name": model.name, "scope": model.scope}
    if template is not None and template.made:
        out["resolvedTemplate"] = {"name": template.made, "scope": "Namespace", "namespace": serving.namespace}
    if template is not None and template.template is not None and not template.failure:
        found = template.template
        out["resolvedTemplate"] = {"name": name_of(found), "scope": "Namespace" if namespace_of(found) else "Cluster"}
        if namespace_of(found):
            out["resolvedTemplate"]["namespace"] = namespace_of(found)
    return {**out, "conditions": serving.conditions} if serving.conditions else out


def _values(serving: Serving) -> list[PredictedValue]:
    """The origin of the model, the template and the pods' resources."""
    out = []
    if serving.model is not None and serving.model.name:
        source = "AIMService spec.model"
        out.append(PredictedValue("AIMService", "status.resolvedModel", serving.model.name, source, f"scope {serving.model.scope}"))
    selection = serving.selection
    if selection is not None and selection.chosen is not None:
        out.append(PredictedValue("AIMService", "status.resolvedTemplate", selection.chosen.name, "selection", selection.reason))
    return [*out, *(values(serving.work) if serving.work is not None and serving.objects else ())]
