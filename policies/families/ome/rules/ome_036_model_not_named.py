"""A service with an engine names no model.

OME's controller makes nothing without one, and its webhook refuses the service unless it names a runtime or its engine says itself what it
runs. A `spec.model` without a name is none.

Source: OME v0.1.5 pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from __future__ import annotations

from weighbridge.policies.families.ome.rulebook import FAILURE, Given, Said, Serving, Violation, services
from weighbridge.policies.families.ome.rules._examples import MODEL_READS
from weighbridge.policies.families.ome.subject.service_spec import has_component


@services.error(
    about=FAILURE,
    reads=MODEL_READS,
    good="accepts-a-predictor-of-a-model-of-the-cluster",
    bad="refuses-a-predictor-beside-an-engine-without-a-model",
)
def check(serving: Serving, given: Given) -> Said:
    written = given.spec
    is_migrated = bool(written.get("predictor")) and not isinstance(written.get("engine"), dict)
    if serving.model.name or is_migrated or not has_component(serving.service, "engine"):
        return
    if serving.is_virtual and not serving.is_selected_at_admission:
        return
    hint = "name a BaseModel of the namespace or a ClusterBaseModel in spec.model.name"
    yield Violation(("spec", "model", "name"), "no model is named, so OME makes no pods", hint=hint)
