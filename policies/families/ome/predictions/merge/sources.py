"""The source of each value of a pod: the service, its runtime, its accelerator class, or OME itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from weighbridge.policies.families.ome.predictions.merge.components import Component
from weighbridge.policies.families.ome.predictions.merge.placeholders import PlaceholderError, UnknownPlaceholderError, replaced
from weighbridge.policies.families.ome.predictions.merge.pod_webhook import admitted, templates_of
from weighbridge.policies.families.ome.predictions.merge.pods import CommonPart
from weighbridge.policies.families.ome.predictions.merge.strategic import KEYS
from weighbridge.policies.families.ome.subject.components import COMPONENTS
from weighbridge.policies.families.ome.subject.ready_labels import ready_label
from weighbridge.policies.families.prediction import PredictedValue
from weighbridge.policies.ground.fields import items, part, text, text_map
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, field, name_of

_OME: Final = "OME v0.1.5"
WEBHOOK: Final = f"{_OME} webhook for pods"
_ROLES: Final[dict[str, Path]] = {
    "": ("spec", "template", "spec"),
    "leader": ("spec", "leaderWorkerTemplate", "leaderTemplate", "spec"),
    "worker": ("spec", "leaderWorkerTemplate", "workerTemplate", "spec"),
}
#: A path in which items of lists have their keys instead of indexes, so it is the same in service, runtime and pod.
_Keyed: TypeAlias = tuple[JSONValue, ...]


def values_of(workload: JSONObject, component: Component, share: CommonPart) -> Iterator[PredictedValue]:
    """Every value of the pods of a Deployment or LeaderWorkerSet, with its source."""
    name = f"{workload['kind']}/{name_of(workload)}"
    for role, path in _ROLES.items():
        spec = part(workload, *map(str, path))
        if not spec:
            continue
        where = (component.name, role) if role else (component.name,)
        own = dict(_of_component(part(component.own, role) if role else component.own))
        given = dict(_of_component(part(component.given, role) if role else component.given))
        for steps, keyed, value in _leaves(spec):
            source, reason = _origin(keyed, value, own, given, share, where)
            yield PredictedValue(name, field((*path, *steps)), value, source, reason)


def added_values(workload: JSONObject, settings: Mapping[str, JSONObject]) -> Iterator[PredictedValue]:
    """The values that OME's webhook adds to the pods of a workload, without the annotations that switch metrics off."""
    name = f"pods of {workload['kind']}/{name_of(workload)}"
    for role, template in templates_of(workload):
        before = {steps for steps, _, _ in _leaves(template)}
        for steps, _, value in _leaves(admitted(template, settings).template):
            if steps not in before and not (steps[:1] == ("metadata",) and value in ("", "false")):
                yield PredictedValue(name, field((*((role,) if role else ()), *steps)), value, WEBHOOK, "added to each pod")


def _origin(
    keyed: _Keyed,
    value: JSONValue,
    own: Mapping[_Keyed, JSONValue],
    given: Mapping[_Keyed, JSONValue],
    share: CommonPart,
    where: tuple[str, ...],
) -> tuple[str, str]:
    runtime = f"{text(share.runtime, 'kind')} {name_of(share.runtime)} {field(('spec', COMPONENTS[where[0]], *where[1:]))}"
    if _says(own, keyed, value, share):
        others = given.get(keyed)
        overridden = f"overrides: {runtime} has {json_text(others)}" if keyed in given and others != value else ""
        return f"InferenceService {name_of(share.service)} {field(('spec', *where))}", overridden
    if _says(given, keyed, value, share):
        return runtime, ""
    if (found := _of_class(keyed, value, share)) is not None:
        return found
    of_runtime = f"{text(share.runtime, 'kind')} {name_of(share.runtime)}"
    if keyed[0] == "nodeSelector" and text_map(share.runtime, "spec", "nodeSelector").get(str(keyed[-1])) == value:
        return f"{of_runtime} spec.nodeSelector", ""
    if "resources" in keyed:
        return f"{of_runtime} spec.containers", ""
    if _is_of_model(keyed, share):
        return f"{share.model.title} spec.storage", "the model's files lie on the node"
    return _OME, "added to every pod of this kind"


def _says(side: Mapping[_Keyed, JSONValue], keyed: _Keyed, value: JSONValue, share: CommonPart) -> bool:
    """Whether the service or the runtime has this value, as it is written or with its placeholders replaced."""
    found = side.get(keyed)
    if found == value:
        return True
    try:
        return found is not None and replaced(found, share.service) == value
    except (PlaceholderError, UnknownPlaceholderError):
        return False


def _of_class(keyed: _Keyed, value: JSONValue, share: CommonPart) -> tuple[str, str] | None:
    """The source of a value that the accelerator class sets, or the runtime for this class; `None` for other values."""
    accelerator = share.accelerator
    if accelerator is None:
        return None
    if _is_overridden(keyed, share.override):
        origin = f"{text(share.runtime, 'kind')} {name_of(share.runtime)} spec.supportedModelFormats acceleratorConfig {accelerator.name}"
        return origin, "what a format sets for a class goes over runtime and service"
    # A class without resources leaves empty maps.
    if "resources" in keyed and (value == {} or keyed[-1] in accelerator.resources):
        return f"AcceleratorClass {accelerator.name} spec.resources", "a class's resources take the place of the runtime's"
    if keyed[0] == "affinity" or (keyed[0] == "nodeSelector" and accelerator.node_selector.get(str(keyed[-1])) == value):
        return f"AcceleratorClass {accelerator.name} spec.discovery", ""
    return None


def _is_of_model(keyed: _Keyed, share: CommonPart) -> bool:
    """Whether OME adds a value so that pods find the model's files."""
    match keyed:
        case ("nodeSelector", label):
            return bool(label == ready_label(share.model.namespace, share.model.name))
        case ("volumes", name, *_):
            return bool(name == share.model.name)
        case (_, _, "volumeMounts", path, *_):
            return bool(path == share.model.path)
    return "MODEL_PATH" in keyed and not share.weights.name


def _is_overridden(keyed: _Keyed, override: JSONObject | None) -> bool:
    """Whether a value is set for the class by a format of the runtime."""
    if override is None:
        return False
    if keyed[-1] in ("args", "command"):
        return bool(override.get("runtimeArgsOverride") or override.get("tensorParallelismOverride"))
    return "env" in keyed and any(name in text_map(override, "environmentOverride") for name in keyed)


def _of_component(component: JSONObject) -> Iterator[tuple[_Keyed, JSONValue]]:
    """The values of the service or of the runtime, under the paths that they have in the pod."""
    runner = part(component, "runner")
    for _, keyed, value in _leaves({key: value for key, value in component.items() if key != "runner"}):
        yield keyed, value
    for _, keyed, value in _leaves(runner):
        yield ("containers", text(runner, "name"), *keyed), value


def _leaves(value: JSONValue, steps: Path = (), keyed: _Keyed = ()) -> Iterator[tuple[Path, _Keyed, JSONValue]]:
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from _leaves(inner, (*steps, name), (*keyed, name))
    elif isinstance(value, list) and value and steps and steps[-1] in KEYS:
        for index, item in enumerate(items(value)):
            yield from _leaves(item, (*steps, index), (*keyed, item.get(KEYS[str(steps[-1])])))
    else:
        yield steps, keyed, value
