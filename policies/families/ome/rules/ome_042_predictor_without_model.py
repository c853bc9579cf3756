"""A predictor names no model.

OME's webhook turns the predictor into an engine and then refuses the service, unless one of its containers has an image. With an image the
service is stored, but the controller creates nothing without a model. Name the model in `spec.model`.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Given, JSONObject, Said, Violation, lone_predictors, part, text
from weighbridge.policies.families.ome.subject.predictors import migrates


@lone_predictors.error(
    about=FAILURE, good="accepts-a-predictor-with-a-model-and-an-affinity", bad="refuses-a-predictor-with-an-empty-affinity"
)
def check(predictor: JSONObject, given: Given) -> Said:
    is_named = text(part(given.spec, "model"), "name") or text(part(predictor, "model"), "baseModel")
    if migrates(predictor) and not is_named:
        yield Violation(
            ("spec", "predictor", "model", "baseModel"),
            "no model is named, so OME creates no pods",
            hint="write spec.model and spec.engine instead",
        )
