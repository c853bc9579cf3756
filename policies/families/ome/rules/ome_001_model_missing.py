"""A service names a model that doesn't exist.

OME uses the BaseModel of the service's namespace, else the ClusterBaseModel. If neither exists, its webhook refuses the service. Apply the
model first, or correct the name.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from weighbridge.policies.families.ome.kinds import BASE_MODELS, CLUSTER_BASE_MODELS
from weighbridge.policies.families.ome.rulebook import FAILURE, MODEL_READS, REFERENCE, NotChecked, Said, Service, Violation, services


@services.error(
    about=REFERENCE | FAILURE,
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    reads=MODEL_READS,
    good="accepts-a-model-of-the-cluster",
    bad="warns-of-a-model-that-is-missing",
)
def check(service: Service) -> Said:
    reference = service.model_reference
    if service.is_migrated:
        # OME-041 is about a predictor's model.
        return
    if reference.unknown:
        yield NotChecked(reference.unknown)
    elif reference.is_missing:
        yield Violation(
            ("spec", "model", "name"),
            f'no model "{reference.name}" is in namespace {service.namespace} or in the cluster; OME refuses the service',
            found=reference.name,
            nearest=service.nearest(BASE_MODELS, CLUSTER_BASE_MODELS, reference.name),
            hint="apply the model first, or correct the name",
        )
