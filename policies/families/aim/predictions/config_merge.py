"""The merge of a namespace's runtime config over the cluster's config of the same name, and the values that get lost.

kaiwo takes some fields as a whole from one of the two. aim-engine merges deeply, and an empty value never wins: `false`, `0` and a timeout
of zero count as empty.

Source: kaiwo dbca1b55, internal/controller/aim/shared/runtime_config.go; aim-engine v0.2.1, internal/controller/utils/config.go with
dario.cat/mergo v1.0.2 (darccio/mergo#131).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.families.aim.predictions.environment import merge_environment
from weighbridge.policies.ground.durations import nanoseconds
from weighbridge.policies.ground.fields import items, part, text, text_map
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, lookup
from weighbridge.policies.schema.go_values import deep_copy

_TIMEOUT: Final = "requestTimeout"
_LEGACY: Final = ("defaultStorageClassName", "pvcHeadroomPercent")


def merged_deeply(cluster: JSONObject, namespaced: JSONObject) -> JSONObject:
    """aim-engine's merge of two specs."""
    over = storage_moved(namespaced)
    out = _deep(storage_moved(cluster), {key: value for key, value in over.items() if key != "env"})
    annotations = text_map(cluster, "routing", "annotations") | text_map(namespaced, "routing", "annotations")
    if annotations and isinstance(out.get("routing"), dict):
        out["routing"] = {**out["routing"], "annotations": annotations}
    env = merge_environment(items(cluster, "env"), items(namespaced, "env"))
    return {**out, "env": env} if env else out


def merged_by_field(cluster: JSONObject, namespaced: JSONObject) -> JSONObject:
    """kaiwo's merge of two specs."""
    out: JSONObject = deep_copy(cluster)
    if text(namespaced, "defaultStorageClassName"):
        out["defaultStorageClassName"] = namespaced["defaultStorageClassName"]
    if namespaced.get("pvcHeadroomPercent") is not None:
        out["pvcHeadroomPercent"] = namespaced["pvcHeadroomPercent"]
    if isinstance(namespaced.get("routing"), dict):
        routing = deep_copy(namespaced["routing"])
        out["routing"] = _routing(cluster["routing"], routing) if isinstance(cluster.get("routing"), dict) else routing
    return out


def storage_moved(spec: JSONObject) -> JSONObject:
    """A spec of aim-engine's with its deprecated fields moved into `storage`, unless `storage` has them."""
    moved = {key: spec[key] for key in _LEGACY if spec.get(key) not in (None, "")}
    rest = {key: value for key, value in spec.items() if key not in _LEGACY}
    return {**rest, "storage": {**moved, **part(spec, "storage")}} if moved else rest


def leaves(spec: JSONValue, path: Path = ()) -> Iterator[tuple[Path, JSONValue]]:
    """Every value of a spec that is no map, with its path; a variable of `env` counts as one value, whose path has its name."""
    if not isinstance(spec, dict):
        yield path, spec
        return
    for key, value in spec.items():
        if key == "env" and not path:
            for entry in items(spec, "env"):
                yield ("env", text(entry, "name")), {name: inner for name, inner in entry.items() if name != "name"}
        elif value is not None:
            yield from leaves(value, (*path, key))


class Values:
    """The values of a spec by the paths of `leaves`."""

    def __init__(self, spec: JSONObject) -> None:
        self._spec = spec
        self._variables: dict[Path, JSONValue] | None = None

    def at(self, path: Path) -> JSONValue:
        """The value at a path; `None` if there is none; of two variables with the same name the first."""
        if path[:1] != ("env",):
            return lookup(self._spec, path)
        if self._variables is None:
            self._variables = {}
            for found, value in leaves({"env": self._spec.get("env")}):
                self._variables.setdefault(found, value)
        return self._variables.get(path)


def _routing(cluster: JSONObject, namespaced: JSONObject) -> JSONObject:
    """If both configs have routing, the annotations and the timeouts of both get lost."""
    out = {key: deep_copy(value) for key, value in cluster.items() if key in ("enabled", "gatewayRef", "pathTemplate")}
    for key in ("enabled", "gatewayRef"):
        if namespaced.get(key) is not None:
            out[key] = namespaced[key]
    if text(namespaced, "pathTemplate"):
        out["pathTemplate"] = namespaced["pathTemplate"]
    return out


def _deep(base: JSONValue, over: JSONValue, key: str = "") -> JSONValue:
    if isinstance(base, dict) and isinstance(over, dict):
        both = {inner: _deep(value, over.get(inner), inner) for inner, value in base.items()}
        return both | {inner: deep_copy(value) for inner, value in over.items() if inner not in base}
    is_empty = over in (None, "", 0, [], {}) or (key == _TIMEOUT and nanoseconds(over) == 0)
    return deep_copy(base if is_empty and base is not None else over)
