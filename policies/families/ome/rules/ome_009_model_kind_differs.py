"""A service's model is of another kind than it says.

OME takes the model by its name alone, but its controller first describes it in a ConfigMap, and there `spec.model.kind` decides. Where no
model of that kind is there, the service gets no pods, no event and no status. Without a kind it is ClusterBaseModel; for a model of the
namespace write `kind: BaseModel`.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/utils/reconciliation.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, MODEL_READS, NotChecked, Said, Service, Violation, deployed, part, text


@deployed.error(about=FAILURE, reads=MODEL_READS, good="accepts-a-model-of-the-cluster", bad="refuses-a-model-of-another-kind")
def check(service: Service) -> Said:
    model, described = service.model, service.model_reference.described
    if model is None or service.model_reference.is_described:
        return
    if service.model_reference.is_described is None:
        yield NotChecked(f"whether there is a {described} isn't known")
    else:
        yield Violation(
            ("spec", "model", "kind"),
            f"the model is {model.title}, and without a {described} OME's controller makes nothing",
            found=text(part(service.spec, "model"), "kind"),
            expected=model.kind,
        )
