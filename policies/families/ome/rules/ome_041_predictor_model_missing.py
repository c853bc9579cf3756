"""A predictor names a model that isn't there.

OME's webhook looks for a ClusterBaseModel of that name, then for a BaseModel of the namespace, and refuses the service without either.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from __future__ import annotations

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.kinds import BASE_MODELS, CLUSTER_BASE_MODELS
from weighbridge.policies.families.ome.rulebook import FAILURE, REFERENCE, Given, NotChecked, Said, Violation, objects
from weighbridge.policies.families.ome.subject.predictors import predictor_of
from weighbridge.policies.families.ome.subject.service_spec import model_name, service_of
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import namespace_of


@objects.error(
    kinds=("InferenceService",),
    about=REFERENCE | FAILURE,
    mirrors="webhook inferenceservice.ome-webhook-server.defaulter",
    reads=("BaseModel", "ClusterBaseModel"),
    good="accepts-a-predictor-of-a-model-of-the-cluster",
    bad="warns-of-a-predictor-of-a-missing-model",
)
def check(given: Given) -> Said:
    service = service_of(given.request)
    predictor = predictor_of(service)
    name = text(part(predictor, "model"), "baseModel")
    if service is None or not name or "engine" in spec_of(service) or model_name(service):
        return
    namespace = namespace_of(service)
    of_cluster, own = CLUSTER_BASE_MODELS.is_missing(given.facts, "", name), BASE_MODELS.is_missing(given.facts, namespace, name)
    if False in (of_cluster, own):
        return
    if None in (of_cluster, own):
        yield NotChecked((BASE_MODELS if own is None else CLUSTER_BASE_MODELS).unknown)
        return
    yield Violation(
        ("spec", "predictor", "model", "baseModel"),
        f'no model "{name}" is in the cluster or in namespace {namespace}; OME refuses the service',
        found=name,
        nearest=CLUSTER_BASE_MODELS.nearest(given.facts, "", name),
        hint="apply the model first, or correct the name",
    )
