"""Kubernetes' strategic merge of pod specs, as OME lays a service's component over the runtime's.

Lists whose items have a key are merged item by item: those of the base keep their place, new ones follow. All other lists are replaced,
and what is empty replaces nothing, since OME writes both sides as JSON that leaves it out. Nothing is taken away: an item with two kinds
of volume keeps both. Sources: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/utils/merging.go; k8s.io/apimachinery
pkg/util/strategicpatch; the patchMergeKey tags of k8s.io/api/core/v1.
"""

from __future__ import annotations

from typing import Final

from policies.objects import JSONObject, JSONValue

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
_EMPTY: Final[tuple[JSONValue, ...]] = (None, "", [], {})


def merged(base: JSONObject, patch: JSONObject) -> JSONObject:
    """The base with the patch laid over it."""
    out = {key: value for key, value in base.items() if value not in _EMPTY}
    for key, value in patch.items():
        if value not in _EMPTY:
            out[key] = _value(key, out.get(key), value)
    return out


def runner_merged(base: JSONObject, runner: JSONObject) -> JSONObject:
    """A runner laid over the container of its name, where arguments are added to those of the container."""
    out = merged(base, runner)
    if isinstance(base.get("args"), list) and isinstance(runner.get("args"), list):
        out["args"] = [*base["args"], *runner["args"]]
    return out


def _value(name: str, base: JSONValue, patch: JSONValue) -> JSONValue:
    if isinstance(base, dict) and isinstance(patch, dict):
        return merged(base, patch)
    if isinstance(base, list) and isinstance(patch, list) and name in KEYS:
        return _items(KEYS[name], base, patch)
    return patch


def _items(key: str, base: list[JSONValue], patch: list[JSONValue]) -> list[JSONValue]:
    out = list(base)
    at = {_key(item, key): index for index, item in enumerate(out) if isinstance(item, dict)}
    for item in patch:
        index = at.get(_key(item, key)) if isinstance(item, dict) else None
        found = out[index] if index is not None else None
        if index is not None and isinstance(found, dict) and isinstance(item, dict):
            out[index] = merged(found, item)
        else:
            out.append(item)
    return out


def _key(item: JSONObject, key: str) -> str | int | None:
    """What an item is found by; a value that can't be a key counts as absent."""
    value = item.get(key)
    return value if isinstance(value, str | int) else None
