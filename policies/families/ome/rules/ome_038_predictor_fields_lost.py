"""Fields of a predictor's model are lost when OME rewrites it.

OME's webhook makes an engine of the legacy predictor. Of `predictor.model` it takes the model, the runtime and the fine-tuned weights; the
image, arguments, variables and resources that stand there go nowhere. Write `spec.model` and `spec.engine.runner` instead.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.predictors import migrates, predictor_of
from policies.fields import part
from policies.findings import Finding, Severity
from policies.request import Request

_KEPT: Final = ("name", "baseModel", "runtime", "fineTunedWeights")


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:

    predictor = predictor_of(request.object)
    model = part(predictor, "model")
    lost = [key for key, value in model.items() if key not in _KEPT and value not in (None, "", [], {})]
    if lost and migrates(predictor) and "engine" not in spec_of(request.object):
        yield RULE.finding(
            ("spec", "predictor", "model"),
            f"{', '.join(lost)} {'is' if len(lost) == 1 else 'are'} lost when OME makes an engine of the predictor",
            found=", ".join(lost),
            hint="write spec.model, spec.runtime and spec.engine.runner instead",
        )


RULE = Rule(
    id="OME-038",
    name="predictor-fields-lost",
    severity=Severity.WARNING,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go",
    beside=SERVED,
    check=_check,
    good="""\
model: {name: llama}
engine: {}
""",
    bad='predictor: {model: {name: "", baseModel: llama, args: [--tp-size, "2"]}}',
)
