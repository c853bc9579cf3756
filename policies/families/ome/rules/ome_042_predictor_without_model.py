"""A predictor names no model.

OME's webhook makes an engine of it and then refuses the service, unless one of its containers has an image; with one the service is stored,
and the controller makes nothing without a model. Name it in `spec.model`.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from __future__ import annotations

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.predictors import migrates, predictor_of
from weighbridge.policies.families.ome.subject.service_spec import model_name, service_of
from weighbridge.policies.ground.fields import part, text


@objects.error(
    kinds=("InferenceService",),
    about=FAILURE,
    good="accepts-a-model-of-the-cluster",
    bad="refuses-a-predictor-with-an-empty-affinity",
)
def check(given: Given) -> Said:
    service = service_of(given.request)
    predictor = predictor_of(service)
    if service is None or "engine" in spec_of(service) or model_name(service):
        return
    if migrates(predictor) and not text(part(predictor, "model"), "baseModel"):
        yield Violation(
            ("spec", "predictor", "model", "baseModel"),
            "no model is named, so OME makes no pods",
            hint="write spec.model and spec.engine instead",
        )
