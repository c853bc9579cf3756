"""Writes the defaulting of a schema node: a declared field gets its default if it is missing, or if it is null and null isn't allowed.

A default is put in first and then defaulted itself. A field's default doesn't create a missing parent. Values of maps and items
of lists only replace nulls. Source: k8s.io/apiextensions-apiserver 1.36 ``pkg/apiserver/schema/defaulting/algorithm.go``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from weighbridge.policies.codegen import SourceWriter
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.schema.emit.assembly import Unit
from weighbridge.policies.schema.emit.visits import emit_item_visits, emit_kinds, emit_visits
from weighbridge.policies.schema.go_values import deep_copy
from weighbridge.policies.schema.node import Schema
from weighbridge.policies.schema.structure import Place, holds_structure, may_hold

#: The largest default that is written as a literal, which builds a new value each time.
_MAX_DISPLAY: Final = 32
_MAX_DISPLAY_DEPTH: Final = 4


class DefaultEmitter:
    """Functions of one argument, a map or list that is changed in place.

    `pruned` gives the default of a place as the server keeps it: without what the schema doesn't know.
    """

    environment: Final[Mapping[str, object]] = {"deep_copy": deep_copy}

    def __init__(self, pruned: Callable[[Place], JSONValue]) -> None:
        self._pruned = pruned

    def emit(self, unit: Unit, name: str, place: Place) -> None:
        """Write the defaulting of `place`."""
        with unit.writer.block(f"def {name}(value):", place.label):
            emit_kinds(unit, place, partial(self._emit_fields, unit, place), partial(self._emit_items, unit, place))

    def _emit_fields(self, unit: Unit, place: Place) -> None:
        schema, writer = place.schema, unit.writer
        for name, child in schema.properties.items():
            if child.has_default:
                key = writer.literal(name)
                with writer.block(f"if {key} not in value:" if child.nullable else f"if value.get({key}) is None:"):
                    writer.line(f"value[{key}] = {_fresh(writer, self._pruned(place.field(name)))}")
        values = place.value()
        if values is not None and values.schema.has_default and not values.schema.nullable:
            condition = "item is None"
            if schema.properties:
                condition += f" and key not in {writer.constant(frozenset(schema.properties))}"
            self._emit_replacement(unit, values, "for key, item in value.items():", condition, "key")
        emit_visits(unit, place, _may_default, _call)

    def _emit_items(self, unit: Unit, place: Place) -> None:
        items = place.item()
        if items is not None and items.schema.has_default and not items.schema.nullable:
            self._emit_replacement(unit, items, "for index, item in enumerate(value):", "item is None", "index")
        emit_item_visits(unit, place, _may_default, _call)

    def _emit_replacement(self, unit: Unit, child: Place, loop: str, condition: str, step: str) -> None:
        with unit.writer.block(loop), unit.writer.block(f"if {condition}:"):
            unit.writer.line(f"value[{step}] = {_fresh(unit.writer, self._pruned(child))}")


def _call(callee: str, argument: str) -> str:
    return f"{callee}({argument})"


def _has_default(raw: JSONObject) -> bool:
    return raw.get("default") is not None


def _may_default(schema: Schema) -> bool:
    return holds_structure(schema) and may_hold(schema, _has_default)


def _fresh(writer: SourceWriter, value: JSONValue) -> str:
    """An expression that builds `value` anew each time."""
    parts = _display(writer, value, _MAX_DISPLAY_DEPTH)
    return f"deep_copy({writer.constant(value)})" if parts is None else parts


def _display(writer: SourceWriter, value: JSONValue, depth: int) -> str | None:
    if not isinstance(value, (dict, list)):
        return writer.literal(value)
    if not depth or len(value) > _MAX_DISPLAY:
        return None
    parts = [_display(writer, item, depth - 1) for item in (value.values() if isinstance(value, dict) else value)]
    texts = [part for part in parts if part is not None]
    if len(texts) < len(parts):
        return None
    if isinstance(value, dict):
        return "{" + ", ".join(f"{writer.literal(key)}: {text}" for key, text in zip(value, texts, strict=True)) + "}"
    return f"[{', '.join(texts)}]"
