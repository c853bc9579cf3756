"""Kubernetes' strategic merge of pod specs, with which OME merges a service's component over the runtime's.

Lists whose items have a key are merged item by item. The service's items keep their order. An item that only the runtime has goes before
the first of them that it precedes in the runtime's list, or else to the end. All other lists are replaced. Values that Go leaves out of
JSON replace nothing: empty texts, lists and maps, and 0 and false if a field is no pointer. The merge never removes a field, so a volume
can get two kinds. Sources: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/utils/merging.go; k8s.io/apimachinery
pkg/util/strategicpatch; the patchMergeKey and json tags of k8s.io/api/core/v1.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final

from weighbridge.policies.ground.objects import JSONObject, JSONValue

#: The key of the items of a list, by the name of the list.
KEYS: Final = {
    "containers": "name",
    "initContainers": "name",
    "volumes": "name",
    "imagePullSecrets": "name",
    "env": "name",
    "ports": "containerPort",
    "volumeMounts": "mountPath",
    "volumeDevices": "devicePath",
    "hostAliases": "ip",
    "topologySpreadConstraints": "topologyKey",
    "schedulingGates": "name",
    "resourceClaims": "name",
}
#: Maps that Go leaves out if they are empty. Every other map is a pointer, such as that of an `emptyDir`, and stays if it is empty.
_OPTIONAL_MAPS: Final = frozenset({"annotations", "config", "labels", "limits", "nodeSelector", "overhead", "requests"})
#: Texts that are pointers, of which an empty one stays and is refused.
_POINTERS: Final = ("runtimeClassName",)
#: Maps from a user's keys, of which every value stays, even an empty one.
_MAPS_OF_KEYS: Final = _OPTIONAL_MAPS | {"matchLabels", "options", "volumeAttributes"}
#: Numbers and flags that Go leaves out if they are 0 or false.
_OPTIONAL_SCALARS: Final = frozenset(
    {
        *("hostIPC", "hostNetwork", "hostPID", "hostPort", "readOnly", "stdin", "stdinOnce", "tty", "maxReplicas"),
        *("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"),
    }
)


def merged(base: JSONObject, patch: JSONObject) -> JSONObject:
    """The base with the patch merged over it."""
    out = {key: value for key, value in base.items() if not _is_left_out(key, value)}
    for key, value in patch.items():
        if not _is_left_out(key, value):
            out[key] = _value(key, out.get(key), value)
    return out


def runner_merged(base: JSONObject, runner: JSONObject) -> JSONObject:
    """A runner merged over the container of its name, whose arguments the runner's are added to."""
    out = merged(base, runner)
    if isinstance(base.get("args"), list) and isinstance(runner.get("args"), list):
        out["args"] = [*base["args"], *runner["args"]]
    return out


def _is_left_out(key: str, value: JSONValue) -> bool:
    """Whether Go leaves a value out of JSON."""
    if isinstance(value, dict):
        return not value and key in _OPTIONAL_MAPS
    if isinstance(value, bool | int):
        return not value and key in _OPTIONAL_SCALARS
    return value is None or value == [] or (value == "" and key not in _POINTERS)


def _value(name: str, base: JSONValue, patch: JSONValue) -> JSONValue:
    if isinstance(base, dict) and isinstance(patch, dict):
        return {**base, **patch} if name in _MAPS_OF_KEYS else merged(base, patch)
    if isinstance(base, list) and isinstance(patch, list) and name in KEYS:
        return _items(KEYS[name], base, patch)
    return patch


def _items(name: str, base: list[JSONValue], patch: list[JSONValue]) -> list[JSONValue]:
    both, places = list(base), _places(name, base)
    for item in patch:
        index = places.setdefault(key_of(item, name), len(both))
        if index == len(both):
            both.append(item)
            continue
        found = both[index]
        both[index] = merged(found, item) if isinstance(found, dict) and isinstance(item, dict) else item
    return _ordered(name, base, patch, both)


def _ordered(name: str, base: list[JSONValue], patch: list[JSONValue], both: list[JSONValue]) -> list[JSONValue]:
    """The merged items in Kubernetes' order; an item that the base doesn't have comes as early as the patch's order allows."""
    in_base, in_patch = _places(name, base), _places(name, patch)
    patched: list[tuple[int, JSONValue]] = []
    others = deque[JSONValue]()
    for item in both:
        at = in_patch.get(key_of(item, name))
        if at is None:
            others.append(item)
        else:
            patched.append((at, item))
    patched.sort(key=lambda one: one[0])
    out: list[JSONValue] = []
    for _, item in patched:
        place = in_base.get(key_of(item, name))
        while others and place is not None and in_base.get(key_of(others[0], name), 0) < place:
            out.append(others.popleft())
        out.append(item)
    return [*out, *others]


def _places(name: str, items: list[JSONValue]) -> dict[JSONValue, int]:
    """The index of the first item of each key."""
    return {key_of(item, name): index for index, item in reversed([*enumerate(items)])}


def key_of(item: JSONValue, name: str) -> Any:
    """The key of an item of a list; `None` if it has none. A list or a map as a key, which no schema allows, becomes a text."""
    key = item.get(name) if isinstance(item, dict) else None
    return repr(key) if isinstance(key, dict | list) else key
