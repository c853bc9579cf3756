"""The JSON of an expression's value, which is written into an object."""

from __future__ import annotations

from math import isfinite
from typing import Final

from weighbridge.policies.cel.values.data import native
from weighbridge.policies.cel.values.values import DataList, DataMap, Hidden, MapValue, Optional, Uint, Value, type_name
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.schema.go_values import deep_copy

#: Whole numbers up to this are stored as integers, whatever their type.
_LARGEST_WHOLE: Final = 1e21


class NotJSONError(ValueError):
    """JSON has no such value."""


def json_of(value: Value) -> JSONValue:
    """A value as JSON, `None` for an optional without a value. Raises NotJSONError."""
    kind = value.__class__
    if value is None or kind is str or kind is bool or kind is int:
        return value
    if kind is float:
        if not isfinite(value):
            raise NotJSONError("yields a number that JSON doesn't have")
        # The API server stores 8.0 as 8.
        return int(value) if value.is_integer() and abs(value) < _LARGEST_WHOLE else value
    if kind is Uint:
        return int(value)
    if kind is Optional:
        return json_of(value.value) if value.present else None
    if kind is DataMap or kind is DataList or kind is Hidden:
        return deep_copy(native(value))
    if kind is list:
        return [json_of(element) for element in value]
    if kind is MapValue:
        return {_key(key): json_of(inner) for key, inner in value.items()}
    raise NotJSONError(f"yields {type_name(value)}, which JSON doesn't have")


def _key(key: Value) -> str:
    if key.__class__ is not str:
        raise NotJSONError(f"yields a map with a key of type {type_name(key)}; keys are texts")
    return str(key)
