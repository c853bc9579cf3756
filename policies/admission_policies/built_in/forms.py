"""Objects of built-in kinds as the server's Go structs hold them: read from JSON, and written as JSON again.

Decoded objects have no zero values (see `go_types`); those that Go always writes are added when an object is written.
Source: k8s.io/apimachinery pkg/runtime/converter.go, the ``UnmarshalJSON`` methods of resource.Quantity and intstr.IntOrString.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from weighbridge.policies.apiserver.acceptance.go_types import (
    AnyJSON,
    Boolean,
    Bytes,
    Field,
    Float,
    GoType,
    Integer,
    ListOf,
    MapOf,
    Scalar,
    Struct,
    Text,
    Time,
)
from weighbridge.policies.apiserver.built_in_types import built_in_types
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.metadata_errors import not_unmarshalled, the_number

_MAX_INT32: Final = 2**31 - 1


def _quantity(value: JSONValue) -> JSONValue:
    return Quantity.parse(value if isinstance(value, str) else json_text(value)).canonical()


def _int_or_string(value: JSONValue) -> JSONValue:
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and -_MAX_INT32 <= value <= _MAX_INT32:
        return value
    word = {bool: "bool", list: "array", dict: "object"}.get(value.__class__, the_number(json_text(value)))
    raise ValueError(not_unmarshalled(word, "int32"))


_SCALARS: Final[dict[str, GoType]] = {
    "bool": Boolean(), "bytes": Bytes(), "duration": Text(), "fields": AnyJSON(), "float": Float(), "int32": Integer(32),
    "int64": Integer(64), "intstr": Scalar("intstr.IntOrString", _int_or_string, 0), "microtime": Text(),
    "quantity": Scalar("resource.Quantity", _quantity, "0"), "raw": AnyJSON(), "string": Text(), "time": Time(),
}  # fmt: skip


def shape_of(name: str) -> Struct:
    """The Go struct of a type, in the release in force."""
    return _shape(release().name, name)


#: Types that share their Go name with a type of another group.
_GO_NAMES: Final = {"ResourceResourceClaim": "ResourceClaim"}


@cache
def _shape(version: str, name: str) -> Struct:
    fields = {key: Field(_go_type(field.kind, version), field.pointer, field.always) for key, field in built_in_types().fields(name)}
    return Struct(_GO_NAMES.get(name, name), fields)


def _go_type(kind: str, version: str) -> GoType:
    if kind[0] == "[":
        return ListOf(_go_type(kind.partition("]")[2], version))
    if kind[0] == "{":
        return MapOf(_go_type(kind.partition("}")[2], version))
    kind = kind.lstrip("~+")
    plain, _, own = kind.partition(":")
    if own:
        return Text(own if "." in own else f"v1.{own}")
    return _SCALARS.get(plain) or _shape(version, plain)


def written(value: JSONObject, shape: Struct) -> JSONObject:
    """A struct as JSON, without empty fields unless they are always written."""
    return dict(_fields(value, shape))


def _fields(value: JSONObject, shape: Struct) -> Iterator[tuple[str, JSONValue]]:
    for key, field in shape.fields.items():
        held = value.get(key)
        if held is None:
            if field.always:
                yield key, _zero(field.type)
        elif field.always or held or not isinstance(field.type, (ListOf, MapOf)):
            yield key, _written(held, field.type)


def _zero(kind: GoType) -> JSONValue:
    if isinstance(kind, Struct):
        return written({}, kind)
    if isinstance(kind, Scalar):
        return kind.zero
    return {Text: "", Boolean: False, Integer: 0, Float: 0}.get(kind.__class__)


def _written(value: JSONValue, kind: GoType) -> JSONValue:
    if isinstance(kind, Struct):
        return written(value, kind)
    if isinstance(kind, ListOf):
        return [_written(item, kind.item) for item in value]
    if isinstance(kind, MapOf):
        return {key: _written(item, kind.value) for key, item in value.items()}
    return value
