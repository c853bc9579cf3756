"""Writes the predicate of a schema node: whether a value has no violation at all.

The predicate decides exactly what the explaining pass (`explain`) decides, but builds no path and no error; an object that passes it costs
a type test and a few comparisons per value. Keywords that are rare in real schemas, and values of an unexpected kind, go to the explaining
pass itself. Scalars are checked in place; objects and lists have their own functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from weighbridge.policies.schema.emit import scalars
from weighbridge.policies.schema.emit.assembly import Unit
from weighbridge.policies.schema.emit.called import is_valid
from weighbridge.policies.schema.go_values import in_enum
from weighbridge.policies.schema.node import Schema
from weighbridge.policies.schema.structure import Place

#: From this number of declared fields on the checks are looked up by key instead of written out.
_WIDE: Final = 24


class ValidateEmitter:
    """Functions of one argument, the value, that answer true or false."""

    environment: Final[Mapping[str, object]] = {"is_valid": is_valid, "in_enum": in_enum}

    def emit(self, unit: Unit, name: str, place: Place) -> None:
        """Write the predicate of `place`."""
        with unit.writer.block(f"def {name}(value):", place.label):
            if scalars.is_scalar(place.schema):
                scalars.emit(unit.writer, place.schema, "value")
            elif _is_left_to_explain(place.schema):
                unit.writer.line(f"return is_valid({unit.writer.constant(place.schema)}, value)")
                return
            else:
                _emit_container(unit, place)
            unit.writer.line("return True")


def _is_left_to_explain(schema: Schema) -> bool:
    """Whether the node has a combination that isn't worth code: ``uniqueItems``, or no type but an enum, a format or numeric keywords."""
    if schema.flag("uniqueItems"):
        return True
    if schema.types:
        return False
    return bool(schema.enum or schema.known_format or scalars.has_number_keywords(schema))


def _emit_container(unit: Unit, place: Place) -> None:
    """A node that holds fields, items or combinators, of any type."""
    schema, writer = place.schema, unit.writer
    if schema.types == ("object",):
        _emit_type(unit, schema, "dict")
        _emit_fields(unit, place)
    elif schema.types == ("array",):
        _emit_type(unit, schema, "list")
        _emit_items(unit, place)
    elif schema.types:
        scalars.emit(writer, schema, "value")
    else:
        _emit_untyped(unit, place)
    if schema.enum and schema.types in (("object",), ("array",)):
        writer.line(f"if not in_enum(value, {writer.constant(schema.enum)}):")
        writer.line("    return False")
    _emit_combinators(unit, place)


def _emit_type(unit: Unit, schema: Schema, kind: str) -> None:
    """Refuse a value of another kind; only null may pass, if it is allowed."""
    with unit.writer.block(f"if type(value) is not {kind}:"):
        unit.writer.line(f"return is_valid({unit.writer.constant(schema)}, value)" if schema.nullable else "return False")


def _emit_untyped(unit: Unit, place: Place) -> None:
    """Without a type each keyword applies to values of its own kind only."""
    writer, schema = unit.writer, place.schema
    conditions = scalars.text_conditions(writer, schema, "value")
    if _has_field_keywords(schema):
        with writer.block("if type(value) is dict:"):
            _emit_fields(unit, place)
    if _has_item_keywords(schema):
        with writer.block("if type(value) is list:"):
            _emit_items(unit, place)
    if conditions:
        with writer.block(f"if type(value) is str and ({' or '.join(conditions)}):"):
            writer.line("return False")


def _has_field_keywords(schema: Schema) -> bool:
    raw = schema.raw
    return any(raw.get(keyword) for keyword in ("properties", "required", "additionalProperties", "minProperties")) or (
        raw.get("maxProperties") is not None or raw.get("additionalProperties") is False
    )


def _has_item_keywords(schema: Schema) -> bool:
    raw = schema.raw
    return bool(raw.get("items") or raw.get("minItems")) or raw.get("maxItems") is not None


def _emit_sizes(unit: Unit, schema: Schema, least: str, most: str) -> None:
    fewest, limit = schema.bound(least), schema.bound(most)
    tests = [f"len(value) < {fewest}"] * (fewest is not None and fewest > 0) + [f"len(value) > {limit}"] * (limit is not None)
    if tests:
        with unit.writer.block(f"if {' or '.join(tests)}:"):
            unit.writer.line("return False")


def _emit_fields(unit: Unit, place: Place) -> None:
    """The body for a value that is a map."""
    schema, writer = place.schema, unit.writer
    _emit_sizes(unit, schema, "minProperties", "maxProperties")
    required = list(dict.fromkeys(schema.required))
    if required:
        with writer.block(f"if {' or '.join(f'{writer.literal(key)} not in value' for key in required)}:"):
            writer.line("return False")
    checked = {name: place.field(name) for name, child in schema.properties.items() if not scalars.accepts_all(child)}
    if len(checked) > _WIDE:
        _emit_field_table(unit, checked)
    else:
        for name, child in checked.items():
            _emit_field(unit, child, writer.literal(name), always=name in required)
    _emit_other_fields(unit, place)


def _emit_field(unit: Unit, child: Place, key: str, *, always: bool) -> None:
    writer = unit.writer
    variable = writer.fresh("v")
    if always:
        writer.line(f"{variable} = value[{key}]")
        _emit_check(unit, child, variable)
        return
    with writer.block(f"if {key} in value:"):
        writer.line(f"{variable} = value[{key}]")
        _emit_check(unit, child, variable)


def _emit_field_table(unit: Unit, checked: Mapping[str, Place]) -> None:
    writer = unit.writer
    with writer.block("for key, item in value.items():"):
        writer.line(f"check = {unit.cells(checked)}.get(key)")
        with writer.block("if check is not None and not check[0](item):"):
            writer.line("return False")


def _emit_other_fields(unit: Unit, place: Place) -> None:
    """Keys that aren't declared."""
    schema, writer = place.schema, unit.writer
    known = writer.constant(frozenset(schema.properties)) if schema.properties else ""
    if schema.additional_properties_bool is False:
        with writer.block(f"if not value.keys() <= {known}:" if known else "if value:"):
            writer.line("return False")
    values = place.value()
    if values is None or scalars.accepts_all(values.schema):
        return
    if not known:
        with writer.block("for item in value.values():"):
            _emit_check(unit, values, "item")
        return
    with writer.block("for key, item in value.items():"), writer.block(f"if key not in {known}:"):
        _emit_check(unit, values, "item")


def _emit_items(unit: Unit, place: Place) -> None:
    """The body for a value that is a list."""
    _emit_sizes(unit, place.schema, "minItems", "maxItems")
    items = place.item()
    if items is not None and not scalars.accepts_all(items.schema):
        with unit.writer.block("for item in value:"):
            _emit_check(unit, items, "item")


def _emit_check(unit: Unit, child: Place, variable: str) -> None:
    """A scalar's checks in place, a call for anything else."""
    bare = scalars.bare_container(child.schema)
    if bare:
        with unit.writer.block(f"if type({variable}) is not {bare}:"):
            unit.writer.line("return False")
        return
    if scalars.is_scalar(child.schema):
        scalars.emit(unit.writer, child.schema, variable)
        return
    with unit.writer.block(f"if not {unit.callee(child)}({variable}):"):
        unit.writer.line("return False")


def _emit_combinators(unit: Unit, place: Place) -> None:
    """Null isn't checked by combinators: only type and enum apply to it."""
    schema, writer = place.schema, unit.writer

    def calls(branches: Iterable[Schema], keyword: str) -> list[str]:
        return [f"{unit.callee(place.branch(branch, keyword))}(value)" for branch in branches]

    tests = [f"not {call}" for call in calls(schema.all_of, "allOf")]
    if schema.any_of and not scalars.is_plain_int_or_string(schema):
        tests.append(f"not ({' or '.join(calls(schema.any_of, 'anyOf'))})")
    if schema.one_of:
        tests.append(f"{' + '.join(calls(schema.one_of, 'oneOf'))} != 1")
    if schema.not_ is not None:
        tests += calls([schema.not_], "not")
    if tests:
        guard = "value is not None and " if schema.nullable or not schema.types else ""
        condition = " or ".join(tests)
        with writer.block(f"if {guard}({condition}):" if guard else f"if {condition}:"):
            writer.line("return False")
