"""Lists, sets, optionals and formats in edge cases, as in Kubernetes 1.36."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cel.library_calls import OVERLOADS, made, said
from weighbridge.policies.cel.library.format import FormatValue, named, validate
from weighbridge.policies.cel.library.lists import (
    distinct,
    flatten,
    index_of,
    is_sorted,
    last_index_of,
    range_,
    reverse,
    slice_,
    sort,
    sort_by_keys,
)
from weighbridge.policies.cel.library.optional import first, last, none, of, of_non_zero, unwrap
from weighbridge.policies.cel.library.sets import contains, equivalent, intersects
from weighbridge.policies.cel.values import growth
from weighbridge.policies.cel.values.data import read
from weighbridge.policies.cel.values.declared import JSON_TYPE
from weighbridge.policies.cel.values.undecided import CostExceededError
from weighbridge.policies.cel.values.values import NONE, Duration, Optional, Timestamp, TypeValue, Uint, Value


@pytest.mark.parametrize("value", [0, Uint(0), 0.0, -0.0, "", b"", [], made(), None, False, Duration(0), Timestamp(-62135596800 * 10**9)])
def test_some_values_count_as_nothing(value: Value) -> None:
    assert of_non_zero(value) is NONE


@pytest.mark.parametrize("value", [1, -1.5, "a", b"a", [0], made((1, 1)), True, Duration(1), Timestamp(0), NONE, TypeValue("int")])
def test_all_others_count_as_something(value: Value) -> None:
    assert of_non_zero(value) == of(value) == Optional(present=True, value=value)


def test_ends_of_lists_are_optional() -> None:
    for values in ([1, 2, 3], read([1, 2, 3], JSON_TYPE)):
        assert (first(values), last(values)) == (of(1), of(3))
    assert first([]) is last([]) is none() is NONE
    assert unwrap([of(1), NONE, of(2)]) == [1, 2]
    assert said(unwrap, [of(1), 7]) == "value 7 is not optional"


def test_lists_are_cut_searched_and_turned() -> None:
    assert [slice_([1, 2, 3], start, end) for start, end in ((0, 0), (0, 3), (1, 2), (3, 3))] == [[], [1, 2, 3], [2], []]
    assert said(slice_, [1, 2, 3], -1, 2) == "cannot slice(-1, 2), negative indexes not supported"
    assert said(slice_, [1, 2, 3], 0, -1) == "cannot slice(0, -1), negative indexes not supported"
    assert said(slice_, [1, 2, 3], 2, 1) == "cannot slice(2, 1), start index must be less than or equal to end index"
    assert said(slice_, [1, 2, 3], 2, 4) == "cannot slice(2, 4), list is length 3"
    assert [(index_of([1, 2, 1], value), last_index_of([1, 2, 1], value)) for value in (1, 2, 3)] == [(0, 2), (1, 1), (-1, -1)]
    assert (index_of([], 1), last_index_of([], 1)) == (-1, -1)
    assert (reverse([1, 2, 3]), range_(3), range_(0), range_(-1)) == ([3, 2, 1], [0, 1, 2], [], [])
    assert (distinct([1, 2.0, 1, 2, "a"]), distinct([])) == ([1, 2.0, "a"], [])


def test_lists_are_flattened_as_deep_as_is_said() -> None:
    nested = [1, [2, [3, [4]]]]
    assert [flatten(nested, depth) for depth in (0, 1, 2, 3, 9)] == [nested, [1, 2, [3, [4]]], [1, 2, 3, [4]], [1, 2, 3, 4], [1, 2, 3, 4]]
    assert flatten(nested) == [1, 2, [3, [4]]]
    assert said(flatten, nested, -1) == "level must be non-negative"
    found = [said(flatten, value) for value in (made((1, 1)), 1, None)]
    assert found == [f"no such overload: {kind}.flatten()" for kind in ("map(dyn, dyn)", "int", "null_type")]


def test_lists_are_sorted_by_comparable_keys_of_one_type() -> None:
    assert (sort([3, 1, 2]), sort([]), sort(["b", "a"])) == ([1, 2, 3], [], ["a", "b"])
    assert sort_by_keys(["c", "a", "b"], [2, 1, 2]) == ["a", "c", "b"]
    assert said(sort, [[1]]) == "list elements must be comparable"
    assert said(sort, [1, 2.0]) == "list elements must have the same type"
    assert [said(sort, value) for value in ("a", Timestamp(0), Duration(0))] == ["no such overload"] * 3
    assert [said(sort, value) for value in (1, made())] == ["no such overload: sort"] * 2
    assert said(sort_by_keys, 1, [1]) == "no such overload: @sortByAssociatedKeys"
    assert [is_sorted(values) for values in ([], [1], [1, 1, 2], [2, 1], [1, "a", 0])] == [True, True, True, False, True]


def test_lists_are_taken_as_sets() -> None:
    assert [contains([1, 2], wanted) for wanted in ([], [2.0], [2, 1], [3], [1, 3])] == [True, True, True, False, False]
    assert [equivalent([1, 1, 2], other) for other in ([2, 1], [1], [1, 2, 3])] == [True, False, False]
    assert [intersects([1, 2], other) for other in ([2, 3], [3], [])] == [True, False, False]


def test_no_more_comparisons_are_made_than_can_be_paid_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "PER_CALL_LIMIT", 12)
    three, four, five = [1] * 3, [1] * 4, [1] * 5
    assert (contains(three, four), intersects(three, four), distinct(three), sort(three)) == (True, True, [1], three)
    for call, args in (
        (contains, (three, five)),
        (intersects, (three, five)),
        (intersects, (five, three)),
        (distinct, (four,)),
        (sort, (four,)),
    ):
        with pytest.raises(CostExceededError):
            call(*args)


@pytest.mark.parametrize(
    ("name", "text", "messages"),
    [
        ("dns1123LabelPrefix", "a-", []),
        ("dns1123LabelPrefix", "a", []),
        ("dns1123LabelPrefix", "a_-", []),
        ("dns1123LabelPrefix", "a" * 64 + "-", ["must be no more than 63 characters"]),
        ("dns1123SubdomainPrefix", "a.b-", []),
        ("dns1035LabelPrefix", "a1-", []),
        ("uuid", "x", ["does not match the UUID format"]),
        ("byte", "?", ["invalid base64"]),
        ("date", "2024-02-30", ["invalid date"]),
        ("datetime", "x", ["invalid datetime"]),
        ("uri", "a b", ['parse "a b": invalid URI for request']),
        ("uri", "/a", []),
        ("labelValue", "a" * 64, ["must be no more than 63 bytes"]),
    ],
)
def test_a_named_format_says_what_is_wrong(name: str, text: str, messages: list[str]) -> None:
    found: Any = named(name)
    assert isinstance(found.value, FormatValue)
    assert validate(found.value, text) == (of(messages) if messages else NONE)
    assert named("nonsense") is NONE


@pytest.mark.parametrize(
    ("values", "kind", "least", "most", "total"),
    [
        ([3, 1, 2], "int", 1, 3, 6),
        ([Uint(3), Uint(1)], "uint", Uint(1), Uint(3), Uint(4)),
        ([1.5, -1.0], "double", -1.0, 1.5, 0.5),
        ([Duration(3), Duration(1)], "duration", Duration(1), Duration(3), Duration(4)),
        ([5], "int", 5, 5, 5),
        ([], "int", "min called on empty list", "max called on empty list", 0),
        ([], "uint", "min called on empty list", "max called on empty list", Uint(0)),
        ([], "double", "min called on empty list", "max called on empty list", 0.0),
        ([], "duration", "min called on empty list", "max called on empty list", Duration(0)),
        ([(1 << 63) - 1, 1], "int", 1, (1 << 63) - 1, "integer overflow"),
    ],
)
def test_lists_have_extremes_and_a_sum(values: list[Value], kind: str, least: Value, most: Value, total: Value) -> None:
    calls = [OVERLOADS[f"list_{kind}_{name}_{kind}"].call for name in ("min", "max", "sum")]
    found = [said(call, values) for call in calls if call is not None]
    assert found == [least, most, total]
    assert [type(value) for value in found] == [type(value) for value in (least, most, total)]


def test_values_without_an_order_are_passed_over_but_null_is_not() -> None:
    call = OVERLOADS["list_int_max_int"].call
    assert call is not None
    assert (call([1, "a", 2]), call(["a", 1, 2])) == (2, "a")
    assert [said(call, values) for values in ([1, None], [None, 1])] == ["no such overload", "no such overload: _<_"]


@pytest.mark.parametrize(("text", "count"), [("-", 1), ("ab_", 1), ("A-", 0), ("AB-", 1), ("", 1)])
def test_a_prefix_may_end_with_a_dash_that_something_follows(text: str, count: int) -> None:
    assert len(named("dns1123LabelPrefix").value.check(text)) == count
