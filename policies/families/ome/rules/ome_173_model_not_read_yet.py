"""A service names no runtime, and its model lacks the fields to select one.

OME selects the runtime by the model's format and by other fields, which its agent writes into the model once it has the files. OME's
webhook selects a runtime too, and refuses the service until then, so a model and its service can't be applied together. Write the missing
fields into the model's manifest, name a runtime in the service, or apply the service once the model is ready. The agent may have finished
when the service is applied, so the rule only warns.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_validation.go and pkg/runtimeselector/selector.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, Said, Service, Violation, deployed


@deployed.warning(
    about=FAILURE,
    mirrors="webhook inferenceservice.ome-webhook-server.validator",
    good="leaves-a-model-described-in-part-to-the-agent",
    bad="warns-of-a-selection-for-a-model-described-in-part",
)
def check(service: Service) -> Said:
    if service.named is not None or not service.is_selected_at_admission:
        return
    model, field = service.model, service.awaited
    if model is not None and field:
        yield Violation(
            ("spec", "model", "name"),
            f"OME's webhook refuses the service while {model.title} has no {field}, by which a runtime is selected",
            found=model.name,
            hint=f"write {field} into the model, name a runtime in spec.runtime.name, or apply the service once the model is ready",
        )
