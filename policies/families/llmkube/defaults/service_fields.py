"""What is filled into an InferenceService, which takes its Model to tell.

Nothing is filled in while the Model isn't known: it may come later in the same rollout, and the next update of the service makes up for
it. A Model on metal has no pod, so its services get nothing either. `runtimeClassName` is the configured one of the GPU's vendor
(`llmkube.runtimeClassNames`), for pods that get a GPU; what decides the other fields stands beside it in this package.

Source: LLMKube v0.9.19, internal/controller/deployment_builder.go; the modules of this package tell field by field.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from policies.config import Configuration
from policies.facts import Facts
from policies.families.family import spec_of
from policies.families.llmkube.defaults.authorship import is_written, written_items
from policies.families.llmkube.defaults.filling import Filling, Situation, fields_of_spec
from policies.families.llmkube.defaults.images import PATH as IMAGE
from policies.families.llmkube.defaults.images import image
from policies.families.llmkube.defaults.lists import settle_list
from policies.families.llmkube.defaults.model_download import PATH as SKIP_MODEL_INIT
from policies.families.llmkube.defaults.model_download import skip_model_init
from policies.families.llmkube.defaults.ports import PATH as PORT
from policies.families.llmkube.defaults.ports import added_with_port, port
from policies.families.llmkube.defaults.render_group import GROUPS, groups, security_context
from policies.families.llmkube.defaults.render_group import PATH as SECURITY_CONTEXT
from policies.families.llmkube.defaults.tolerations import PATH as TOLERATIONS
from policies.families.llmkube.defaults.tolerations import tolerations
from policies.families.llmkube.operator import Operator, operator_of
from policies.families.llmkube.resolve.service.workload import workload
from policies.families.llmkube.subject.references import model_of
from policies.families.mutation import Mutation
from policies.objects import JSONObject, JSONValue, Path, lookup, namespace_of
from policies.request import Request

RUNTIME_CLASS: Final[Path] = ("spec", "runtimeClassName")
_NO_LONGER: Final = "what was filled in before no longer follows from the Model and the runtime"


def runtime_class(situation: Situation) -> Filling | None:
    """The configured runtime class of the vendor, for pods that get a GPU."""
    vendor = situation.gpus.vendor
    name = situation.config.llmkube.runtime_class_names.of(vendor) if situation.gpus.present else None
    return Filling(name, "configuration", f"llmkube.runtimeClassNames.{vendor}") if name else None


#: Fields with one value, each with what decides it.
_VALUES: Final[tuple[tuple[Path, Callable[[Situation], Filling | None]], ...]] = (
    (IMAGE, image),
    (RUNTIME_CLASS, runtime_class),
    (SECURITY_CONTEXT, security_context),
    (PORT, port),
    (SKIP_MODEL_INIT, skip_model_init),
)
#: Lists to which items are added, each with what decides which.
_LISTS: Final[tuple[tuple[Path, Callable[[Situation], list[Filling]]], ...]] = ((GROUPS, groups), (TOLERATIONS, tolerations))


def fill(mutation: Mutation, request: Request, facts: Facts, config: Configuration) -> None:
    """Fill in an InferenceService."""
    operator = operator_of(facts, config)
    now = _situation(mutation.object, request, operator, facts, config)
    if now is None:
        return
    before = _before(request.old_object, request, operator, facts, config)
    known = fields_of_spec(request.gvk, facts)
    for path, decide in _VALUES:
        if known is None or path[1] in known:
            _settle(mutation, path, decide, now, before)
    for path, decide_all in _LISTS:
        if known is None or path[1] in known:
            _settle_list(mutation, path, decide_all, now, before)


def _situation(service: JSONValue, request: Request, operator: Operator, facts: Facts, config: Configuration) -> Situation | None:
    """The service with its Model; `None` where that isn't known."""
    model = model_of(service, request.namespace, facts, config) if isinstance(service, dict) else None
    return (
        None if model is None else Situation(workload(service, model, namespace_of(service) or request.namespace, operator, facts), config)
    )


def _before(old: JSONValue, request: Request, operator: Operator, facts: Facts, config: Configuration) -> Situation | None:
    if not isinstance(old, dict):
        return None
    found = _situation(old, request, operator, facts, config)
    return found if found is not None and not found.workload.is_metal else None


def _settle(
    mutation: Mutation, path: Path, decide: Callable[[Situation], Filling | None], now: Situation, before: Situation | None
) -> None:
    """Fill one field where it is open, bring it up to date or let go of it where it was filled in before."""
    standing = lookup(mutation.object, path)
    ours = standing is not None and _was_filled(path, standing, decide, before) and not is_written(mutation.object, path)
    if standing is not None and not ours:
        return
    left_open = now.with_service(_without(mutation.object, path))
    filling = None if now.workload.is_metal else decide(left_open)
    if filling is not None:
        mutation.replace(path, filling.value, source=filling.source, reason=filling.reason)
    elif ours:
        added = added_with_port(spec_of(mutation.object)) if path == PORT else path
        mutation.remove(added, source="vendor table", reason=_NO_LONGER)


def _was_filled(path: Path, standing: JSONValue, decide: Callable[[Situation], Filling | None], before: Situation | None) -> bool:
    """Whether what stands in a field is what would have been filled into the stored object."""
    if before is None or lookup(before.service, path) != standing:
        return False
    filling = decide(before.with_service(_without(before.service, path)))
    return filling is not None and filling.value == standing


def _settle_list(
    mutation: Mutation, path: Path, decide: Callable[[Situation], list[Filling]], now: Situation, before: Situation | None
) -> None:
    """Add to a list what it lacks, and take out of it what was added before and no longer follows."""
    ours = _added_before(path, decide, before, written_items(mutation.object, path))

    def wanted(kept: list[JSONValue]) -> list[Filling]:
        return [] if now.workload.is_metal else decide(now.with_service(_with(mutation.object, path, kept)))

    settle_list(mutation, path, ours, wanted)


def _added_before(
    path: Path, decide: Callable[[Situation], list[Filling]], before: Situation | None, written: Sequence[JSONValue]
) -> list[JSONValue]:
    """The items of a list that would have been added to the stored object and stand in it."""
    old = lookup(before.service, path) if before is not None else None
    if before is None or not isinstance(old, list):
        return []
    added = [filling.value for filling in decide(before.with_service(_with(before.service, path, [])))]
    return [item for item in added if item in old and item not in written]


def _without(obj: JSONObject, path: Path) -> JSONObject:
    """A copy of the object in which nothing stands at `path`; only the maps on the way are copied."""
    key = str(path[0])
    if len(path) == 1:
        return {name: value for name, value in obj.items() if name != key}
    below = obj.get(key)
    return {**obj, key: _without(below, path[1:])} if isinstance(below, dict) else obj


def _with(obj: JSONObject, path: Path, value: JSONValue) -> JSONObject:
    """A copy of the object in which `value` stands at `path`, where the maps on the way are there."""
    key = str(path[0])
    if len(path) == 1:
        return {**obj, key: value}
    below = obj.get(key)
    return {**obj, key: _with(below, path[1:], value)} if isinstance(below, dict) else obj
