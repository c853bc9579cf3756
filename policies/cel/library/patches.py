"""The values that expressions of mutating policies build: objects, JSON patches, and the keys of paths.

    Object{spec: Object.spec{replicas: 2}}
    [JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b"), value: "c"}]

An object's fields aren't known, so any name and any type is accepted. Source: k8s.io/apiserver `pkg/cel/mutation`,
`pkg/cel/mutation/dynamic/objects.go`, `pkg/cel/library/jsonpatch.go`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from weighbridge.policies.cel.library.errors import unexpected_field_type
from weighbridge.policies.cel.library.overload import Library, traversal, traversal_estimated
from weighbridge.policies.cel.values.types import DYN, STRING, Type, struct
from weighbridge.policies.cel.values.values import CelError, Uint, Value, go_type_name, type_name

#: The type of an object as a whole; the types of its parts are named by their paths, such as ``Object.spec``.
OBJECT: Final = struct("Object")
JSON_PATCH: Final = struct("JSONPatch")


class BuiltTypes(Protocol):
    """Types whose values an expression can build with ``Name{field: value}``."""

    def type_named(self, name: str) -> Type | None:
        """The type with that name, or `None`."""
        ...

    def field(self, struct: str, name: str) -> Type | None:
        """The type of a field of one of these types, or `None`."""
        ...

    def build(self, name: str, fields: dict[str, Value]) -> Value:
        """A value of the type with that name."""
        ...


class ObjectValue:
    """An object, or a part of one, that an expression built."""

    __slots__ = ("built_fields", "cel_type")

    go_type: Final = "*dynamic.ObjectVal"

    def __init__(self, name: str, fields: dict[str, Value]) -> None:
        self.cel_type = name
        self.built_fields = fields

    def equals(self, other: object) -> bool | None:
        """Objects are equal if their types and contents are, including the types of numbers."""
        return isinstance(other, ObjectValue) and self.cel_type == other.cel_type and _same(self.built_fields, other.built_fields)

    def unset(self, _name: str) -> Value:
        """The value of a field that isn't set."""
        return None


class PatchValue:
    """One operation of a JSON patch."""

    __slots__ = ("built_fields",)

    cel_type: Final = "JSONPatch"
    go_type: Final = "*mutation.JSONPatchVal"

    def __init__(self, fields: dict[str, Value]) -> None:
        #: Texts; an empty one counts as not set.
        self.built_fields = {name: value for name, value in fields.items() if name == "value" or value}

    def equals(self, other: object) -> bool | None:
        """Operations are equal if their texts and values are."""
        return isinstance(other, PatchValue) and _same(self.built_fields, other.built_fields)

    def unset(self, name: str) -> Value:
        """The value of a field that isn't set."""
        return None if name == "value" else ""


def _same(left: Value, right: Value) -> bool:
    """``reflect.DeepEqual`` of values, so that 1 and 1.0 differ."""
    if left.__class__ is not right.__class__:
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(_same(left[name], right[name]) for name in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(_same, left, right))
    return bool(left.equals(right)) if hasattr(left, "equals") else bool(left == right)


class _PatchTypes:
    """`BuiltTypes` of mutating policies."""

    _PATCH_FIELDS: Final[Mapping[str, Type]] = {"op": STRING, "path": STRING, "from": STRING, "value": DYN}

    def type_named(self, name: str) -> Type | None:
        if name == JSON_PATCH.name:
            return JSON_PATCH
        return struct(name) if name == OBJECT.name or name.startswith(f"{OBJECT.name}.") else None

    def field(self, struct: str, name: str) -> Type | None:
        return self._PATCH_FIELDS.get(name) if struct == JSON_PATCH.name else DYN

    def build(self, name: str, fields: dict[str, Value]) -> Value:
        if name != JSON_PATCH.name:
            return ObjectValue(name, fields)
        for part, value in fields.items():
            if part != "value" and value.__class__ is not str:
                raise CelError(unexpected_field_type(_native_type(value), part))
        return PatchValue(fields)


def _native_type(value: Value) -> str:
    """The Go type of a value's content, as ``%T`` prints it."""
    found = _NATIVE_TYPES.get(value.__class__)
    return found if found is not None else go_type_name(value) if type_name(value) != "unknown" else "interface {}"


_NATIVE_TYPES: Final[dict[type, str]] = {
    int: "int64", Uint: "uint64", float: "float64", bool: "bool", bytes: "[]uint8", type(None): "structpb.NullValue",
}  # fmt: skip

PATCH_TYPES: Final[BuiltTypes] = _PatchTypes()


def escape_key(text: str) -> str:
    """``jsonpatch.escapeKey(text)``."""
    return text.replace("~", "~0").replace("/", "~1")


LIBRARY: Final = Library(since=(1, 0))
LIBRARY.function(
    "jsonpatch.escapeKey", "string_jsonpatch_escapeKey_string", (STRING,), STRING, escape_key, cost=traversal(0),
    estimate=traversal_estimated(0),
)  # fmt: skip
