"""Writes the predicate of list types: whether every list of type set or map below a node surely holds no item twice.

If it answers false, `lists` checks again and words the errors. So the predicate may answer false when unsure (1 and true, items that aren't
objects).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.schema.emit.assembly import Unit
from weighbridge.policies.schema.emit.called import are_distinct, have_distinct_keys
from weighbridge.policies.schema.emit.visits import emit_item_visits, emit_kinds, emit_visits
from weighbridge.policies.schema.node import Schema
from weighbridge.policies.schema.structure import Place, holds_structure, may_hold


class ListsEmitter:
    """Functions of one argument, a map or list, that answer true or false."""

    environment: Final[Mapping[str, object]] = {"are_distinct": are_distinct, "have_distinct_keys": have_distinct_keys}

    def emit(self, unit: Unit, name: str, place: Place) -> None:
        """Write the predicate of `place`."""
        with unit.writer.block(f"def {name}(value):", place.label):
            emit_kinds(unit, place, partial(_emit_fields, unit, place), partial(_emit_items, unit, place))
            unit.writer.line("return True")


def _check(callee: str, argument: str) -> str:
    return f"if not {callee}({argument}): return False"


def _has_list_type(raw: JSONObject) -> bool:
    return raw.get("x-kubernetes-list-type") in ("set", "map")


def may_have_list_types(schema: Schema) -> bool:
    """Whether there may be a list of type set or map at the node or below it."""
    return (holds_structure(schema) or _has_list_type(schema.raw)) and may_hold(schema, _has_list_type)


def _emit_fields(unit: Unit, place: Place) -> None:
    schema = place.schema
    if schema.properties and schema.additional_properties is not None:
        # No CRD may have both. Upstream would check declared fields against both schemas, which isn't worth code.
        unit.writer.line("return False")
        return
    emit_visits(unit, place, may_have_list_types, _check)


def _emit_items(unit: Unit, place: Place) -> None:
    schema, writer = place.schema, unit.writer
    if schema.list_type == "set":
        with writer.block("if len(value) > 1 and not are_distinct(value):"):
            writer.line("return False")
    elif schema.list_type == "map":
        with writer.block(f"if value and not have_distinct_keys(value, {writer.constant(tuple(schema.list_map_keys))}):"):
            writer.line("return False")
    emit_item_visits(unit, place, may_have_list_types, _check)
