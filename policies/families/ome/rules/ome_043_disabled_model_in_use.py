"""A model is disabled while services use it.

OME's webhook checks every update of a service, also the update with which its controller removes the finalizer. If the model is disabled,
it refuses all updates of services that name no runtime. Such a service can't be changed or deleted, and stays Terminating. Delete the
services first, or name a runtime in them.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.kinds import GROUP, INFERENCE_SERVICES
from weighbridge.policies.families.ome.rulebook import Given, Model, NotChecked, Said, Violation, models
from weighbridge.policies.families.ome.subject.service_spec import has_component, has_full_runner, runtime_name, services_of_model
from weighbridge.policies.ground.fields import flag
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.spelling import listed


@models.warning(
    kinds=("ClusterBaseModel", "BaseModel"),
    reads=("BaseModel", "InferenceService"),
    good="accepts-a-disabled-model-that-no-service-uses",
    bad="warns-of-a-disabled-model-in-use",
)
def check(model: Model, given: Given) -> Said:
    if not model.is_disabled or flag(spec_of(given.request.old_object), "disabled"):
        return
    services = services_of_model(given.facts, model.kind, model.namespace, model.name)
    held = [f"{namespace_of(service)}/{name_of(service)}" for service in services if _selects(service)]
    if held:
        yield Violation(
            ("spec", "disabled"),
            f"while the model is disabled, InferenceService {listed(held)} can't be changed or deleted: OME's webhook refuses each update",
            hint="delete the services first, or name a runtime in them",
        )
    elif not given.facts.objects.knows_all(GROUP, INFERENCE_SERVICES.kind):
        yield NotChecked(INFERENCE_SERVICES.unknown)


def _selects(service: JSONObject) -> bool:
    """Whether OME's webhook selects a runtime for a service."""
    return has_component(service, "engine") and not runtime_name(service) and not has_full_runner(service)
