"""Fields of a predictor's model are lost when OME rewrites it.

OME's webhook turns the legacy predictor into an engine. It keeps the model, the runtime and the fine-tuned weights of `predictor.model`,
and drops the image, arguments, variables and resources. Write `spec.model` and `spec.engine.runner` instead.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from typing import Final

from weighbridge.policies.families.ome.rulebook import JSONObject, Said, Violation, lone_predictors, part
from weighbridge.policies.families.ome.subject.predictors import migrates

_KEPT: Final = ("name", "baseModel", "runtime", "fineTunedWeights")


@lone_predictors.warning(good="accepts-a-predictor-with-a-model-alone", bad="warns-of-arguments-that-a-predictor-loses")
def check(predictor: JSONObject) -> Said:
    lost = sorted(key for key, value in part(predictor, "model").items() if key not in _KEPT and value not in (None, "", [], {}))
    if lost and migrates(predictor):
        yield Violation(
            ("spec", "predictor", "model"),
            f"{', '.join(lost)} {'is' if len(lost) == 1 else 'are'} lost when OME turns the predictor into an engine",
            found=", ".join(lost),
            hint="write spec.model, spec.runtime and spec.engine.runner instead",
        )
