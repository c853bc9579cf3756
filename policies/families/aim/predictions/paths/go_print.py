"""How Go prints a value of a structure: `fmt.Sprint`, which uses the types' own methods for printing.

A pointer within a structure is printed as its address, which is another one after each restart of the operator.

Source: Go 1.24, src/fmt/print.go (printValue); apimachinery, meta/v1/duration.go and api/resource/quantity.go.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.aim.predictions.paths import go_types
from weighbridge.policies.families.aim.predictions.paths.json_path import GoValue
from weighbridge.policies.ground.durations import duration_text, nanoseconds
from weighbridge.policies.ground.fields import amount
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONValue

#: Characters of private use, which mark an address, and a value that isn't known here.
ADDRESS: Final = "\ue000"
UNKNOWN: Final = "\ue001"
_EMPTY: Final = {go_types.TEXT: "", go_types.FLAG: "false", go_types.NUMBER: "0"}


def printed(found: GoValue, *, nested: bool = False) -> str:
    """The text; `ADDRESS` and `UNKNOWN` take the place of values that only the operator knows."""
    value, kind = found
    if nested and kind.is_pointer:
        return "<nil>" if value is None else _pointed(found)
    if kind.kind == go_types.STRUCT:
        return "{" + " ".join(printed(_inner(value, name, of_field), nested=True) for name, of_field in kind.fields) + "}"
    if kind.kind == go_types.LIST:
        return "[" + " ".join(printed(one, nested=True) for one in _items(value, kind)) + "]"
    if kind.kind == go_types.MAP and kind.item is not None:
        held = value if isinstance(value, dict) else {}
        return "map[" + " ".join(f"{key}:{printed(GoValue(held[key], kind.item), nested=True)}" for key in sorted(held)) + "]"
    if kind.kind == go_types.DURATION:
        return _duration(value)
    if kind.kind in (go_types.OPAQUE, go_types.QUANTITY):
        return UNKNOWN
    return _scalar(value, kind)


def _pointed(found: GoValue) -> str:
    """The text of a pointer within a structure."""
    value, kind = found
    if kind.kind == go_types.DURATION:
        return _duration(value)
    if kind.kind == go_types.QUANTITY:
        read = amount(value)
        return str(read) if read is not None else UNKNOWN
    return UNKNOWN if kind.prints else ADDRESS


def _inner(value: JSONValue, name: str, kind: go_types.Go) -> GoValue:
    held = value if isinstance(value, dict) else {}
    return GoValue(held.get(name) if name else held, kind)


def _items(value: JSONValue, kind: go_types.Go) -> list[GoValue]:
    return [GoValue(one, kind.item) for one in value] if isinstance(value, list) and kind.item is not None else []


def _duration(value: JSONValue) -> str:
    length = nanoseconds(value)
    return duration_text(length) if length is not None else UNKNOWN


def _scalar(value: JSONValue, kind: go_types.Go) -> str:
    if value is None:
        return _EMPTY[kind.kind]
    return value if isinstance(value, str) else json_text(value)
