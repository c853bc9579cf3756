"""Fields of a predictor's model are lost when OME rewrites it.

OME's webhook makes an engine of the legacy predictor. Of `predictor.model` it takes the model, the runtime and the fine-tuned weights; the
image, arguments, variables and resources that stand there go nowhere. Write `spec.model` and `spec.engine.runner` instead.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.rulebook import Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.predictors import migrates, predictor_of
from weighbridge.policies.ground.fields import part

_KEPT: Final = ("name", "baseModel", "runtime", "fineTunedWeights")


@objects.warning(
    kinds=("InferenceService",),
    good="accepts-a-predictor-with-a-model-alone",
    bad="warns-of-arguments-that-a-predictor-loses",
)
def check(given: Given) -> Said:
    predictor = predictor_of(given.object)
    model = part(predictor, "model")
    lost = [key for key, value in model.items() if key not in _KEPT and value not in (None, "", [], {})]
    if lost and migrates(predictor) and "engine" not in given.spec:
        yield Violation(
            ("spec", "predictor", "model"),
            f"{', '.join(lost)} {'is' if len(lost) == 1 else 'are'} lost when OME makes an engine of the predictor",
            found=", ".join(lost),
            hint="write spec.model, spec.runtime and spec.engine.runner instead",
        )
