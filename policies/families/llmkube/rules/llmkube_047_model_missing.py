"""The Model that a service refers to doesn't exist.

`modelRef` names a Model of the service's own namespace; the operator reads `namespace/name` as a whole as the name. The service
is Failed until such a Model exists. The Model may come later in the same rollout, so the rule warns by default. The
configuration's `references` can make it an error.

Source: LLMKube v0.9.19, internal/controller/inferenceservice_controller.go.
"""

from weighbridge.policies.facts.store import names_of
from weighbridge.policies.families.llmkube.rulebook import FAILURE, REFERENCE, NotChecked, Said, Service, Violation, services
from weighbridge.policies.families.llmkube.subject.references import GROUP, MODELS
from weighbridge.policies.ground.objects import name_of, namespace_of
from weighbridge.policies.ground.spelling import similar


@services.warning(
    topic="Services: their Model and its weights",
    about=REFERENCE | FAILURE,
    mirrors="phase Failed, Model not found",
    reads=("Model",),
    good="leaves-the-cuda-image-to-the-operator",
    bad="warns-of-a-missing-model",
)
def check(service: Service) -> Said:
    name, namespace = service.spec.get("modelRef"), service.namespace
    if service.model is not None or not isinstance(name, str):
        return
    if name and "/" not in name and MODELS.is_missing(service.facts, namespace, name) is None:
        yield NotChecked(MODELS.unknown)
        return
    message = f'namespace "{namespace}" has no Model "{name}"'
    if "/" in name:
        message = f'"{name}" is taken as a name; a Model must be in the service\'s own namespace'
    yield Violation(
        ("spec", "modelRef"),
        message if name else "is empty; it must name a Model of the same namespace",
        found=name,
        nearest=_nearest(service, name),
        hint="create the Model in the same namespace, or correct the name",
    )


def _nearest(service: Service, name: str) -> str:
    """The Models of the namespace with the most similar names, else a Model of that name in another namespace."""
    store, wanted = service.facts.objects, name.rpartition("/")[2]
    own = names_of(store, GROUP, "Model", service.namespace)
    elsewhere = next(iter(store.where(GROUP, "Model", name_of, wanted)), None) if wanted not in own else None
    other = f"{namespace_of(elsewhere)}/{wanted}" if elsewhere is not None else ""
    return similar(wanted, own) or other or similar(wanted, own, otherwise=3)
