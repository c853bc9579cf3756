"""Writes the checks of scalar values: strings, numbers, booleans, and int-or-string, in place.

The expected kind is tested first, then its keywords. A value of another kind (null, or a float where an integer is meant) goes to the
explaining pass, whose verdict counts. So does a keyword with unusual arithmetic.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.codegen import SourceWriter
from weighbridge.policies.schema import numbers
from weighbridge.policies.schema.go_values import MAX_INT64, MIN_INT64
from weighbridge.policies.schema.kept_units import FORMAT, PATTERN
from weighbridge.policies.schema.node import Schema

_SCALARS: Final = frozenset({"string", "integer", "number", "boolean"})
_COMBINATORS: Final = ("allOf", "anyOf", "oneOf", "not")
_NUMBER_KEYWORDS: Final = ("minimum", "maximum", "multipleOf")
#: Keywords that can refuse a value; a node without any accepts everything.
_REFUSING: Final = (
    "type", "x-kubernetes-int-or-string", "format", "enum", "pattern", "maxLength", "minLength", *_NUMBER_KEYWORDS, "maxItems",
    "minItems", "uniqueItems", "items", "maxProperties", "minProperties", "required", "properties", "additionalProperties", *_COMBINATORS,
)  # fmt: skip
_MAX_EXACT: Final = 2**53


def accepts_all(schema: Schema) -> bool:
    """Whether the node can't refuse any value."""
    return not any(keyword in schema.raw for keyword in _REFUSING)


def bare_container(schema: Schema) -> str:
    """``dict`` or ``list`` if the node requires only that, else empty."""
    if schema.nullable or [keyword for keyword in _REFUSING if keyword in schema.raw] != ["type"]:
        return ""
    return {"object": "dict", "array": "list"}.get(schema.type, "")


def has_number_keywords(schema: Schema) -> bool:
    """Whether a keyword applies to numbers."""
    return any(schema.number(keyword) is not None for keyword in _NUMBER_KEYWORDS)


def is_plain_int_or_string(schema: Schema) -> bool:
    """Whether the only combinator is the ``anyOf`` that tools write next to ``x-kubernetes-int-or-string``, which adds nothing."""
    return schema.int_or_string and [branch.raw for branch in schema.any_of] == [{"type": "integer"}, {"type": "string"}]


def is_scalar(schema: Schema) -> bool:
    """Whether `emit` writes all of the node's checks."""
    # An empty list of branches requires nothing, but `not: {}` refuses everything.
    combinators = [keyword for keyword in _COMBINATORS if schema.raw.get(keyword) or (keyword == "not" and schema.not_ is not None)]
    if combinators and not (combinators == ["anyOf"] and is_plain_int_or_string(schema)):
        return False
    if not schema.types:
        return schema.raw.keys() <= {"enum", "title", "description"} and bool(schema.enum)
    return schema.int_or_string or schema.types[0] in _SCALARS


def emit(writer: SourceWriter, schema: Schema, variable: str) -> None:
    """Statements that return False from the function unless `variable` passes; types, keywords and enum, but no combinators."""
    if schema.int_or_string:
        _emit_int_or_string(writer, schema, variable)
    elif not schema.types:
        _refuse_if(writer, f"not ({_text_in_enum(writer, schema, variable)} or in_enum({variable}, {writer.constant(schema.enum)}))")
    elif schema.types[0] == "string":
        _emit_kind(writer, schema, variable, f"type({variable}) is not str", text_conditions(writer, schema, variable))
    elif schema.types[0] == "integer":
        _emit_integer(writer, schema, variable)
    elif schema.types[0] == "number":
        _emit_number(writer, schema, variable)
    else:
        _emit_kind(writer, schema, variable, f"type({variable}) is not bool", _enum_condition(writer, schema, variable))


def _refuse_if(writer: SourceWriter, condition: str) -> None:
    with writer.block(f"if {condition}:"):
        writer.line("return False")


def _ask(writer: SourceWriter, schema: Schema, variable: str) -> str:
    """The condition that the explaining pass refuses the value."""
    return f"not is_valid({writer.constant(schema)}, {variable})"


def _emit_kind(writer: SourceWriter, schema: Schema, variable: str, other_kind: str, conditions: list[str]) -> None:
    """Check the expected kind by `conditions`, and any other kind by the explaining pass, unless the plain type alone refuses it."""
    certain = not schema.nullable and not schema.known_format and schema.types[0] in ("string", "boolean")
    if certain:
        _refuse_if(writer, " or ".join([other_kind, *conditions]))
        return
    with writer.block(f"if {other_kind}:"):
        _refuse_if(writer, _ask(writer, schema, variable))
    if conditions:
        with writer.block(f"elif {' or '.join(conditions)}:"):
            writer.line("return False")


def text_conditions(writer: SourceWriter, schema: Schema, variable: str) -> list[str]:
    """The conditions under which a string is refused, the cheap ones first."""
    longest, shortest, conditions = schema.bound("maxLength"), schema.bound("minLength"), []
    if longest is not None:
        conditions.append(f"len({variable}) > {longest}")
    if shortest is not None and shortest > 0:
        conditions.append(f"not {variable}" if shortest == 1 else f"len({variable}) < {shortest}")
    if schema.enum:
        conditions.append(f"{variable} not in {_literal_set(writer, [item for item in schema.enum if isinstance(item, str)])}")
    if schema.known_format and schema.types in ((), ("string",), ("integer", "string")):
        from weighbridge.policies.schema.formats import predicates

        conditions.append(f"not {writer.constant(predicates.predicate(schema.known_format), (FORMAT, schema.known_format))}({variable})")
    if schema.pattern:
        from weighbridge.policies.schema.patterns import compile_pattern

        conditions.append(f"not {writer.constant(compile_pattern(schema.pattern).matches, (PATTERN, schema.pattern))}({variable})")
    return conditions


def _literal_set(writer: SourceWriter, items: list[str] | list[int]) -> str:
    return "{" + ", ".join(map(writer.literal, items)) + "}" if items else "()"


def _text_in_enum(writer: SourceWriter, schema: Schema, variable: str) -> str:
    values = [item for item in schema.enum or [] if isinstance(item, str)]
    return f"type({variable}) is str and {variable} in {_literal_set(writer, values)}"


def _enum_condition(writer: SourceWriter, schema: Schema, variable: str) -> list[str]:
    return [f"not in_enum({variable}, {writer.constant(schema.enum)})"] if schema.enum else []


def _whole_bounds(schema: Schema, low: int, high: int) -> tuple[int, int] | None:
    """The part of `low` to `high` between minimum and maximum; `None` if a bound isn't an integer in that range."""
    for keyword, step in (("minimum", 1), ("maximum", -1)):
        bound = schema.number(keyword)
        if bound is None:
            continue
        if float(bound) != int(bound) or abs(bound) > _MAX_EXACT or not low <= bound <= high:
            return None
        limit = int(bound) + (step if schema.flag(f"exclusive{keyword.title()}") else 0)
        low, high = (limit, high) if step > 0 else (low, limit)
    return low, high


def _emit_integer(writer: SourceWriter, schema: Schema, variable: str) -> None:
    type_range = numbers.INTEGER_RANGES.get(schema.known_format, numbers.INTEGER_RANGES[""])
    bounds = _whole_bounds(schema, *type_range)
    factor = schema.number("multipleOf")
    if bounds is None or (factor is not None and not (factor == int(factor) and 0 < factor <= type_range[1] and factor <= _MAX_EXACT)):
        _refuse_if(writer, _ask(writer, schema, variable))
        return
    conditions = [f"not {bounds[0]} <= {variable} <= {bounds[1]}"]
    if factor is not None:
        conditions.append(f"{variable} % {int(factor)}")
    if schema.enum and all(type(item) is int for item in schema.enum):
        conditions.append(f"{variable} not in {_literal_set(writer, schema.enum)}")
    else:
        conditions += _enum_condition(writer, schema, variable)
    _emit_kind(writer, schema, variable, f"type({variable}) is not int", conditions)


def _emit_number(writer: SourceWriter, schema: Schema, variable: str) -> None:
    bounds = _whole_bounds(schema, -_MAX_EXACT, _MAX_EXACT)
    if bounds is None or schema.number("multipleOf") is not None or schema.known_format == "float":
        _refuse_if(writer, _ask(writer, schema, variable))
        return
    conditions = []
    for keyword, exclusive, inclusive in (("minimum", "<=", "<"), ("maximum", ">=", ">")):
        bound = schema.number(keyword)
        if bound is not None:
            operator = exclusive if schema.flag(f"exclusive{keyword.title()}") else inclusive
            conditions.append(f"{variable} {operator} {int(bound)}")
    conditions += _enum_condition(writer, schema, variable)
    _emit_kind(writer, schema, variable, f"type({variable}) is not float and type({variable}) is not int", conditions)


def _emit_int_or_string(writer: SourceWriter, schema: Schema, variable: str) -> None:
    """Strings by their keywords; integers pass unless a keyword applies to numbers."""
    with writer.block(f"if type({variable}) is str:"):
        conditions = text_conditions(writer, schema, variable)
        if conditions:
            _refuse_if(writer, " or ".join(conditions))
    simple = not has_number_keywords(schema) and not schema.enum
    certain = f"(type({variable}) is not int or not {MIN_INT64} <= {variable} <= {MAX_INT64}) and " if simple else ""
    with writer.block(f"elif {certain}{_ask(writer, schema, variable)}:"):
        writer.line("return False")
