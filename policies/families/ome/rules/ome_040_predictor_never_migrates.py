"""A predictor is rewritten by OME's controller, which its own webhook then refuses.

A predictor with `maxReplicas` or `workerSpec` alone isn't one that the webhook rewrites. The controller rewrites it later, without a model,
and the webhook refuses that update for ever. Write `spec.model` and `spec.engine` instead.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import FAILURE, Given, Said, Violation, objects
from weighbridge.policies.families.ome.subject.predictors import migrates, predictor_of


@objects.error(
    kinds=("InferenceService",),
    about=FAILURE,
    good="accepts-a-predictor-with-replicas-and-a-model",
    bad="refuses-a-predictor-of-replicas-alone",
)
def check(given: Given) -> Said:
    spec, predictor = given.spec, predictor_of(given.object)
    stuck = [key for key in ("maxReplicas", "workerSpec") if predictor.get(key) not in (None, 0, {})]
    if stuck and not migrates(predictor) and "engine" not in spec:
        yield Violation(
            ("spec", "predictor"),
            f"with {' and '.join(stuck)} alone OME's controller rewrites the predictor, and its own webhook refuses that for ever",
            hint="write spec.model and spec.engine instead",
        )
