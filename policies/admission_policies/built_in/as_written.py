"""Finds what an author would have to write, so that an object of a built-in kind becomes what policies have changed it to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from weighbridge.policies.admission_policies.built_in.defaults import fill_in
from weighbridge.policies.admission_policies.built_in.forms import shape_of, written
from weighbridge.policies.apiserver.acceptance.typed_decode import decode_typed
from weighbridge.policies.apiserver.built_in_types import built_in_types
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.go_values import deep_equal


def as_given(given: JSONValue, before: JSONValue, after: JSONValue, kind: str) -> JSONValue:
    """What to write instead of `given`, which the server has read as `before`, to get `after`; `kind` is their type.

    Values that were filled in and haven't changed are left out again.
    """
    if deep_equal(before, after):
        return given
    if isinstance(given, dict) and isinstance(before, dict) and isinstance(after, dict):
        inner = _fields(kind)
        found = {key: value for key, value in given.items() if key in after or key not in before}
        for key, value in after.items():
            if key in given or key not in before or not deep_equal(before[key], value):
                absent: JSONValue = {} if isinstance(value, dict) else None
                found[key] = as_given(given.get(key, absent), before.get(key, absent), value, inner.get(key, inner.get("*", "")))
        return found
    if isinstance(given, list) and isinstance(before, list) and isinstance(after, list):
        return _items_as_given(given, before, after, _held(kind))
    return _lean(after, kind)


def _items_as_given(given: list[Any], before: list[Any], after: list[Any], kind: str) -> list[Any]:
    """The items of a list: those that have a name are found by it, others by their content."""
    pairs = list(zip(given, before, strict=False))
    found = []
    for item in after:
        same = next((pair for pair in pairs if deep_equal(pair[1], item) or _share_name(pair[1], item)), None)
        found.append(_lean(item, kind) if same is None else as_given(*same, item, kind))
    return found


def _share_name(one: JSONValue, other: JSONValue) -> bool:
    return isinstance(one, dict) and isinstance(other, dict) and bool(text(one, "name")) and one.get("name") == other.get("name")


def _held(kind: str) -> str:
    """The type of the items of a list or the values of a map."""
    return kind.partition("]" if kind[:1] == "[" else "}")[2].lstrip("~+")


def _fields(kind: str) -> Mapping[str, str]:
    """The types of the fields of a struct; of a map the type of its values, under a star."""
    if kind[:1] == "{":
        return {"*": _held(kind)}
    return _fields_of(release().name, kind) if kind[:1].isupper() else {}


@cache
def _fields_of(_version: str, name: str) -> Mapping[str, str]:
    return {key: field.kind.lstrip("~+") for key, field in built_in_types().fields(name)}


def _lean(value: JSONValue, kind: str) -> JSONValue:
    """A new value without the parts that the server fills in."""
    if isinstance(value, list):
        return [_lean(item, _held(kind)) for item in value]
    if not isinstance(value, dict) or not kind:
        return value
    inner = _fields(kind)
    if kind[0] == "{":
        return {key: _lean(item, inner["*"]) for key, item in value.items()}
    if not kind[0].isupper():
        return value
    whole, found = _filled(value, kind), dict(value)
    for key in value:
        rest = {other: item for other, item in found.items() if other != key}
        if _filled(rest, kind) == whole:
            found = rest
    return {key: _lean(item, inner.get(key, "")) for key, item in found.items()}


def _filled(value: JSONObject, kind: str) -> JSONObject:
    shape = shape_of(kind)
    read = decode_typed(value, shape).value
    fill_in(read, kind)
    return written(read, shape)
