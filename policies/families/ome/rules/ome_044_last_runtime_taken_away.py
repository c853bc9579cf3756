"""A runtime no longer fits the services that use it, and no other runtime does.

OME's webhook selects a runtime at every update of a service, also at the update with which its controller removes the finalizer. If it
finds none, it refuses the update. Such a service can't be changed or deleted, and stays Terminating. Apply another runtime first, or name
one in the services.

Source: OME v0.1.5, pkg/webhook/admission/isvc/inference_service_validation.go.
"""

from collections.abc import Hashable, Iterator

from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.store import itself
from weighbridge.policies.families.ome.kinds import CLUSTER_RUNTIMES, GROUP, INFERENCE_SERVICES, RUNTIMES
from weighbridge.policies.families.ome.predictions.dependents import keys, service_goes_by
from weighbridge.policies.families.ome.rulebook import Given, JSONObject, NotChecked, Runtime, Said, Service, Violation, listed, runtimes
from weighbridge.policies.families.ome.subject.runtime import read_runtime
from weighbridge.policies.families.ome.subject.selection.choice import select


@runtimes.warning(
    kinds=("ClusterServingRuntime", "ServingRuntime"),
    reads=("BaseModel", "ClusterBaseModel", "ClusterServingRuntime", "InferenceService", "ServingRuntime"),
    good="accepts-a-runtime-that-is-narrowed-and-still-serves",
    bad="warns-of-the-last-runtime-that-is-narrowed",
)
def check(runtime: Runtime, given: Given) -> Said:
    if not isinstance(given.request.old_object, dict):
        return
    old, facts = read_runtime(given.request.old_object), given.facts
    if old.is_disabled or not old.is_auto_selected:
        return
    known: dict[Hashable, bool] = {}
    services = (Service(obj, facts, given.config) for obj in _services(old.obj, facts))
    held = [service for service in services if _is_held(service, old, runtime, known)]
    unknown = next((kind.unknown for kind in (RUNTIMES, CLUSTER_RUNTIMES) if not facts.objects.knows_all(GROUP, kind.kind)), "")
    if held and unknown:
        yield NotChecked(unknown)
    elif held:
        names = listed([f"{service.namespace}/{service.name}" for service in held])
        yield Violation(
            ("spec",),
            f"after this change InferenceService {names} can't be changed or deleted: OME's webhook finds no runtime for it",
            hint="apply another runtime first, or name one in the services",
        )
    elif not facts.objects.knows_all(GROUP, INFERENCE_SERVICES.kind):
        yield NotChecked(INFERENCE_SERVICES.unknown)


def _services(runtime: JSONObject, facts: Facts) -> Iterator[JSONObject]:
    """The services that may use a runtime, each once."""
    found: dict[tuple[str, str], JSONObject] = {}
    for key in keys(runtime, facts):
        found.update(facts.objects.readings_where(GROUP, INFERENCE_SERVICES.kind, itself, service_goes_by, key))
    yield from found.values()


def _is_held(service: Service, old: Runtime, new: Runtime, known: dict[Hashable, bool]) -> bool:
    """Whether a service uses the old runtime, and would have none with the new one; computed once for services that are alike."""
    model = service.model
    if not service.is_selected_at_admission or model is None or model.key not in old.keys:
        return False
    key = service.namespace, model.shape, service.demanded
    if key not in known:
        # The facts may have the old runtime or the new one.
        others = [one for one in service.alike(model) if (one.namespace, one.name) != (old.namespace, old.name)]
        before, after = (select(model, [one, *others], service.demanded).chosen for one in (old, new))
        known[key] = before is old and after is None
    return known[key]
