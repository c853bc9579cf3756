"""A model of the namespace hides the cluster's model that a service means.

OME prefers the BaseModel of the namespace, whatever `spec.model.kind` is, so the pods serve that one. The ConfigMap still describes the
ClusterBaseModel. Write `kind: BaseModel` if you mean the namespace's model, or rename one of the two.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/utils/reconciliation.go.
"""

from weighbridge.policies.families.ome.rulebook import MODEL_READS, Said, Service, Violation, deployed


@deployed.warning(reads=MODEL_READS, good="accepts-the-one-of-two-models-that-is-meant", bad="warns-of-a-model-that-hides-another")
def check(service: Service) -> Said:
    model, shadowed = service.model, service.model_reference.shadowed
    if model is not None and shadowed is not None and service.model_reference.described == shadowed.title:
        yield Violation(
            ("spec", "model", "kind"),
            f"the pods serve {model.title} of namespace {service.namespace}, not {shadowed.title}",
            found=shadowed.kind,
            expected=model.kind,
            hint=f"write kind: {model.kind} if you mean that one, or rename one of them",
        )
