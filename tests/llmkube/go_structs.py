"""Whether Go can read an object into a struct, and Go's error if it can't.

Operators' webhooks decode objects before the API server has compared them with the schema, so a value of the wrong type is first refused
there, in Go's words. The first wrong value counts, in the order in which the API server writes objects: maps by key. Keys that a struct
doesn't have, and nulls, are skipped. Source: sigs.k8s.io/json, internal/golang/encoding/json/decode.go, for Kubernetes 1.36.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue

#: The width of each integer type.
_INTEGERS: Final = {"int32": 32, "int64": 64}


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct: its package and name, and the types of its fields by their JSON keys."""

    package: str
    name: str
    fields: dict[str, GoType]

    def __str__(self) -> str:
        return f"{self.package}.{self.name}"


@dataclass(frozen=True, slots=True)
class Slice:
    """A slice of one type."""

    of: GoType

    def __str__(self) -> str:
        return f"[]{self.of}"


#: A scalar is written with its Go name. Pointers are left out, since they make no difference for JSON.
GoType: TypeAlias = str | Struct | Slice


def mismatch(value: JSONObject, struct: Struct) -> str:
    """Go's message for the first value of the object that doesn't fit; empty if all do."""
    return _in_struct(value, struct, ())


def _in_struct(value: JSONObject, struct: Struct, path: tuple[str, ...]) -> str:
    for key in sorted(value):
        wanted = struct.fields.get(key)
        if wanted is not None:
            message = _in_field(value[key], wanted, struct, (*path, key))
            if message:
                return message
    return ""


def _in_field(value: JSONValue, wanted: GoType, struct: Struct, path: tuple[str, ...]) -> str:
    if value is None:
        return ""
    if isinstance(wanted, Struct) and isinstance(value, dict):
        return _in_struct(value, wanted, path)
    if isinstance(wanted, Slice) and isinstance(value, list):
        return next(filter(None, (_in_field(item, wanted.of, struct, path) for item in value)), "")
    found = _unfit(value, wanted)
    return f"json: cannot unmarshal {found} into Go struct field {struct.name}.{'.'.join(path)} of type {wanted}" if found else ""


def _unfit(value: JSONValue, wanted: GoType) -> str:
    """Go's name for a value that doesn't fit a type; empty if it fits. Containers never fit here."""
    if isinstance(value, bool):
        return "" if wanted == "bool" else "bool"
    if isinstance(value, str):
        return "" if wanted == "string" else "string"
    if isinstance(value, (dict, list)):
        return "object" if isinstance(value, dict) else "array"
    if wanted == "float64":
        return ""
    if isinstance(wanted, str) and wanted in _INTEGERS:
        limit = 1 << (_INTEGERS[wanted] - 1)
        return "" if value == int(value) and -limit <= value < limit else f"number {json_text(value)}"
    return "number"
