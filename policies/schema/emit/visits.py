"""Writes the visits that a function makes to the containers below its value: declared fields, values of a map, items of a list.

Shared by the concerns that only descend (defaults, nulls, list types). The caller gives the statement of a visit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from weighbridge.policies.schema.emit.assembly import Unit
from weighbridge.policies.schema.node import Schema
from weighbridge.policies.schema.structure import Place, describes_list, holds_fields, type_test

#: From this number of fields on the functions are looked up by key.
_WIDE: Final = 12

#: Makes the statement of a visit from the callee and its argument: ``f(x)`` or ``if not f(x): ...``.
Statement = Callable[[str, str], str]


def emit_visits(unit: Unit, place: Place, wanted: Callable[[Schema], bool], statement: Statement) -> None:
    """Visit the children of ``value``, a map, that are `wanted`."""
    schema, writer = place.schema, unit.writer
    children = {name: place.field(name) for name, child in schema.properties.items() if wanted(child)}
    if len(children) > _WIDE:
        _emit_table(unit, children, statement)
    else:
        for name, child in children.items():
            variable = writer.fresh("v")
            writer.line(f"{variable} = value.get({writer.literal(name)})")
            emit_visit(unit, child, variable, statement)
    values = place.value()
    if values is None or not wanted(values.schema):
        return
    with writer.block("for key, item in value.items():"):
        if schema.properties:
            with writer.block(f"if key in {writer.constant(frozenset(schema.properties))}:"):
                writer.line("continue")
        emit_visit(unit, values, "item", statement)


def _emit_table(unit: Unit, children: Mapping[str, Place], statement: Statement) -> None:
    writer = unit.writer
    with writer.block("for key, item in value.items():"), writer.block("if type(item) is dict or type(item) is list:"):
        writer.line(f"cell = {unit.cells(children)}.get(key)")
        with writer.block("if cell is not None:"):
            writer.line(statement("cell[0]", "item"))


def emit_visit(unit: Unit, child: Place, variable: str, statement: Statement) -> None:
    """Visit one value if it is a container of the kind that the schema describes."""
    with unit.writer.block(f"if {type_test(child.schema, variable)}:"):
        unit.writer.line(statement(unit.callee(child), variable))


def emit_item_visits(unit: Unit, place: Place, wanted: Callable[[Schema], bool], statement: Statement) -> None:
    """Visit the items of ``value``, a list."""
    items = place.item()
    if items is None or not wanted(items.schema):
        return
    with unit.writer.block("for item in value:"):
        emit_visit(unit, items, "item", statement)


def emit_kinds(unit: Unit, place: Place, fields: Callable[[], None], items: Callable[[], None]) -> None:
    """The body of a function that may get a map or a list, as far as the schema has structure for either."""
    if holds_fields(place.schema):
        with unit.writer.block("if type(value) is dict:"):
            fields()
    if describes_list(place.schema):
        with unit.writer.block("if type(value) is list:"):
            items()
