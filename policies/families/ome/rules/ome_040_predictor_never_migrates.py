"""A predictor is rewritten by OME's controller, which its own webhook then refuses.

A predictor with `maxReplicas` or `workerSpec` alone isn't one that the webhook rewrites. The controller rewrites it later, without a model,
and the webhook refuses that update for ever. Write `spec.model` and `spec.engine` instead.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.predictors import migrates, predictor_of
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:

    spec, predictor = spec_of(request.object), predictor_of(request.object)
    stuck = [key for key in ("maxReplicas", "workerSpec") if predictor.get(key) not in (None, 0, {})]
    if stuck and not migrates(predictor) and "engine" not in spec:
        yield RULE.finding(
            ("spec", "predictor"),
            f"with {' and '.join(stuck)} alone OME's controller rewrites the predictor, and its own webhook refuses that for ever",
            hint="write spec.model and spec.engine instead",
        )


RULE = Rule(
    id="OME-040",
    name="predictor-never-migrates",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go",
    is_about_failure=True,
    beside=SERVED,
    check=_check,
    good="""\
model: {name: llama}
engine: {}
""",
    bad="predictor: {maxReplicas: 2}",
)
