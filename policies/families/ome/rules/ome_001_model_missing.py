"""A service names a model that isn't there.

OME takes the BaseModel of the service's namespace, else the ClusterBaseModel. Its webhook refuses a service without either. Apply the model
first, or correct the name.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import Rule
from policies.families.ome.kinds import BASE_MODELS, CLUSTER_BASE_MODELS
from policies.families.ome.resolve.serving import serving_of
from policies.families.ome.rules._examples import MODEL_READS, SERVABLE
from policies.findings import Finding, Severity, Unchecked
from policies.request import Request


def _check(request: Request, facts: Facts, config: Configuration) -> Iterator[Finding | Unchecked]:
    serving = serving_of(request, facts, config)
    if serving is None or serving.is_migrated:
        # Of a predictor's model another rule speaks.
        return
    if serving.model.unknown:
        yield RULE.unchecked(serving.model.unknown)
    elif serving.model.is_missing:
        own = BASE_MODELS.nearest(facts, serving.namespace, serving.model.name, otherwise=0)
        yield RULE.finding(
            ("spec", "model", "name"),
            f'no model "{serving.model.name}" is in namespace {serving.namespace} or in the cluster; OME refuses the service',
            found=serving.model.name,
            nearest=own or CLUSTER_BASE_MODELS.nearest(facts, "", serving.model.name),
            hint="apply the model first, or correct the name",
        )


RULE = Rule(
    id="OME-001",
    name="model-missing",
    severity=Severity.ERROR,
    kinds=("InferenceService",),
    since="0.1.0",
    source="OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go",
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    reads=MODEL_READS,
    is_about_reference=True,
    is_about_failure=True,
    beside=SERVABLE,
    check=_check,
    good="model: {name: llama}\nengine: {}",
    bad="model: {name: lama}\nengine: {}",
)
