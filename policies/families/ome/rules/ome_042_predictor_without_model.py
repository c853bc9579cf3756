"""A predictor names no model.

OME's webhook makes an engine of it and then refuses the service, unless one of its containers has an image; with one the service is stored,
and the controller makes nothing without a model. Name it in `spec.model`.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.rules._examples import SERVED
from policies.families.ome.subject.predictors import migrates, predictor_of
from policies.families.ome.subject.services import model_name, service_of
from policies.fields import part, text
from policies.findings import Finding, Severity
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding]:

    service = service_of(request)
    predictor = predictor_of(service)
    if service is None or "engine" in spec_of(service) or model_name(service):
        return
    if migrates(predictor) and not text(part(predictor, "model"), "baseModel"):
        yield RULE.finding(
            ("spec", "predictor", "model", "baseModel"),
            "no model is named, so OME makes no pods",
            hint="write spec.model and spec.engine instead",
        )


RULE = Rule(
    id="OME-042",
    name="predictor-without-model",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go",
    is_about_failure=True,
    beside=SERVED,
    check=_check,
    good='predictor: {minReplicas: 1, model: {name: "", baseModel: llama}}',
    bad="predictor: {minReplicas: 1}",
)
