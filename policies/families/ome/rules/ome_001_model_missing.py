"""A service names a model that isn't there.

OME takes the BaseModel of the service's namespace, else the ClusterBaseModel. Its webhook refuses a service without either. Apply the model
first, or correct the name.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.kinds import BASE_MODELS, CLUSTER_BASE_MODELS
from weighbridge.policies.families.ome.rulebook import FAILURE, REFERENCE, Given, NotChecked, Said, Serving, Violation, services
from weighbridge.policies.families.ome.rules._examples import MODEL_READS


@services.error(
    about=REFERENCE | FAILURE,
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    reads=MODEL_READS,
    good="accepts-a-model-of-the-cluster",
    bad="warns-of-a-model-that-is-missing",
)
def check(serving: Serving, given: Given) -> Said:
    if serving.is_migrated:
        # Of a predictor's model another rule speaks.
        return
    if serving.model.unknown:
        yield NotChecked(serving.model.unknown)
    elif serving.model.is_missing:
        own = BASE_MODELS.nearest(given.facts, serving.namespace, serving.model.name, otherwise=0)
        yield Violation(
            ("spec", "model", "name"),
            f'no model "{serving.model.name}" is in namespace {serving.namespace} or in the cluster; OME refuses the service',
            found=serving.model.name,
            nearest=own or CLUSTER_BASE_MODELS.nearest(given.facts, "", serving.model.name),
            hint="apply the model first, or correct the name",
        )
