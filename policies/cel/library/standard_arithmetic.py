"""The operators ``+ - * / %`` and negation.

int and uint are checked for overflow at 64 bits, doubles follow IEEE 754 (division by zero is infinite), strings, bytes and lists are
joined, and durations are added to times. The left operand decides what an operator means.

    2 + 3          -> 5
    'a' + 'b'      -> 'ab'
    7 / -2         -> -3
    7 % -2         -> 1
    1.0 / 0.0      -> +Inf
    [1] + [2]      -> [1, 2]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from weighbridge.policies.cel.library.overload import Library, Overload
from weighbridge.policies.cel.library.ranges import STRING_FACTOR
from weighbridge.policies.cel.run_time_errors import (
    DIVISION_BY_ZERO,
    INTEGER_OVERFLOW,
    MODULUS_BY_ZERO,
    NO_SUCH_OVERLOAD,
    TIMESTAMP_OVERFLOW,
    UNSIGNED_OVERFLOW,
    no_such_overload_of,
)
from weighbridge.policies.cel.values.access import cost_size, elements, held, is_list, list_of_held
from weighbridge.policies.cel.values.data import summand
from weighbridge.policies.cel.values.declared import JOINED_LISTS, LIST_OF_VALUES, Shape, ValuesOf
from weighbridge.policies.cel.values.equality import is_of_values, map_list_key, raw_key, set_key, value_key
from weighbridge.policies.cel.values.growth import check_list
from weighbridge.policies.cel.values.times import MAX_INT64, MAX_UNIX, MIN_INT64, MIN_UNIX
from weighbridge.policies.cel.values.types import BYTES, DOUBLE, DURATION, INT, LIST_OF_A, STRING, TIMESTAMP, UINT, Type
from weighbridge.policies.cel.values.values import NANOS_PER_SECOND, CelError, DataList, Duration, Timestamp, Uint, Value
from weighbridge.policies.ground.server_release import release

MAX_UINT64: Final = (1 << 64) - 1
#: Values that receive some operators themselves; their error for another operator is only a missing overload.
_RECEIVERS: Final = frozenset({str, Duration, Timestamp})


def as_int(number: int) -> int:
    """`number` if it fits an int; raises CelError otherwise."""
    if MIN_INT64 <= number <= MAX_INT64:
        return number
    raise CelError(INTEGER_OVERFLOW)


def as_uint(number: int) -> Uint:
    """`number` as a uint; raises CelError where it doesn't fit."""
    if 0 <= number <= MAX_UINT64:
        return Uint(number)
    raise CelError(UNSIGNED_OVERFLOW)


def as_duration(nanoseconds: int) -> Duration:
    """A duration; raises CelError if int64 can't hold it."""
    if MIN_INT64 <= nanoseconds <= MAX_INT64:
        return Duration(nanoseconds)
    raise CelError(INTEGER_OVERFLOW)


def as_timestamp(nanoseconds: int, offset: int) -> Timestamp:
    """A point in time; raises CelError outside the years 1 to 9999."""
    if MIN_UNIX <= nanoseconds // NANOS_PER_SECOND <= MAX_UNIX:
        return Timestamp(nanoseconds, offset)
    raise CelError(TIMESTAMP_OVERFLOW)


def unsupported(operator: str, value: Value) -> CelError:
    """The error of an operator that a value's type doesn't have."""
    return CelError(NO_SUCH_OVERLOAD if value.__class__ in _RECEIVERS else no_such_overload_of(operator))


def _same(left: Value, right: Value) -> None:
    if left.__class__ is not right.__class__:
        raise CelError(NO_SUCH_OVERLOAD)


def add(left: Value, right: Value) -> Value:
    """``left + right``."""
    kind = left.__class__
    if kind is int:
        _same(left, right)
        return as_int(left + right)
    if kind is str or kind is float or kind is bytes:
        _same(left, right)
        return left + right
    if kind is list:
        return _add_lists(left, right)
    if kind is DataList:
        return _add_to_data(left, right)
    if kind is Uint:
        _same(left, right)
        return as_uint(int(left) + int(right))
    return _add_times(left, right)


def _add_lists(left: list[Value], right: Value) -> Value:
    if not is_list(right):
        raise CelError(NO_SUCH_OVERLOAD)
    if not left:
        # The sum is the other list itself, so it remains a set or a map list.
        return right
    check_list(len(left) + len(right))
    if right.__class__ is list:
        return left + right
    return list_of_held(left + held(right), LIST_OF_VALUES if is_of_values(right) else JOINED_LISTS)


def _add_to_data(left: DataList, right: Value) -> Value:
    """A list from an object keeps its type: a set adds only new items, and a map list replaces items with equal keys."""
    if left.declared.shape is Shape.JSON:
        return _add_lists(elements(left), right)
    if not is_list(right):
        raise CelError(NO_SUCH_OVERLOAD)
    check_list(len(left) + len(right))
    return _join_values(left, right) if release().joins_values else _join_data(left, right)


def _join_data(left: DataList, right: Value) -> Value:
    """The sum before 1.37: a list of the left type with Go's data, which may not fit that type."""
    more = [summand(value) for value in held(right)]
    joined = list(left.raw)
    if left.declared.list_type == "set":
        _unite(joined, more)
    elif left.declared.list_type == "map":
        _merge(joined, more, left.declared.escaped_keys)
    else:
        joined += more
    return DataList(joined, left.declared)


def _join_values(left: DataList, right: Value) -> Value:
    """The sum of sets or map lists from 1.37 on: a set or a map list of values."""
    joined, declared = held(left), left.declared
    if declared.list_type not in ("set", "map"):
        # A list of an object reads all values, but a list of values keeps what is added as it is.
        is_kept = declared is JOINED_LISTS or (declared is LIST_OF_VALUES and not is_of_values(right))
        return list_of_held(joined + held(right), JOINED_LISTS if is_kept else LIST_OF_VALUES)
    key_of = set_key if declared.list_type == "set" else partial(value_key, escaped_keys=declared.escaped_keys)
    positions = {key_of(value): position for position, value in enumerate(joined)}
    for value in held(right):
        key = key_of(value)
        position = positions.get(key)
        if position is None:
            joined.append(value)
            if declared.list_type == "set":
                positions[key] = len(joined)
        elif declared.list_type == "map":
            joined[position] = value
    return DataList(joined, declared if isinstance(declared, ValuesOf) else ValuesOf(declared))


def _unite(joined: list[Any], more: list[Any]) -> None:
    known = {raw_key(raw) for raw in joined}
    for raw in more:
        key = raw_key(raw, in_empty=not known)
        if key not in known:
            known.add(key)
            joined.append(raw)


def _merge(joined: list[Any], more: list[Any], escaped_keys: list[str]) -> None:
    positions = {map_list_key(raw, escaped_keys): position for position, raw in enumerate(joined)}
    for raw in more:
        position = positions.get(map_list_key(raw, escaped_keys, in_empty=not positions))
        if position is None:
            joined.append(raw)
        else:
            joined[position] = raw


def _add_times(left: Value, right: Value) -> Value:
    if left.__class__ is Duration:
        if right.__class__ is Duration:
            return as_duration(left.nanoseconds + right.nanoseconds)
        if right.__class__ is Timestamp:
            return as_timestamp(left.nanoseconds + right.nanoseconds, right.offset)
    elif left.__class__ is Timestamp and right.__class__ is Duration:
        return as_timestamp(left.nanoseconds + right.nanoseconds, left.offset)
    elif left.__class__ not in (Duration, Timestamp):
        raise unsupported("_+_", left)
    raise CelError(NO_SUCH_OVERLOAD)


def subtract(left: Value, right: Value) -> Value:
    """``left - right``."""
    kind = left.__class__
    if kind is Timestamp:
        return _subtract_from_time(left, right)
    if kind not in (int, float, Uint, Duration):
        raise unsupported("_-_", left)
    _same(left, right)
    if kind is int:
        return as_int(left - right)
    if kind is Uint:
        return as_uint(int(left) - int(right))
    return left - right if kind is float else as_duration(left.nanoseconds - right.nanoseconds)


def _subtract_from_time(left: Timestamp, right: Value) -> Value:
    if right.__class__ is Timestamp:
        seconds = left.nanoseconds // NANOS_PER_SECOND - right.nanoseconds // NANOS_PER_SECOND
        # cel-go multiplies the whole seconds first, which may not fit even if the difference does.
        as_int(seconds * NANOS_PER_SECOND)
        return as_duration(left.nanoseconds - right.nanoseconds)
    if right.__class__ is Duration:
        # cel-go adds the negative duration, and the lowest one has none.
        return as_timestamp(left.nanoseconds + negate(right).nanoseconds, left.offset)
    raise CelError(NO_SUCH_OVERLOAD)


def multiply(left: Value, right: Value) -> Value:
    """``left * right``."""
    kind = left.__class__
    if kind not in (int, float, Uint):
        raise unsupported("_*_", left)
    _same(left, right)
    if kind is int:
        return as_int(left * right)
    return left * right if kind is float else as_uint(int(left) * int(right))


def divide(left: Value, right: Value) -> Value:
    """``left / right``: integer results are truncated."""
    kind = left.__class__
    if kind not in (int, float, Uint):
        raise unsupported("_/_", left)
    _same(left, right)
    if kind is float:
        return divide_doubles(left, right)
    if right == 0:
        raise CelError(DIVISION_BY_ZERO)
    quotient = abs(int(left)) // abs(int(right))
    if kind is Uint:
        return Uint(quotient)
    return as_int(quotient if (left < 0) == (right < 0) else -quotient)


def divide_doubles(left: float, right: float) -> float:
    """IEEE 754 division."""
    if right != 0.0:
        return left / right
    if left == 0.0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, math.copysign(1.0, left) * math.copysign(1.0, right))


def modulo(left: Value, right: Value) -> Value:
    """``left % right``: the sign is the left operand's."""
    kind = left.__class__
    if kind is not int and kind is not Uint:
        raise unsupported("_%_", left)
    _same(left, right)
    if right == 0:
        raise CelError(MODULUS_BY_ZERO)
    remainder = abs(int(left)) % abs(int(right))
    if kind is Uint:
        return Uint(remainder)
    if left == MIN_INT64 and right == -1:
        raise CelError(INTEGER_OVERFLOW)
    return -remainder if left < 0 else remainder


def negate(value: Value) -> Value:
    """``-value``."""
    kind = value.__class__
    if kind is int:
        return as_int(-value)
    if kind is float:
        return -value
    if kind is Duration:
        return as_duration(-value.nanoseconds)
    raise CelError(NO_SUCH_OVERLOAD if kind in (bool, str, Timestamp) else no_such_overload_of("-_"))


def _joined_cost(_result: Value, left: Value, right: Value) -> int:
    return math.ceil((cost_size(left) + cost_size(right)) * STRING_FACTOR)


def _binary(id_: str, left: Type, right: Type, result: Type) -> Overload:
    return Overload(id_, (left, right), result)


LIBRARY: Final = Library()


def _declare(name: str, call: Callable[[Value, Value], Value], word: str, *extra: Overload) -> None:
    numbers = [_binary(f"{word}_{kind}", type_, type_, type_) for kind, type_ in (("double", DOUBLE), ("int64", INT), ("uint64", UINT))]
    LIBRARY.singleton(name, call, [*numbers, *extra])


LIBRARY.singleton(
    "_+_",
    add,
    [
        Overload("add_bytes", (BYTES, BYTES), BYTES, cost=_joined_cost),
        _binary("add_double", DOUBLE, DOUBLE, DOUBLE),
        _binary("add_duration_duration", DURATION, DURATION, DURATION),
        _binary("add_duration_timestamp", DURATION, TIMESTAMP, TIMESTAMP),
        _binary("add_timestamp_duration", TIMESTAMP, DURATION, TIMESTAMP),
        _binary("add_int64", INT, INT, INT),
        _binary("add_list", LIST_OF_A, LIST_OF_A, LIST_OF_A),
        Overload("add_string", (STRING, STRING), STRING, cost=_joined_cost),
        _binary("add_uint64", UINT, UINT, UINT),
    ],
)
LIBRARY.singleton(
    "_-_",
    subtract,
    [
        _binary("subtract_double", DOUBLE, DOUBLE, DOUBLE),
        _binary("subtract_duration_duration", DURATION, DURATION, DURATION),
        _binary("subtract_int64", INT, INT, INT),
        _binary("subtract_timestamp_duration", TIMESTAMP, DURATION, TIMESTAMP),
        _binary("subtract_timestamp_timestamp", TIMESTAMP, TIMESTAMP, DURATION),
        _binary("subtract_uint64", UINT, UINT, UINT),
    ],
)
_declare("_*_", multiply, "multiply")
_declare("_/_", divide, "divide")
LIBRARY.singleton("_%_", modulo, [_binary("modulo_int64", INT, INT, INT), _binary("modulo_uint64", UINT, UINT, UINT)])
LIBRARY.singleton("-_", negate, [Overload("negate_double", (DOUBLE,), DOUBLE), Overload("negate_int64", (INT,), INT)])
