"""The numeric keywords: range of the type, multipleOf, maximum and minimum, with the server's arithmetic.

Bounds are floats in the server's schema; an integer is compared with the bound truncated to an integer. A bound that the schema's type
can't hold is reported and then compared as a float. Sources: k8s.io/kube-openapi ``pkg/validation/validate/{validator,values}.go`` and
github.com/go-openapi/swag ``convert.go``: v0.23 up to kube-apiserver 1.36, v0.27 from 1.37 on.
"""

from __future__ import annotations

import math
from typing import Final

from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema import errors
from weighbridge.policies.schema.errors import Violation
from weighbridge.policies.schema.go_values import MAX_INT64, MIN_INT64, to_int64
from weighbridge.policies.schema.node import NUMBER_FORMATS, Schema

_MAX_JSON_INTEGER: Final = 2**53 - 1
_EPSILON: Final = 1e-9
INTEGER_RANGES: Final = {"int32": (-(2**31), 2**31 - 1), "int64": (MIN_INT64, MAX_INT64), "": (MIN_INT64, MAX_INT64)}
#: The smallest float that rounds beyond the largest float32: half a unit in the last place above it.
FLOAT32_LIMIT: Final = float(2**128 - 2**103)


def is_json_integer(value: float) -> bool:
    """Whether a float passes for an integer: whole, or nearly so, and within the range that JSON numbers hold exactly."""
    if not abs(value) <= _MAX_JSON_INTEGER:
        return False
    whole = int(value)
    if value == whole:
        return True
    if release().rounds_near_integers:
        # Go rounds halves away from zero.
        rounded = math.floor(abs(value) + 0.5)
        return abs(abs(value) - rounded) < _EPSILON * rounded
    # These releases truncate to an unsigned integer, so only a value above 1 can be near enough.
    return value > 1 and (value - whole) / (value + whole) < _EPSILON


def in_range(value: float, type_name: str, format_name: str) -> bool:
    """Whether the number type can hold `value`; a whole float counts as an integer, a fraction doesn't."""
    if type_name == "integer":
        low, high = INTEGER_RANGES[format_name]
        if type(value) is int:
            return low <= value <= high
        # The server reads the float's shortest digits, which are -9223372036854776000 for -2^63.
        return low <= value <= high and value > MIN_INT64 and value == int(value)
    return format_name != "float" or abs(value) < FLOAT32_LIMIT


def violations(schema: Schema, name: str, value: float) -> list[Violation]:
    """The violations of a number against `schema`: range, multipleOf, minimum, maximum."""
    typed = schema.types in (("integer",), ("number",)) and release().checks_number_types
    type_name = schema.types[0] if typed else ""
    format_name = schema.known_format if schema.known_format in NUMBER_FORMATS.get(type_name, ()) else ""
    found = [] if in_range(value, type_name, format_name) else [errors.out_of_range(errors.VALUE, name, type_name, format_name)]
    for keyword, what, check in (
        ("multipleOf", errors.FACTOR, _multiple_of),
        ("minimum", errors.MINIMUM, _minimum),
        ("maximum", errors.MAXIMUM, _maximum),
    ):
        bound = schema.number(keyword)
        if bound is None:
            continue
        limit, number = float(bound), value
        if not in_range(limit, type_name, format_name):
            found.append(errors.out_of_range(what, name, type_name, format_name))
            number = float(value)
        violation = check(schema, name, number, to_int64(limit) if type(number) is int else limit)
        if violation is not None:
            found.append(violation)
    return found


def _multiple_of(_schema: Schema, name: str, value: float, factor: float) -> Violation | None:
    if factor <= 0:
        return errors.factor_not_positive(name, factor)
    whole = value % factor == 0 if type(value) is int else is_json_integer(_quotient(value, factor))
    return None if whole else errors.not_a_multiple(name, factor, value)


def _quotient(value: float, factor: float) -> float:
    """Divides as upstream does; the rounding errors are part of the verdict."""
    try:
        return 1 / factor * value if factor < 1 else value / factor
    except (OverflowError, ZeroDivisionError):
        return math.inf


def _minimum(schema: Schema, name: str, value: float, limit: float) -> Violation | None:
    exclusive = schema.flag("exclusiveMinimum")
    if value > limit or (value == limit and not exclusive):
        return None
    return errors.below_minimum(name, limit, value, exclusive=exclusive)


def _maximum(schema: Schema, name: str, value: float, limit: float) -> Violation | None:
    exclusive = schema.flag("exclusiveMaximum")
    if value < limit or (value == limit and not exclusive):
        return None
    return errors.above_maximum(name, limit, value, exclusive=exclusive)
