"""A predictor names a model that doesn't exist.

OME's webhook looks for a ClusterBaseModel of that name, then for a BaseModel of the namespace, and refuses the service without either.
Apply the model first, or correct the name.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_defaults.go.
"""

from weighbridge.policies.families.ome.kinds import BASE_MODELS, CLUSTER_BASE_MODELS
from weighbridge.policies.families.ome.rulebook import FAILURE, REFERENCE, NotChecked, Said, Service, Violation, part, services, text


@services.error(
    about=REFERENCE | FAILURE,
    mirrors="webhook inferenceservice.ome-webhook-server.defaulter",
    reads=("BaseModel", "ClusterBaseModel"),
    good="accepts-a-predictor-of-a-model-of-the-cluster",
    bad="warns-of-a-predictor-of-a-missing-model",
)
def check(service: Service) -> Said:
    written, facts, namespace = service.written, service.facts, service.namespace
    name = text(part(written, "predictor", "model"), "baseModel")
    if not name or "engine" in written or text(part(written, "model"), "name"):
        return
    of_cluster, own = CLUSTER_BASE_MODELS.is_missing(facts, "", name), BASE_MODELS.is_missing(facts, namespace, name)
    if False in (of_cluster, own):
        return
    if None in (of_cluster, own):
        yield NotChecked((BASE_MODELS if own is None else CLUSTER_BASE_MODELS).unknown)
        return
    yield Violation(
        ("spec", "predictor", "model", "baseModel"),
        f'no model "{name}" is in the cluster or in namespace {namespace}; OME refuses the service',
        found=name,
        nearest=CLUSTER_BASE_MODELS.nearest(facts, "", name),
        hint="apply the model first, or correct the name",
    )
