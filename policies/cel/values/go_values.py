"""How Go prints CEL values with `%v`, for the few messages that contain one: those about keys, indexes and optional initialisers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from weighbridge.policies.cel.values.growth import check_text
from weighbridge.policies.cel.values.times import go_time_text
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
    Value,
    go_type_name,
)
from weighbridge.policies.ground.durations import duration_text
from weighbridge.policies.ground.go_text import float_text
from weighbridge.policies.schema.go_values import plain_text

#: CEL's null is an enum of protobuf, which has no name where Go prints it.
_NULL: Final = "0"
#: Types whose printed form names the types of what they hold.
_TYPES_OF_ITEMS: Final = {"list": "list(dyn)", "map": "map(dyn, dyn)", "optional_type": "optional_type(dyn)"}


def go_text(value: Value) -> str:
    """A value as `%v` prints it."""
    if value is None:
        return _NULL
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, float):
        return float_text(value)
    if isinstance(value, (int, str)):
        return str(int(value)) if isinstance(value, int) else value
    return _container_text(value)


def _container_text(value: Value) -> str:
    if isinstance(value, (DataMap, DataList, Hidden)):
        return _data_text(value.raw)
    if isinstance(value, list):
        return f"[{_joined(map(go_text, value))}]"
    if isinstance(value, MapValue):
        return "{" + _joined(f"{go_text(key)}: {go_text(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, bytes):
        return f"[{' '.join(map(str, value))}]"
    if isinstance(value, Optional):
        return f"optional({go_text(value.value)})" if value.present else "optional.none()"
    if isinstance(value, TypeValue):
        return _TYPES_OF_ITEMS.get(value.name, value.name)
    if isinstance(value, Timestamp):
        return go_time_text(value)
    return duration_text(value.nanoseconds) if isinstance(value, Duration) else _library_text(value)


def _library_text(value: Value) -> str:
    """A value of a type that a library brings, such as a quantity."""
    return str(getattr(value, "printed", None) or go_type_name(value))


def _joined(parts: Iterable[str]) -> str:
    found = list(parts)
    check_text(sum(map(len, found)))
    return ", ".join(found)


class _Printed(str):
    """Text in its final form, among values still to be printed."""

    __slots__ = ()


def _data_text(raw: Any) -> str:
    """A piece of an object: a map prints its values as CEL holds them, a list its items as Go holds them. Raises NotKnownError."""
    out: list[str] = []
    pending: list[Any] = [raw]
    while pending:
        current = pending.pop()
        if isinstance(current, dict):
            pending.append(_Printed("}"))
            for index, (key, inner) in enumerate(reversed(current.items())):
                pending += (inner, _Printed(f"{', ' if index < len(current) - 1 else ''}{key}: "))
            out.append("{")
        elif isinstance(current, list):
            _refuse_unknown(current)
            out.append(f"[{', '.join(map(plain_text, current))}]")
        else:
            _refuse_unknown([current])
            out.append(_NULL if current is None else current if isinstance(current, _Printed) else plain_text(current))
    return "".join(out)


def _refuse_unknown(values: list[Any]) -> None:
    """Raise NotKnownError if a value, or a part of one, isn't known."""
    pending = list(values)
    while pending:
        current = pending.pop()
        if isinstance(current, NotKnown):
            raise NotKnownError(current.reason)
        pending += current.values() if isinstance(current, dict) else current if isinstance(current, list) else ()
