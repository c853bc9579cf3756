"""Values in error messages and in comparisons: how Go prints them, and when two of different kinds are equal."""

from __future__ import annotations

import math
from typing import Any

import pytest

from weighbridge.policies.schema.go_values import as_go_number, deep_equal, equals_converted, in_enum, plain_text, to_int64

MAX = 2**63 - 1
MIN = -(2**63)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "<nil>"),
        ("a b", "a b"),
        ("", ""),
        (True, "true"),
        (1, "1"),
        (1.5, "1.5"),
        (1e21, "1e+21"),
        ([], "[]"),
        (["a"], "[a]"),
        (["a", "b", "c"], "[a b c]"),
        ([["a", 1], [], [None]], "[[a 1] [] [<nil>]]"),
        ({}, "map[]"),
        ({"b": 1}, "map[b:1]"),
        ({"c": 3, "a": 1, "b": 2}, "map[a:1 b:2 c:3]"),
        ({"b": {"d": 1, "c": [1, 2]}, "a": {}}, "map[a:map[] b:map[c:[1 2] d:1]]"),
    ],
)
def test_a_value_is_printed_as_go_prints_it(value: Any, text: str) -> None:
    assert plain_text(value) == text


@pytest.mark.parametrize(
    ("value", "number"),
    [(MAX, MAX), (MIN, MIN), (MAX + 1, 2.0**63), (MIN - 1, -(2.0**63)), (1.5, 1.5), (10**400, math.inf), (-(10**400), -math.inf)],
)
def test_an_integer_beyond_int64_becomes_a_float(value: float, number: float) -> None:
    found = as_go_number(value)
    assert (found, type(found)) == (number, type(number))


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (1.9, 1),
        (-1.9, -1),
        (2.0**62, 2**62),
        (9223372036854774784.0, 9223372036854774784),
        (2.0**63, MIN),
        (-(2.0**63), MIN),
        (-(2.0**64), MIN),
        (math.inf, MIN),
        (math.nan, MIN),
    ],
)
def test_a_float_is_cut_to_an_int64(value: float, number: int) -> None:
    assert to_int64(value) == number


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (1, 1, True),
        (1, 1.0, False),
        (1, True, False),
        (None, None, True),
        ({}, [], False),
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": 1.0}, False),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 1}, {"a": 1, "b": 1}, False),
        ([1, [2]], [1, [2]], True),
        ([1, [2]], [1, [3]], False),
        ([3, 2], [1, 2], False),
        ([1], [1, 1], False),
        ([1, 2], [2, 1], False),
    ],
)
def test_deep_equality_looks_at_kinds_everywhere(left: Any, right: Any, equal: bool) -> None:
    assert deep_equal(left, right) is equal
    assert deep_equal(right, left) is equal


@pytest.mark.parametrize(
    ("value", "wanted", "equal"),
    [
        (1.7, 1, True),
        (-0.5, 0, True),
        (2.0, 1, False),
        (1, 1.0, True),
        (1, 1.5, False),
        (65, "A", True),
        (66, "A", False),
        (0x10FFFF, "\U0010ffff", True),
        (0x110000, "\ufffd", True),
        (-1, "\ufffd", True),
        (0, "\x00", True),
        (0xD7FF, "\ud7ff", True),
        (0xD800, "\ufffd", True),
        (0xDFFF, "\ufffd", True),
        (0xE000, "\ue000", True),
        ("A", 65, False),
        ("1", 1, False),
        (65.0, "A", False),
        (True, 1, False),
        (1, True, False),
        (None, None, False),
        (None, 1, False),
        (1, None, False),
        ([1], [1], True),
        ([1], [1.0], False),
    ],
)
def test_a_value_is_converted_to_the_kind_of_an_enums_item_where_go_converts(value: Any, wanted: Any, equal: bool) -> None:
    assert equals_converted(value, wanted) is equal
    assert in_enum(value, ["no", wanted]) is equal


def test_an_integer_beyond_int64_is_in_an_enum_as_the_float_that_it_is() -> None:
    assert in_enum(2**63, [2.0**63])
    assert not in_enum(2**63, [2.0**62])
