"""An object of a built-in kind as mutating policies get it: read, defaulted, and filled in by the admission plugins before them.

What those plugins fill in by facts that aren't known is in doubt, and so is what they draw.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from weighbridge.policies.admission_policies.built_in.admission import admitted
from weighbridge.policies.admission_policies.built_in.defaults import fill_in
from weighbridge.policies.admission_policies.built_in.forms import shape_of, written
from weighbridge.policies.apiserver.acceptance.typed_decode import decode_typed, nests_too_deep
from weighbridge.policies.apiserver.built_in_types import built_in_types
from weighbridge.policies.cel.values.values import NotKnown, NotKnownError
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.fields import part, text
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, Operation, Path, lookup
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema.go_values import deep_copy, deep_equal


@dataclass(frozen=True, slots=True)
class Taken:
    """An object as it comes to the policies, and the places in which it isn't known, each with what is there."""

    object: JSONObject
    doubts: Mapping[Path, str]


class UnreadableError(Exception):
    """The server can't read an object; the text is its own."""


def type_name(gvk: GroupVersionKind) -> str:
    """The type of a built-in kind; raises NotKnownError where it isn't bundled."""
    found = built_in_types().type_of(gvk)
    if found is None:
        raise NotKnownError(f"the types by which a {gvk.kind} of {gvk.api_version} merges")
    return found


def read(obj: JSONObject, name: str, *, is_strict: bool = False) -> JSONObject:
    """A decoded and defaulted object as JSON; raises UnreadableError."""
    shape = shape_of(name)
    if nests_too_deep(obj):
        raise UnreadableError("it nests too deep")
    decoded = decode_typed(obj, shape, names_fields=is_strict)
    if decoded.error:
        raise UnreadableError(decoded.error)
    if is_strict and decoded.unknown:
        unknown = ", ".join(f'unknown field "{field}"' for field in decoded.unknown)
        raise UnreadableError(f"strict decoding error: {unknown}")
    fill_in(decoded.value, name)
    return written(decoded.value, shape)


def take(obj: JSONObject, gvk: GroupVersionKind, operation: Operation, namespace: str, facts: Facts) -> Taken:
    """An object that is sent, as it comes to the policies. Raises NotKnownError where it doesn't come to them."""
    name = type_name(gvk)
    try:
        found = read(obj, name)
    except UnreadableError as error:
        raise NotKnownError(f"an object that the server can read: {error}") from None
    found |= {"apiVersion": gvk.api_version, "kind": gvk.kind}
    if namespace:
        found["metadata"].setdefault("namespace", namespace)
    _convert(found, gvk.kind)
    found, doubts = admitted(found, gvk, operation, namespace, facts)
    if operation is Operation.UPDATE:
        doubts |= {("metadata", key): f"metadata.{key} of the stored object" for key in ("uid", "creationTimestamp", "resourceVersion")}
        doubts = {path: why for path, why in doubts.items() if path[0] != "metadata" or lookup(found, path) is None}
    return Taken(found, doubts)


def read_old(stored: JSONValue, gvk: GroupVersionKind) -> JSONValue:
    """A stored object as policies see it; what a manifest in its place lacks isn't known."""
    name = built_in_types().type_of(gvk)
    if not isinstance(stored, dict) or name is None:
        return stored
    try:
        found = read(stored, name)
    except UnreadableError:
        return stored
    _convert(found, gvk.kind)
    if "status" in found and "status" not in stored:
        found["status"] = NotKnown("status of the stored object")
    return found


def _convert(obj: JSONObject, kind: str) -> None:
    """What reading an object changes beyond its defaults, in place."""
    if kind == "Secret" and obj.get("stringData"):
        texts = obj.pop("stringData")
        obj["data"] = {**part(obj, "data"), **{key: base64.b64encode(value.encode()).decode() for key, value in texts.items()}}
    elif kind == "DaemonSet":
        obj["metadata"].setdefault("annotations", {}).setdefault("deprecated.daemonset.template.generation", "0")


def as_given(given: JSONValue, before: JSONValue, after: JSONValue) -> JSONValue:
    """What an author would have to write to get from `before`, which the server has read from `given`, to `after`.

    What was filled in and hasn't changed is left out again.
    """
    if deep_equal(before, after):
        return given
    if isinstance(given, dict) and isinstance(before, dict) and isinstance(after, dict):
        found = {key: value for key, value in given.items() if key in after or key not in before}
        for key, value in after.items():
            if key in given or key not in before or not deep_equal(before[key], value):
                found[key] = as_given(given.get(key, _nothing(value)), before.get(key, _nothing(value)), value)
        return found
    if isinstance(given, list) and isinstance(before, list) and isinstance(after, list):
        return _items_as_given(given, before, after)
    return after


def _nothing(value: JSONValue) -> JSONValue:
    return {} if isinstance(value, dict) else None


def _items_as_given(given: list[Any], before: list[Any], after: list[Any]) -> list[Any]:
    """The items of a list: those that have a name are found by it, others by their content."""
    pairs = list(zip(given, before, strict=False))
    found = []
    for item in after:
        same = next((pair for pair in pairs if deep_equal(pair[1], item) or _share_name(pair[1], item)), None)
        found.append(item if same is None else as_given(*same, item))
    return found


def _share_name(one: JSONValue, other: JSONValue) -> bool:
    return isinstance(one, dict) and isinstance(other, dict) and bool(text(one, "name")) and one.get("name") == other.get("name")


def in_doubt(obj: JSONObject, doubts: Mapping[Path, str]) -> JSONObject:
    """A copy of an object with marks of what isn't known in these places."""
    found: JSONObject = deep_copy(obj)
    for path, why in doubts.items():
        holder = lookup(found, path[:-1])
        if isinstance(holder, dict):
            holder[path[-1]] = NotKnown(why)
    return found
