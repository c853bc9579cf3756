"""Comparison, logic, membership, indexing and size.

Ordering works across the number types, equality is typed (through dyn it is numeric across types too). ``&&``, ``||`` and the conditional
are control flow; they have no implementation here, and generated code handles them.

    1 < 1.5            -> true
    'a' in ['a']       -> true
    'k' in {'k': 1}    -> true
    size('né')         -> 2
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from weighbridge.policies.cel.library.overload import Library, Overload
from weighbridge.policies.cel.library.ranges import STRING_FACTOR
from weighbridge.policies.cel.library.standard_arithmetic import unsupported
from weighbridge.policies.cel.run_time_errors import NAN_HAS_NO_ORDER, NO_SUCH_OVERLOAD
from weighbridge.policies.cel.values.access import cost_size, get, size
from weighbridge.policies.cel.values.equality import compare_with_double, contains, equal
from weighbridge.policies.cel.values.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    INT,
    LIST_OF_A,
    MAP_OF_A_B,
    STRING,
    TIMESTAMP,
    UINT,
    A,
    B,
    Type,
)
from weighbridge.policies.cel.values.values import CelError, Duration, Timestamp, Uint, Value

_NUMBERS: Final = (int, float, Uint)


def compare(left: Value, right: Value, operator: str = "_<_") -> int:
    """-1, 0 or 1; raises CelError for values that have no order."""
    kind = left.__class__
    if kind in _NUMBERS:
        return _compare_numbers(left, right)
    if kind not in (bool, str, bytes, Duration, Timestamp):
        raise unsupported(operator, left)
    if right.__class__ is not kind:
        raise CelError(NO_SUCH_OVERLOAD)
    if kind is Duration or kind is Timestamp:
        return _order(left.nanoseconds, right.nanoseconds)
    # Go orders strings by their UTF-8 bytes, which is the order of code points.
    return _order(left, right)


def _order(left: Value, right: Value) -> int:
    return int(left > right) - int(left < right)


def _compare_numbers(left: Value, right: Value) -> int:
    if right.__class__ not in _NUMBERS:
        if left.__class__ is float and math.isnan(left):
            raise CelError(NAN_HAS_NO_ORDER)
        raise CelError(NO_SUCH_OVERLOAD)
    if left.__class__ is float or right.__class__ is float:
        order = compare_with_double(left, right)
        if order == 2:
            raise CelError(NAN_HAS_NO_ORDER)
        return order
    return (int(left) > int(right)) - (int(left) < int(right))


def less(left: Value, right: Value) -> bool:
    """``left < right``."""
    return compare(left, right) < 0


def less_or_equal(left: Value, right: Value) -> bool:
    """``left <= right``."""
    return compare(left, right, "_<=_") <= 0


def greater(left: Value, right: Value) -> bool:
    """``left > right``."""
    return compare(left, right, "_>_") > 0


def greater_or_equal(left: Value, right: Value) -> bool:
    """``left >= right``."""
    return compare(left, right, "_>=_") >= 0


def not_equal(left: Value, right: Value) -> bool:
    """``left != right``; values that can't be compared are unequal."""
    try:
        return not equal(left, right)
    except CelError:
        return True


def logical_not(value: Value) -> bool:
    """``!value``."""
    if value.__class__ is not bool:
        raise CelError(NO_SUCH_OVERLOAD)
    return not value


def is_in(wanted: Value, container: Value) -> bool:
    """``wanted in container``."""
    return contains(container, wanted)


def smaller_cost(_result: Value, left: Value, right: Value) -> int:
    """The cost of comparing two values: a tenth of the smaller size."""
    if left.__class__ in FLAT:
        return 1
    return math.ceil(min(cost_size(left), cost_size(right)) * STRING_FACTOR)


#: Types for which a comparison costs one, whatever the sizes of the values; libraries add theirs.
FLAT: set[type] = set()


def _unequal_cost(_result: Value, left: Value, right: Value) -> int:
    return math.ceil(min(cost_size(left), cost_size(right)) * STRING_FACTOR)


def _membership_cost(_result: Value, _wanted: Value, container: Value) -> int:
    return cost_size(container)


def _no_call(*_: Value) -> Value:
    raise CelError(NO_SUCH_OVERLOAD)


LIBRARY: Final = Library()
LIBRARY.singleton("_?_:_", _no_call, [Overload("conditional", (BOOL, A, A), A)])
LIBRARY.singleton("_&&_", _no_call, [Overload("logical_and", (BOOL, BOOL), BOOL)])
LIBRARY.singleton("_||_", _no_call, [Overload("logical_or", (BOOL, BOOL), BOOL)])
LIBRARY.singleton("!_", logical_not, [Overload("logical_not", (BOOL,), BOOL)])
LIBRARY.singleton("@not_strictly_false", _no_call, [Overload("not_strictly_false", (BOOL,), BOOL)])
LIBRARY.singleton("_==_", equal, [Overload("equals", (A, A), BOOL, cost=smaller_cost)])
LIBRARY.singleton("_!=_", not_equal, [Overload("not_equals", (A, A), BOOL, cost=_unequal_cost)])

_ORDERED: Final = (
    ("bool", BOOL, BOOL),
    ("int64", INT, INT),
    ("int64_double", INT, DOUBLE),
    ("int64_uint64", INT, UINT),
    ("uint64", UINT, UINT),
    ("uint64_double", UINT, DOUBLE),
    ("uint64_int64", UINT, INT),
    ("double", DOUBLE, DOUBLE),
    ("double_int64", DOUBLE, INT),
    ("double_uint64", DOUBLE, UINT),
    ("string", STRING, STRING),
    ("bytes", BYTES, BYTES),
    ("timestamp", TIMESTAMP, TIMESTAMP),
    ("duration", DURATION, DURATION),
)


def _relation(name: str, word: str, call: Callable[[Value, Value], bool]) -> None:
    overloads = [
        Overload(
            f"{word}_{suffix}",
            (left, right),
            BOOL,
            cost=_unequal_cost if suffix in ("string", "bytes") else None,
            since=(1, 23) if left is right else (1, 28),
        )
        for suffix, left, right in _ORDERED
    ]
    LIBRARY.singleton(name, call, overloads)


_relation("_<_", "less", less)
_relation("_<=_", "less_equals", less_or_equal)
_relation("_>_", "greater", greater)
_relation("_>=_", "greater_equals", greater_or_equal)
LIBRARY.singleton("_[_]", get, [Overload("index_list", (LIST_OF_A, INT), A), Overload("index_map", (MAP_OF_A_B, A), B)])
LIBRARY.singleton(
    "@in", is_in, [Overload("in_list", (A, LIST_OF_A), BOOL, cost=_membership_cost), Overload("in_map", (A, MAP_OF_A_B), BOOL)]
)


def _sized(word: str, type_: Type) -> list[Overload]:
    return [Overload(f"size_{word}", (type_,), INT), Overload(f"{word}_size", (type_,), INT, member=True)]


LIBRARY.singleton(
    "size",
    size,
    [*_sized("bytes", BYTES), *_sized("list", LIST_OF_A), *_sized("map", MAP_OF_A_B), *_sized("string", STRING)],
)
