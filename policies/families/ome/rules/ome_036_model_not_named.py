"""A service with an engine names no model.

OME's controller creates nothing without a model. Its webhook refuses the service unless the service names a runtime or its engine defines
its own container. A `spec.model` without a name counts as missing. Name the model.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, MODEL_READS, Said, Service, Violation, services


@services.error(
    about=FAILURE,
    reads=MODEL_READS,
    good="accepts-a-predictor-of-a-model-of-the-cluster",
    bad="refuses-a-predictor-and-an-engine-without-a-model",
)
def check(service: Service) -> Said:
    has_predictor_alone = bool(service.written.get("predictor")) and not isinstance(service.written.get("engine"), dict)
    if service.model_reference.name or has_predictor_alone or not service.has("engine"):
        return
    if service.is_virtual and not service.is_selected_at_admission:
        return
    hint = "name a BaseModel of the namespace or a ClusterBaseModel in spec.model.name"
    yield Violation(("spec", "model", "name"), "no model is named, so OME creates no pods", hint=hint)
