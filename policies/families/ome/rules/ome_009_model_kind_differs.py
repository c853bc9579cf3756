"""A service's model has another kind than `spec.model.kind`.

OME finds the model only by its name. But its controller first describes the model in a ConfigMap, for which it uses `spec.model.kind`.
If no model of that kind exists, the service gets no pods, no event and no status. The default kind is ClusterBaseModel; for a model of
the namespace write `kind: BaseModel`.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/utils/reconciliation.go.
"""

from weighbridge.policies.families.ome.rulebook import FAILURE, MODEL_READS, NotChecked, Said, Service, Violation, deployed, part, text


@deployed.error(about=FAILURE, reads=MODEL_READS, good="accepts-a-model-by-its-own-kind", bad="refuses-a-model-of-another-kind")
def check(service: Service) -> Said:
    model, described = service.model, service.model_reference.described
    if model is None or service.model_reference.is_described:
        return
    if service.model_reference.is_described is None:
        yield NotChecked(f"whether there is a {described} isn't known")
    else:
        yield Violation(
            ("spec", "model", "kind"),
            f"no {described} exists, only {model.title}; OME's controller creates nothing for the service",
            found=text(part(service.spec, "model"), "kind"),
            expected=model.kind,
        )
