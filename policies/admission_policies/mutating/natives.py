"""The results of expressions in the form of the server's patchers: Go values for a merge, JSON for a JSON patch.

Mostly both are the same JSON. They differ where the server converts only one level: a list or map inside another list remains a CEL value,
which no schema accepts. Such values are `Foreign`. Source: k8s.io/apiserver `pkg/cel/mutation/dynamic/objects.go` (`convertField`),
cel-go's `common/types`.
"""

from __future__ import annotations

import base64
import sys
from decimal import Decimal
from typing import Any, Final

from weighbridge.policies.admission_policies.mutating import wordings
from weighbridge.policies.admission_policies.mutating.foreign import NULL, Foreign, ServerPanicError, foreign
from weighbridge.policies.admission_policies.mutating.nil_lists import NilList
from weighbridge.policies.cel.library.patches import ObjectValue
from weighbridge.policies.cel.values.access import elements, is_list, is_map, pairs
from weighbridge.policies.cel.values.data import native
from weighbridge.policies.cel.values.go_values import go_text
from weighbridge.policies.cel.values.times import timestamp_text
from weighbridge.policies.cel.values.values import (
    DataList,
    DataMap,
    Duration,
    Hidden,
    MapValue,
    NotKnown,
    NotKnownError,
    Optional,
    Timestamp,
    TypeValue,
    Uint,
    Value,
    go_type_name,
)
from weighbridge.policies.ground.go_text import float_text, quote
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.go_values import plain_text


class ConversionError(Exception):
    """A value that the server can't convert; the text is the server's."""


_DATA: Final = frozenset({DataMap, DataList, Hidden})
#: How Go names the kinds of keys that don't become texts.
_KEY_ERRORS: Final[dict[type, str]] = {
    int: wordings.NO_KEY_FROM_INT,
    Uint: wordings.NO_KEY_FROM_UINT,
    bool: wordings.NO_KEY_FROM_BOOL,
    float: wordings.NO_KEY_FROM_DOUBLE,
    Duration: wordings.NO_KEY_FROM_DURATION,
    Timestamp: wordings.NO_KEY_FROM_TIMESTAMP,
    type(None): wordings.NO_KEY_FROM_NULL,
    list: wordings.NO_KEY_FROM_LIST,
    MapValue: wordings.NO_KEY_FROM_MAP,
    TypeValue: wordings.TYPE_NOT_CONVERTED,
}


def object_native(value: ObjectValue) -> dict[str, Any]:
    """An object as a merge gets it; raises ConversionError."""
    found: dict[str, Any] = {}
    for name, field in value.built_fields.items():
        try:
            found[name] = _field(field)
        except ConversionError as error:
            raise ConversionError(wordings.field_not_converted(name, error)) from None
    return found


def _inner_native(value: ObjectValue) -> Any:
    """An object within another; an error becomes its value."""
    try:
        return object_native(value)
    except ConversionError as error:
        return Foreign("*types.Err", str(error))


def _field(value: Value) -> Any:
    """The value of an object's field: its lists and maps are converted."""
    if value.__class__ is Optional:
        return _field(value.value) if value.present else None
    if value.__class__ is list:
        return [_shallow(element) for element in value] or NilList()
    if value.__class__ is MapValue:
        return {_key(key): _shallow(inner) for key, inner in value.items()}
    if value.__class__ in _DATA and release().converts_parts_of_objects:
        return _converted(native(value))
    return _shallow(value)


def _known(raw: Any) -> Any:
    """A piece of an object; raises NotKnownError if a part of it isn't known."""
    if isinstance(raw, NotKnown):
        raise NotKnownError(raw.reason)
    if isinstance(raw, dict):
        return {key: _known(inner) for key, inner in raw.items()}
    return list(map(_known, raw)) if isinstance(raw, list) else raw


def _converted(raw: Any) -> Any:
    """A piece of an object, converted part by part: a null in it becomes CEL's null."""
    if raw is None:
        return NULL
    if isinstance(raw, dict):
        return {key: _converted(inner) for key, inner in raw.items()}
    return (list(map(_converted, raw)) or NilList()) if isinstance(raw, list) else _known(raw)


def _key(key: Value) -> str:
    if isinstance(key, str):
        return key
    if key.__class__ is TypeValue:
        return str(key.name)
    raise ConversionError(wordings.key_not_text(_quoted_key(key), go_type_name(key)))


def _quoted_key(key: Value) -> str:
    """A key as ``%q`` prints it: whole numbers as characters, and what prints itself in quotes."""
    if key is None or key.__class__ in (int, Uint):
        return _rune(int(key or 0))
    return f"%!q({go_type_name(key)}={go_text(key)})" if key.__class__ in (bool, float) else quote(go_text(key))


def _rune(code: int) -> str:
    """An integer as ``%q`` prints it: the character with that code."""
    character = chr(code) if 0 <= code <= sys.maxunicode else "\ufffd"
    return f"'{quote(character)[1:-1]}'"


def _shallow(value: Value) -> Any:
    """Go's ``Value()``, which doesn't convert lists and maps that an expression built."""
    kind = value.__class__
    if kind is str or kind is bool or kind is int or kind is float:
        return value
    if kind is ObjectValue:
        return _inner_native(value)
    if kind in _DATA:
        return _known(native(value))
    if kind is Optional:
        return _shallow(value.value) if value.present else None
    if kind is TypeValue:
        return value.name
    return NULL if value is None else foreign(value)


def type_text(value: Any) -> str:
    """The Go type of a native value, as ``%T`` prints it."""
    if isinstance(value, Foreign):
        return value.go_type
    return _TYPES[value.__class__]


_TYPES: Final[dict[type, str]] = {
    str: "string", bool: "bool", int: "int64", float: "float64", dict: "map[string]interface {}", list: "[]interface {}",
    type(None): "<nil>",
}  # fmt: skip


def value_text(value: Any) -> str:
    """A native value as ``%v`` prints it."""
    if isinstance(value, Foreign):
        return value.text
    if isinstance(value, dict):
        return f"map[{' '.join(f'{key}:{value_text(value[key])}' for key in sorted(value))}]"
    if isinstance(value, list):
        return f"[{' '.join(map(value_text, value))}]"
    return plain_text(value)


def syntax_text(value: Any) -> str:
    """A native value as ``%#v`` prints it."""
    if isinstance(value, Foreign):
        return value.syntax or value.text
    if isinstance(value, dict):
        return f"map[string]interface {{}}{{{', '.join(f'{quote(key)}:{syntax_text(value[key])}' for key in sorted(value))}}}"
    if isinstance(value, NilList):
        return "[]interface {}(nil)"
    if isinstance(value, list):
        return f"[]interface {{}}{{{', '.join(map(syntax_text, value))}}}"
    if value is None:
        return "interface {}(nil)"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quote(value)
    return float_text(value) if isinstance(value, float) else str(value)


# --- JSON ---

_SAFE_INTEGER: Final = 2**53 - 1


def as_json(value: Value) -> JSONValue:
    """A value as the ``value`` of a JSON patch; raises ConversionError, or ServerPanicError if the server panics."""
    kind = value.__class__
    if kind is int or kind is Uint:
        return int(value) if abs(value) <= _SAFE_INTEGER else str(int(value))
    if kind is float:
        return _json_number(value)
    if kind is ObjectValue:
        return _struct_json(object_native(value))
    if kind is Optional:
        return as_json(value.value) if value.present else None
    if is_list(value):
        return [_element_json(element) for element in elements(value)]
    if is_map(value):
        return _map_json(value)
    return _scalar_json(value)


def _element_json(element: Value) -> JSONValue:
    if element.__class__ is ObjectValue and not release().patches_lists_of_objects:
        raise ServerPanicError(wordings.PANIC_ON_LIST)
    return as_json(element)


def _map_json(value: Value) -> JSONObject:
    found: JSONObject = {}
    for key, inner in pairs(value):
        if not isinstance(key, str):
            raise ConversionError(_KEY_ERRORS.get(key.__class__, wordings.no_key_from(go_type_name(key))))
        found[key] = as_json(inner)
    return found


def _scalar_json(value: Value) -> JSONValue:
    if value is None or value.__class__ is bool or value.__class__ is str:
        return value
    if value.__class__ is bytes:
        return base64.b64encode(value).decode()
    if value.__class__ is Timestamp:
        return timestamp_text(value)
    if value.__class__ is Duration:
        return _duration_json(value.nanoseconds)
    if value.__class__ is TypeValue:
        raise ConversionError(wordings.TYPE_NOT_CONVERTED)
    library, _, name = go_type_name(value).partition(".")
    if library == "cel":
        raise ConversionError(wordings.library_value_not_json(name))
    raise ConversionError(wordings.other_value_not_json(go_type_name(value)))


def _duration_json(nanoseconds: int) -> str:
    """The seconds as the shortest text of a double, without an exponent."""
    text = f"{Decimal(repr(nanoseconds / 1_000_000_000)):f}"
    return f"{text.removesuffix('.0')}s"


def _json_number(value: float) -> float:
    """A double as it is read from JSON text: a whole number is an integer."""
    if value != value or value in (float("inf"), float("-inf")):
        raise ConversionError(wordings.number_not_json(float_text(value)))
    return int(value) if value.is_integer() and abs(value) < 1e21 else value


def _struct_json(value: Any) -> JSONValue:
    """A native value through ``structpb.NewValue``, whose numbers are doubles."""
    if isinstance(value, dict):
        return {name: _struct_json(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_struct_json(inner) for inner in value]
    if isinstance(value, Foreign):
        if value.go_type == "uint64":
            return _json_number(float(value.text))
        raise ConversionError(wordings.field_not_json(value.go_type))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    return _json_number(float(value))
