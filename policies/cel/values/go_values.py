"""How Go prints CEL values with `%v`, for the few messages that contain one: those about keys, indexes and optional initialisers."""

from __future__ import annotations

from collections.abc import Iterable

from weighbridge.policies.cel.values.growth import check_text
from weighbridge.policies.cel.values.times import timestamp_text
from weighbridge.policies.cel.values.values import DataList, DataMap, Duration, Hidden, MapValue, Optional, Timestamp, TypeValue, Value
from weighbridge.policies.ground.go_text import float_text
from weighbridge.policies.schema.go_values import plain_text


def go_text(value: Value) -> str:
    """A value as `%v` prints it."""
    if value is None:
        return "<nil>"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, float):
        return float_text(value)
    if isinstance(value, (int, str)):
        return str(int(value)) if isinstance(value, int) else value
    return _container_text(value)


def _container_text(value: Value) -> str:
    if isinstance(value, (DataMap, DataList, Hidden)):
        return plain_text(value.raw)
    if isinstance(value, list):
        return f"[{_joined(map(go_text, value))}]"
    if isinstance(value, MapValue):
        return "{" + _joined(f"{go_text(key)}: {go_text(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, bytes):
        return f"[{' '.join(map(str, value))}]"
    if isinstance(value, Optional):
        return f"optional({go_text(value.value)})" if value.present else "optional.none()"
    if isinstance(value, TypeValue):
        return value.name
    if isinstance(value, Timestamp):
        return timestamp_text(value)
    return str(value.nanoseconds) if isinstance(value, Duration) else str(value)


def _joined(parts: Iterable[str]) -> str:
    found = list(parts)
    check_text(sum(map(len, found)))
    return ", ".join(found)
