"""The predictions of an OpenModel and of a BackendRuntime: the changes by upstream's webhooks, and the flavors that the nodes could serve.

No controller acts on them; Playgrounds and Services read them.
Source: llmaz 3c13ff3, pkg/webhook/openmodel_webhook.go and backendruntime_webhook.go.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmaz.kinds import FAMILY_LABEL
from weighbridge.policies.families.llmaz.operator import SUBJECT
from weighbridge.policies.families.llmaz.predictions.flavor_fit import fits_of, tables_of
from weighbridge.policies.families.llmaz.predictions.stored import WEBHOOK
from weighbridge.policies.families.llmaz.subject.flavors import flavors_of
from weighbridge.policies.families.llmaz.subject.sources import source_of
from weighbridge.policies.families.prediction import PredictedValue, Prediction
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.findings import Unchecked
from weighbridge.policies.ground.objects import name_of
from weighbridge.policies.ground.request import Request


def predict(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction of an OpenModel."""
    model = request.object
    if request.subresource or not isinstance(model, dict) or not isinstance(model.get("spec"), dict):
        return None
    whole = f"OpenModel/{name_of(model)}"
    family = text(spec_of(model), "familyName")
    values = [PredictedValue(whole, f"metadata.labels[{FAMILY_LABEL}]", family, WEBHOOK, "spec.familyName, at every write")]
    if not text(spec_of(model), "createdAt"):
        values.append(PredictedValue(whole, "spec.createdAt", "the time of the first write", WEBHOOK, "its author left it open"))
    source = source_of(model)
    if source is not None:
        path = source.path(skips=False)
        values.append(PredictedValue(whole, "model path", path, "OpenModel spec.source", "where engines find the files"))
    flavors = flavors_of(model)
    unchecked = [Unchecked(SUBJECT, "nothing is known of the cluster's nodes")] if flavors and facts.inventory is None else []
    return Prediction(status={}, values=values, unchecked=unchecked, tables=lambda: tables_of(fits_of(flavors, facts, config)))


def predict_runtime(request: Request, facts: Facts, config: Configuration) -> Prediction | None:
    """The prediction of a BackendRuntime."""
    runtime = request.object
    if request.subresource or not isinstance(runtime, dict) or not isinstance(runtime.get("spec"), dict):
        return None
    whole, spec = f"BackendRuntime/{name_of(runtime)}", spec_of(runtime)
    image = f"{text(spec, 'image')}:{text(spec, 'version')}"
    values = [PredictedValue(whole, "image", image, "BackendRuntime spec.image, spec.version", "a Playground may name another version")]
    return Prediction(status={}, values=values)
