"""The values that upstream's tests of evaluation give to their variables.

The vectors hold them as tagged JSON if CEL can read their parts; Go structs and handles of the server are as Go prints them. A struct is
the same object as the map in the other half of the test, so the map is used; both are read by the schema of the test.
"""

from __future__ import annotations

import base64
from typing import Any

from tests.cel.vectors.typed_values import decode
from weighbridge.policies.cel.library.authz import AuthorizerValue, Decision, Question
from weighbridge.policies.cel.library.standard_conversions import to_duration, to_timestamp
from weighbridge.policies.cel.values.data import read
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.cel.values.values import Value
from weighbridge.policies.schema.node import Schema

Json = dict[str, Any]

_TEXT = {"type": "string"}
_INT = {"type": "integer", "format": "int64"}
_INTS = {"type": "array", "items": _INT}
_COUNTS = {"type": "object", "additionalProperties": _INT}
_METADATA = {"type": "object", "properties": {"name": _TEXT}}
_HEAD = {"kind": _TEXT, "apiVersion": _TEXT, "metadata": _METADATA}
_STRUCT = {
    "type": "object",
    "properties": _HEAD | {"s": _TEXT, "i": _INT, "b": {"type": "boolean"}, "f": {"type": "number"}},
}
_NESTED = {"type": "object", "properties": {"name": _TEXT, "info": _STRUCT}}
_TIME = {"type": "string", "format": "date-time"}
_BYTES = {"type": "string", "format": "byte"}
_ENTRY = {"type": "object", "properties": {"key1": _TEXT, "key2": _TEXT, "value": _INT}}
_COMPLEX = {
    "type": "object",
    "properties": _HEAD
    | {
        "id": _TEXT, "tags": {"type": "array", "items": _TEXT}, "labels": {"type": "object", "additionalProperties": _TEXT},
        "nestedObj": _NESTED, "nestedEmpty": _NESTED, "nestedZero": _NESTED, "timeout": {"type": "string", "format": "duration"},
        "time": _TIME, "microTime": _TIME, "rawBytes": _BYTES, "nilBytes": _BYTES, "childPtr": _STRUCT, "nilPtr": _STRUCT,
        "emptySlice": _INTS, "nilSlice": _INTS, "emptyMap": _COUNTS, "nilMap": _COUNTS, "intOrString": {"x-kubernetes-int-or-string": True},
        "quantity": _TEXT, "i32": {"type": "integer", "format": "int32"}, "i64": _INT, "f32": {"type": "number"}, "enum": _TEXT,
        "mapList": {
            "type": "array", "items": _ENTRY, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["key1", "key2"],
        },
        "setList": _INTS | {"x-kubernetes-list-type": "set"},
    },
}  # fmt: skip


class Allowing:
    """An authorizer that allows everything, like that of upstream's tests."""

    def authorize(self, _question: Question) -> Decision:
        """Yes."""
        return Decision(is_allowed=True)


def value_of(tagged: Any) -> Value:
    """The value of a variable; raises ValueError for a value that only Go has."""
    if tagged is None:
        return None
    if not isinstance(tagged, dict):
        return tagged
    if tagged.get("type") == "kubernetes.authorization.Authorizer":
        return AuthorizerValue(Allowing())
    if "map" in tagged:
        return _object(_raw(tagged))
    if "list" in tagged:
        return [value_of(element) for element in tagged["list"]]
    if "str" in tagged:
        return _printed(tagged)
    if next(iter(tagged)) in ("fizz", "x", "namespace"):
        return read(tagged, DeclaredType(Schema({"type": "object", "properties": dict.fromkeys(tagged, _TEXT)})))
    return decode(tagged)


def _object(raw: Json) -> Value:
    """A map of integers or texts, or an object of one of the test's two kinds."""
    if raw.keys() <= {"a", "b", "c"}:
        values = _TEXT if any(isinstance(value, str) for value in raw.values()) else _INT
        return read(raw, DeclaredType(Schema({"type": "object", "additionalProperties": values})))
    return read(raw, DeclaredType(Schema(_COMPLEX if "mapList" in raw else _STRUCT)))


def _printed(tagged: Json) -> Value:
    if tagged["type"] == "google.protobuf.Duration":
        return to_duration(tagged["str"])
    if tagged["type"] == "google.protobuf.Timestamp":
        return to_timestamp(_rfc3339(tagged["str"]))
    raise ValueError(f"only Go knows {tagged['type']}")


def _rfc3339(printed: str) -> str:
    day, time, *_ = printed.split(" ")
    return f"{day}T{time}Z"


def _raw(tagged: Any) -> Any:
    """The JSON of a tagged value; entries without a key are fields that Go couldn't convert."""
    if tagged is None:
        return None
    kind, content = next(iter(tagged.items()))
    if kind == "list":
        return [_raw(element) for element in content]
    if kind == "map":
        return {_raw(key): _raw(value) for key, value in content if key is not None}
    if kind == "str":
        return tagged["str"] if tagged["type"] == "google.protobuf.Duration" else _rfc3339(tagged["str"])
    value = decode(tagged)
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value
