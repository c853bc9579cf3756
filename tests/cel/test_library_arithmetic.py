"""Arithmetic, order and negation of each pair of types, at the bounds of 64 bits and of time, as in Kubernetes 1.36."""

from __future__ import annotations

import math
from typing import Final

import pytest

from tests.cel.library_calls import said
from weighbridge.policies.cel.library.quantity import QuantityValue
from weighbridge.policies.cel.library.standard_arithmetic import add, divide, modulo, multiply, negate, subtract
from weighbridge.policies.cel.library.standard_logic import compare, greater, greater_or_equal, less, less_or_equal, logical_not, not_equal
from weighbridge.policies.cel.values.times import MAX_INT64, MAX_UNIX, MIN_INT64, MIN_UNIX
from weighbridge.policies.cel.values.values import NANOS_PER_SECOND, NONE, Duration, MapValue, Timestamp, TypeValue, Uint, Value
from weighbridge.policies.ground.quantity import Quantity

_OPERATORS: Final = (add, subtract, multiply, divide, modulo)
_INT, _UINT, _DIV, _MOD = "integer overflow", "unsigned integer overflow", "division by zero", "modulus by zero"
_MISSING: Final = "no such overload"
_MAX, _MIN, _UMAX = MAX_INT64, MIN_INT64, Uint((1 << 64) - 1)


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        (7, 2, (9, 5, 14, 3, 1)),
        (-7, 2, (-5, -9, -14, -3, -1)),
        (7, -2, (5, 9, -14, -3, 1)),
        (-7, -2, (-9, -5, 14, 3, -1)),
        (6, 3, (9, 3, 18, 2, 0)),
        (0, -5, (-5, 5, 0, 0, 0)),
        (1, 0, (1, 1, 0, _DIV, _MOD)),
        (_MAX, 1, (_INT, _MAX - 1, _MAX, _MAX, 0)),
        (_MIN, 1, (_MIN + 1, _INT, _MIN, _MIN, 0)),
        (_MIN, -1, (_INT, _MIN + 1, _INT, _INT, _INT)),
        (_MIN + 1, -1, (_MIN, _MIN + 2, _MAX, _MAX, 0)),
        (_MIN, _MIN, (_INT, 0, _INT, 1, 0)),
        (_MAX, _MAX, (_INT, 0, _INT, 1, 0)),
        (_MIN, 2, (_MIN + 2, _INT, _INT, -(1 << 62), 0)),
        (5, -1, (4, 6, -5, -5, 0)),
        (3037000499, 3037000499, (6074000998, 0, 9223372030926249001, 1, 0)),
        (3037000500, 3037000500, (6074001000, 0, _INT, 1, 0)),
        (Uint(7), Uint(2), (Uint(9), Uint(5), Uint(14), Uint(3), Uint(1))),
        (Uint(1), Uint(2), (Uint(3), _UINT, Uint(2), Uint(0), Uint(1))),
        (Uint(1), Uint(0), (Uint(1), Uint(1), Uint(0), _DIV, _MOD)),
        (_UMAX, Uint(1), (_UINT, Uint(_UMAX - 1), _UMAX, _UMAX, Uint(0))),
        (Uint(1 << 32), Uint((1 << 32) - 1), (Uint((1 << 33) - 1), Uint(1), Uint((1 << 64) - (1 << 32)), Uint(1), Uint(1))),
        (Uint(1 << 32), Uint(1 << 32), (Uint(1 << 33), Uint(0), _UINT, Uint(1), Uint(0))),
        (1.5, 2.0, (3.5, -0.5, 3.0, 0.75, f"{_MISSING}: _%_")),
        (7.0, -2.0, (5.0, 9.0, -14.0, -3.5, f"{_MISSING}: _%_")),
        (7, Uint(2), (_MISSING,) * 5),
        (7, 2.0, (_MISSING,) * 5),
        (Uint(7), 2, (_MISSING,) * 5),
        (7.0, 2, (*(_MISSING,) * 4, f"{_MISSING}: _%_")),
        (True, 1, tuple(f"{_MISSING}: _{operator}_" for operator in "+-*/%")),
    ],
)
def test_numbers_are_reckoned_with_within_their_type(left: Value, right: Value, found: tuple[Value, ...]) -> None:
    results = tuple(said(call, left, right) for call in _OPERATORS)
    assert results == found
    assert [type(result) for result in results] == [type(wanted) for wanted in found]


@pytest.mark.parametrize(
    ("left", "right", "quotient"),
    [
        (1.0, 0.0, math.inf),
        (-1.0, 0.0, -math.inf),
        (1.0, -0.0, -math.inf),
        (-1.0, -0.0, math.inf),
        (math.inf, 0.0, math.inf),
        (0.0, 5.0, 0.0),
    ],
)
def test_doubles_are_divided_by_zero(left: float, right: float, quotient: float) -> None:
    assert divide(left, right) == quotient


@pytest.mark.parametrize(("left", "right"), [(0.0, 0.0), (-0.0, 0.0), (math.nan, 0.0), (0.0, math.nan)])
def test_some_quotients_are_no_numbers(left: float, right: float) -> None:
    assert math.isnan(divide(left, right))


_FIRST, _LAST = MIN_UNIX * NANOS_PER_SECOND, MAX_UNIX * NANOS_PER_SECOND + NANOS_PER_SECOND - 1


@pytest.mark.parametrize(
    ("left", "right", "total", "difference"),
    [
        (Duration(5), Duration(7), Duration(12), Duration(-2)),
        (Duration(_MAX), Duration(1), _INT, Duration(_MAX - 1)),
        (Duration(_MIN), Duration(1), Duration(_MIN + 1), _INT),
        (Duration(_MAX - 1), Duration(1), Duration(_MAX), Duration(_MAX - 2)),
        (Duration(5), Timestamp(7, 60), Timestamp(12, 60), _MISSING),
        (Timestamp(5, 60), Duration(7), Timestamp(12, 60), Timestamp(-2, 60)),
        (Timestamp(5), Timestamp(7), _MISSING, Duration(-2)),
        (Timestamp(_FIRST), Timestamp(_LAST), _MISSING, _INT),
        (Timestamp(_MAX), Timestamp(0), _MISSING, Duration(_MAX)),
        (Timestamp(0), Timestamp(-_MIN), _MISSING, Duration(_MIN)),
        (Timestamp(_LAST), Duration(1), "timestamp overflow", Timestamp(_LAST - 1)),
        (Timestamp(_FIRST), Duration(1), Timestamp(_FIRST + 1), "timestamp overflow"),
        (Timestamp(_LAST - 1), Duration(1), Timestamp(_LAST), Timestamp(_LAST - 2)),
        (Timestamp(5), 1, _MISSING, _MISSING),
        (Duration(5), 1, _MISSING, _MISSING),
        (Duration(5), "x", _MISSING, _MISSING),
        (5, Duration(5), _MISSING, _MISSING),
    ],
)
def test_times_and_spans_are_added_and_taken_away(left: Value, right: Value, total: Value, difference: Value) -> None:
    found = said(add, left, right), said(subtract, left, right)
    assert found == (total, difference)
    assert [getattr(value, "offset", None) for value in found] == [getattr(value, "offset", None) for value in (total, difference)]


@pytest.mark.parametrize(
    ("left", "right", "total"),
    [
        ("a", "b", "ab"),
        (b"a", b"b", b"ab"),
        ([1], [2], [1, 2]),
        ("a", 1, _MISSING),
        (b"a", "b", _MISSING),
        ([1], 2, _MISSING),
        (None, 1, f"{_MISSING}: _+_"),
        (NONE, NONE, f"{_MISSING}: _+_"),
        (MapValue(), MapValue(), f"{_MISSING}: _+_"),
    ],
)
def test_texts_and_lists_are_joined(left: Value, right: Value, total: Value) -> None:
    assert said(add, left, right) == total


_QUANTITY: Final = QuantityValue(Quantity.parse("1"))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("a", (_MISSING,) * 4),
        (Duration(5), (_MISSING,) * 4),
        (Timestamp(5), (_MISSING,) * 4),
        *(
            (value, (f"{_MISSING}: _-_", f"{_MISSING}: _*_", f"{_MISSING}: _/_", f"{_MISSING}: _%_"))
            for value in (b"a", True, None, [1], NONE)
        ),
        (_QUANTITY, (f"{_MISSING}: _-_", f"{_MISSING}: _*_", f"{_MISSING}: _/_", f"{_MISSING}: _%_")),
    ],
)
def test_an_operator_that_a_type_lacks_is_named_unless_calls_are_passed_on_to_it(value: Value, words: tuple[str, ...]) -> None:
    assert tuple(said(call, value, 1) for call in _OPERATORS[1:]) == words


@pytest.mark.parametrize(
    ("value", "negated"),
    [
        (5, -5),
        (0, 0),
        (_MAX, -_MAX),
        (_MIN, _INT),
        (1.5, -1.5),
        (Duration(5), Duration(-5)),
        (Duration(_MIN), _INT),
        (True, _MISSING),
        ("a", _MISSING),
        (Timestamp(5), _MISSING),
        *((value, f"{_MISSING}: -_") for value in (b"a", None, [1], Uint(1), TypeValue("int"), NONE, _QUANTITY)),
    ],
)
def test_what_can_be_negated(value: Value, negated: Value) -> None:
    assert said(negate, value) == negated


@pytest.mark.parametrize(
    ("left", "right", "order"),
    [
        (1, 2, -1),
        (2, 2, 0),
        (2, 1, 1),
        (1, Uint(1), 0),
        (-1, Uint(0), -1),
        (_MAX, _UMAX, -1),
        (1, 1.5, -1),
        (2, 1.5, 1),
        (Uint(2), 2.0, 0),
        (-0.0, 0.0, 0),
        (_MAX, 1e19, -1),
        (_MIN, -1e19, 1),
        (1e19, _UMAX, -1),
        (1.9e19, _UMAX, 1),
        (-0.5, Uint(0), -1),
        (9007199254740993, 9007199254740992.0, 0),
        (math.inf, _MAX, 1),
        (False, True, -1),
        ("a", "b", -1),
        ("é", "z", 1),
        (b"\x01", b"\x02", -1),
        (Duration(1), Duration(2), -1),
        (Timestamp(2, 60), Timestamp(1), 1),
    ],
)
def test_values_have_an_order_within_their_type_and_numbers_across(left: Value, right: Value, order: int) -> None:
    assert (compare(left, right), compare(right, left)) == (order, -order)
    assert [call(left, right) for call in (less, less_or_equal, greater, greater_or_equal)] == [
        order < 0,
        order <= 0,
        order > 0,
        order >= 0,
    ]


@pytest.mark.parametrize(
    ("left", "right", "words"),
    [
        (1, "a", (_MISSING,) * 4),
        (math.nan, "a", ("NaN values cannot be ordered",) * 4),
        (math.nan, 1, ("NaN values cannot be ordered",) * 4),
        (1.0, math.nan, ("NaN values cannot be ordered",) * 4),
        (1, True, (_MISSING,) * 4),
        ("a", 1, (_MISSING,) * 4),
        (Duration(1), Timestamp(1), (_MISSING,) * 4),
        *((value, 1, tuple(f"{_MISSING}: _{operator}_" for operator in ("<", "<=", ">", ">="))) for value in (None, [1], MapValue(), NONE)),
        (_QUANTITY, 1, tuple(f"{_MISSING}: _{operator}_" for operator in ("<", "<=", ">", ">="))),
    ],
)
def test_what_has_no_order_is_an_error(left: Value, right: Value, words: tuple[str, ...]) -> None:
    assert tuple(said(call, left, right) for call in (less, less_or_equal, greater, greater_or_equal)) == words


def test_negation_of_truth_takes_truth_alone() -> None:
    assert (logical_not(True), logical_not(False)) == (False, True)
    assert [said(logical_not, value) for value in (1, None, "true")] == [_MISSING] * 3


def test_what_cannot_be_compared_is_unequal() -> None:
    derived = QuantityValue(Quantity.parse("1"), derived=True)
    assert [not_equal(_QUANTITY, other) for other in (QuantityValue(Quantity.parse("1000m")), derived, 1)] == [False, True, True]
    assert [not_equal(1, other) for other in (1.0, 2, "1")] == [False, True, True]
