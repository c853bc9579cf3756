"""OME's controller rewrites a predictor, and its own webhook then refuses the service.

The webhook doesn't rewrite a predictor with only `maxReplicas` or `workerSpec`. The controller rewrites it later, without a model, and the
webhook always refuses that update. Write `spec.model` and `spec.engine` instead.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, JSONObject, Said, Violation, lone_predictors
from weighbridge.policies.families.ome.subject.predictors import migrates


@lone_predictors.error(about=FAILURE, good="accepts-a-predictor-with-replicas-and-a-model", bad="refuses-a-predictor-of-replicas-alone")
def check(predictor: JSONObject) -> Said:
    stuck = [key for key in ("maxReplicas", "workerSpec") if predictor.get(key) not in (None, 0, {})]
    if stuck and not migrates(predictor):
        yield Violation(
            ("spec", "predictor"),
            f"with only {' and '.join(stuck)} OME's controller rewrites the predictor, and its own webhook always refuses that",
            hint="write spec.model and spec.engine instead",
        )
