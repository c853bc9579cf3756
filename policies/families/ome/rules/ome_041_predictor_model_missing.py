"""A predictor names a model that isn't there.

OME's webhook looks for a ClusterBaseModel of that name, then for a BaseModel of the namespace, and refuses the service without either.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule, spec_of
from policies.families.ome.kinds import BASE_MODELS, CLUSTER_BASE_MODELS
from policies.families.ome.rules._examples import SERVABLE
from policies.families.ome.subject.predictors import predictor_of
from policies.families.ome.subject.services import model_name, service_of
from policies.fields import part, text
from policies.findings import Finding, Severity, Unchecked
from policies.objects import namespace_of
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:

    service = service_of(request)
    predictor = predictor_of(service)
    name = text(part(predictor, "model"), "baseModel")
    if service is None or not name or "engine" in spec_of(service) or model_name(service):
        return
    namespace = namespace_of(service)
    of_cluster, own = CLUSTER_BASE_MODELS.is_missing(facts, "", name), BASE_MODELS.is_missing(facts, namespace, name)
    if False in (of_cluster, own):
        return
    if None in (of_cluster, own):
        yield RULE.unchecked((BASE_MODELS if own is None else CLUSTER_BASE_MODELS).unknown)
        return
    yield RULE.finding(
        ("spec", "predictor", "model", "baseModel"),
        f'no model "{name}" is in the cluster or in namespace {namespace}; OME refuses the service',
        found=name,
        nearest=CLUSTER_BASE_MODELS.nearest(facts, "", name),
        hint="apply the model first, or correct the name",
    )


RULE = Rule(
    id="OME-041",
    name="predictor-model-missing",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go",
    mirrors="webhook inferenceservice.ome-webhook-server.defaulter",
    reads=("BaseModel", "ClusterBaseModel"),
    is_about_reference=True,
    is_about_failure=True,
    beside=SERVABLE,
    check=_check,
    good='predictor: {model: {name: "", baseModel: llama}}',
    bad='predictor: {model: {name: "", baseModel: lama}}',
)
