"""Reads an object's JSON as CEL values, by the declared type of its place.

`read` is the server's `UnstructuredToVal`: scalars become values (formats are parsed, whole numbers become doubles if the schema says
number). Lists and maps are labelled with their type and read on demand. Data that doesn't fit its type, which the schema accepts in a few
cases, gives the server's error. Source: k8s.io/apiserver `pkg/cel/common/valuesunstructured.go`.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Any, Final

from weighbridge.policies.cel.run_time_errors import (
    NO_ITEMS,
    NOT_A_MAP,
    NOT_AN_ARRAY,
    NOT_INT_OR_STRING,
    UNEXPECTED_NULL,
    invalid_bytes,
    invalid_duration,
    invalid_time,
    invalid_type,
    unexpected_data,
    unsupported_error,
)
from weighbridge.policies.cel.values.declared import JSON_TYPE, LIST_OF_VALUES, DeclaredType, Shape
from weighbridge.policies.cel.values.times import parse_date, parse_date_time
from weighbridge.policies.cel.values.values import (
    GO_NULL,
    CelError,
    DataList,
    DataMap,
    Duration,
    GoNull,
    Hidden,
    MapValue,
    NotKnown,
    NotKnownError,
    Optional,
    PartialMap,
    Timestamp,
    TypeValue,
    Uint,
    Unreadable,
    Value,
)
from weighbridge.policies.ground.durations import wordy_nanoseconds, wordy_problem
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.go_base64 import URL_SAFE, base64_fault
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.go_time import TimeParseError


def go_type(raw: JSONValue) -> str:
    """The Go type of a JSON value, as ``%T`` prints it."""
    return _GO_TYPES.get(raw.__class__, "time.Time" if isinstance(raw, Timestamp) else raw.__class__.__name__)


_GO_TYPES: Final[dict[type, str]] = {
    str: "string", bool: "bool", int: "int64", float: "float64", dict: "map[string]interface {}", list: "[]interface {}",
    type(None): "<nil>", Duration: "time.Duration", bytes: "[]uint8", Uint: "uint64", GoNull: "structpb.NullValue", tuple: "[]ref.Val",
    MapValue: "map[ref.Val]ref.Val", Unreadable: "*errors.errorString",
}  # fmt: skip


def read(raw: JSONValue, declared: DeclaredType) -> Value:
    """The value of a piece of data; raises CelError if it doesn't fit its type."""
    if raw is None:
        if declared.nullable or declared.shape in _NULLABLE_SHAPES:
            return None
        raise CelError(UNEXPECTED_NULL)
    return _READERS[declared.shape](raw, declared)


def _read_string(raw: JSONValue, _declared: DeclaredType) -> Value:
    if raw.__class__ is not str:
        raise CelError(unexpected_data("string", go_type(raw)))
    return raw


def _read_format(parse: Callable[[str], Value]) -> Callable[[JSONValue, DeclaredType], Value]:
    def reader(raw: JSONValue, declared: DeclaredType) -> Value:
        return parse(_read_string(raw, declared))

    return reader


def _duration(text: str) -> Duration:
    length = wordy_nanoseconds(text)
    if length is None:
        raise CelError(invalid_duration(text, wordy_problem(text)))
    return Duration(length)


def _date(text: str) -> Timestamp:
    try:
        return parse_date(text)
    except TimeParseError as error:
        raise CelError(invalid_time("date", text, error)) from None


def _date_time(text: str) -> Timestamp:
    try:
        return parse_date_time(text)
    except TimeParseError as error:
        raise CelError(invalid_time("date-time", text, error)) from None


_BASE64: Final = expression(r"[A-Za-z0-9_-]*={0,2}", re.ASCII)


def _bytes(text: str) -> bytes:
    # The server decodes with the URL alphabet; line breaks are skipped.
    packed = text.replace("\r", "").replace("\n", "")
    if len(packed) % 4 == 0 and _BASE64.fullmatch(packed):
        return base64.b64decode(packed, altchars=b"-_")
    raise CelError(invalid_bytes(text, base64_fault(text, URL_SAFE)))


def _read_int(raw: JSONValue, _declared: DeclaredType) -> Value:
    if raw.__class__ is not int:
        raise CelError(unexpected_data("int", go_type(raw)))
    return raw


def _read_double(raw: JSONValue, _declared: DeclaredType) -> Value:
    if raw.__class__ is float:
        return raw
    if raw.__class__ is int:
        return float(raw)
    raise CelError(unexpected_data("float", go_type(raw)))


def _read_bool(raw: JSONValue, _declared: DeclaredType) -> Value:
    if raw.__class__ is not bool:
        raise CelError(unexpected_data("bool", go_type(raw)))
    return raw


def _read_int_or_string(raw: JSONValue, _declared: DeclaredType) -> Value:
    if raw.__class__ is not str and raw.__class__ is not int:
        raise CelError(NOT_INT_OR_STRING)
    return raw


def _read_map(raw: JSONValue, declared: DeclaredType) -> Value:
    if raw.__class__ is not dict:
        raise CelError(NOT_A_MAP)
    return DataMap(raw, declared)


def _read_list(raw: JSONValue, declared: DeclaredType) -> Value:
    if raw.__class__ is not list:
        raise CelError(NOT_AN_ARRAY)
    if declared.element is None:
        raise CelError(NO_ITEMS)
    return DataList(raw, declared)


def _read_hidden(raw: JSONValue, _declared: DeclaredType) -> Value:
    return Hidden(raw)


def _read_invalid(_raw: JSONValue, declared: DeclaredType) -> Value:
    raise CelError(invalid_type(declared.schema.type))


def _read_value(raw: JSONValue, _declared: DeclaredType) -> Value:
    if raw.__class__ is Unreadable:
        raise CelError(raw.text)
    return raw


def _read_json(raw: JSONValue, declared: DeclaredType) -> Value:
    kind = raw.__class__
    if kind is dict or kind is PartialMap:
        return DataMap(raw, declared)
    if kind is NotKnown:
        raise NotKnownError(raw.reason)
    return DataList(raw, declared) if kind is list else raw


_READERS: Final[dict[Shape, Callable[[JSONValue, DeclaredType], Value]]] = {
    Shape.OBJECT: _read_map,
    Shape.MAP: _read_map,
    Shape.EMPTY: _read_map,
    Shape.LIST: _read_list,
    Shape.STRING: _read_string,
    Shape.BYTES: _read_format(_bytes),
    Shape.DURATION: _read_format(_duration),
    Shape.DATE: _read_format(_date),
    Shape.DATE_TIME: _read_format(_date_time),
    Shape.INT: _read_int,
    Shape.DOUBLE: _read_double,
    Shape.BOOL: _read_bool,
    Shape.INT_OR_STRING: _read_int_or_string,
    Shape.HIDDEN: _read_hidden,
    Shape.INVALID: _read_invalid,
    Shape.JSON: _read_json,
    Shape.VALUE: _read_value,
}
_NULLABLE_SHAPES: Final = frozenset({Shape.JSON, Shape.VALUE})


def item(found: DataList, position: int) -> Value:
    """The value at a position that exists."""
    return read(found.raw[position], found.declared.element or found.declared)


def items(found: DataList) -> list[Value]:
    """All values of a list from an object."""
    declared = found.declared.element or found.declared
    reader = _READERS[declared.shape]
    return [read(raw, declared) if raw is None else reader(raw, declared) for raw in found.raw]


def native(value: Value) -> Any:
    """The content of a value, without its declared type: the server's `ref.Val.Value()`."""
    return value.raw if isinstance(value, (DataMap, DataList, Hidden)) else value


#: What only a sum can bring into the data of a list. None of it is JSON.
_NOT_JSON: Final = frozenset({tuple, GoNull, Unreadable})


def summand(value: Value) -> Any:
    """The Go data of a value that a sum of lists keeps before 1.37; a list that an expression built becomes a tuple."""
    kind = value.__class__
    if value is None:
        return GO_NULL
    if kind is list:
        return tuple(value)
    if kind is Optional:
        return summand(value.value) if value.present else None
    return value.name if kind is TypeValue else native(value)


def untyped(value: Value) -> Value:
    """The content of an optional. Before 1.37 it loses its declared type."""
    if release().keeps_types_in_optionals:
        return value
    if isinstance(value, DataMap):
        return DataMap(value.raw, JSON_TYPE)
    if isinstance(value, DataList):
        return _untyped_list(value.raw)
    return Unreadable(unsupported_error(value.text)) if value.__class__ is Unreadable else value


def _untyped_list(raw: list[Any]) -> Value:
    if _NOT_JSON.isdisjoint(map(type, raw)):
        return DataList(raw, JSON_TYPE)
    return DataList([_untyped_item(part) for part in raw], LIST_OF_VALUES)


def _untyped_item(raw: Any) -> Value:
    """The value that Go's data is without a schema."""
    kind = raw.__class__
    if kind is Unreadable:
        return untyped(raw)
    if kind is tuple:
        return list(raw)
    return None if kind is GoNull else _read_json(raw, JSON_TYPE)
