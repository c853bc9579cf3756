"""Lists in objects are extended and searched by their declared type; the parts of quantities and outcomes that expressions can read."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.cel.library_calls import made, said
from weighbridge.policies.cel.library.lists import index_of, last_index_of
from weighbridge.policies.cel.library.quantity import (
    QuantityValue,
    add,
    as_float,
    as_integer,
    compare,
    is_greater,
    is_integer,
    is_less,
    is_quantity,
    parse,
    sign,
    subtract,
)
from weighbridge.policies.cel.library.sets import contains, intersects
from weighbridge.policies.cel.library.standard_arithmetic import add as plus
from weighbridge.policies.cel.library.string_format import format_string
from weighbridge.policies.cel.values.access import elements, item_at, keys, pairs
from weighbridge.policies.cel.values.data import read
from weighbridge.policies.cel.values.declared import JSON_TYPE, DeclaredType
from weighbridge.policies.cel.values.outcome import COST_EXCEEDED, Outcome
from weighbridge.policies.cel.values.values import PanicError, Value
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.schema.node import Schema

_TEXT: Final = {"type": "string"}
_ITEM: Final = {"type": "object", "properties": {"k": _TEXT, "v": {"type": "integer"}}}


def a_list(items: dict[str, Any], type_: str, *keys_: str) -> DeclaredType:
    return DeclaredType(
        Schema({"type": "array", "items": items, "x-kubernetes-list-type": type_, "x-kubernetes-list-map-keys": list(keys_)})
    )


ATOMIC, SET, MAP = a_list(_TEXT, "atomic"), a_list(_TEXT, "set"), a_list(_ITEM, "map", "k")


@pytest.mark.parametrize(
    ("type_", "left", "right", "joined"),
    [
        (ATOMIC, ["a", "b"], ["b", "c"], ["a", "b", "b", "c"]),
        (SET, ["a", "b"], ["b", "c", "c", "a", "d"], ["a", "b", "c", "d"]),
        (
            MAP,
            [{"k": "a", "v": 1}, {"k": "b", "v": 2}],
            [{"k": "c", "v": 3}, {"k": "a", "v": 4}],
            [{"k": "a", "v": 4}, {"k": "b", "v": 2}, {"k": "c", "v": 3}],
        ),
        (MAP, [], [{"k": "a"}], [{"k": "a"}]),
    ],
)
def test_a_list_keeps_its_type_when_it_is_added_to(type_: DeclaredType, left: list[Any], right: list[Any], joined: list[Any]) -> None:
    before = list(left)
    found = plus(read(left, type_), read(right, type_))
    assert (found.raw, found.declared, left) == (joined, type_, before)


def test_a_list_of_an_object_takes_the_elements_of_any_list() -> None:
    assert plus(read(["a"], SET), ["b", "a"]).raw == ["a", "b"]
    assert plus(["a"], read(["b"], SET)) == ["a", "b"]
    assert plus(read([1], JSON_TYPE), [2]) == [1, 2]
    assert [said(plus, read(["a"], type_), "b") for type_ in (ATOMIC, JSON_TYPE)] == ["no such overload"] * 2


def test_values_are_gone_through_with_one_variable_or_two() -> None:
    listed, mapped = read(["a", "b"], ATOMIC), read({"a": 1, "b": 2}, JSON_TYPE)
    assert (elements(listed), elements(mapped), elements(made(("x", 1)))) == (["a", "b"], ["a", "b"], ["x"])
    assert (pairs(listed), pairs([7])) == ([(0, "a"), (1, "b")], [(0, 7)])
    assert (pairs(mapped), pairs(made(("x", 1)))) == ([("a", 1), ("b", 2)], [("x", 1)])
    assert (item_at(listed, 1), item_at([7, 8], 1)) == ("b", 8)
    schema = {"type": "object", "properties": {"a-b": _TEXT, "é": _TEXT}}
    assert list(keys(read({"a-b": "x", "é": "y", "z": 1}, DeclaredType(Schema(schema))))) == ["a__dash__b", "é"]
    assert list(keys(read({"a": 1}, DeclaredType(Schema({"type": "object"}))))) == []
    assert said(elements, 1) == "got 'types.Int', expected iterable type"


def test_an_object_is_gone_through_with_its_unknown_fields() -> None:
    type_ = DeclaredType(Schema({"type": "object", "properties": {"a": {"type": "integer"}}}))
    assert elements(read({"a": 1, "z": 2, "y": 3}, type_)) == ["a", None, None]
    assert said(pairs, read({"a": 1, "z": 2}, type_)) == "no such overload"
    assert said(pairs, read({"a": None}, type_)) == "no such key: a"
    assert said(format_string, "%s", [read({"a": None, "z": 2}, type_)]) == 'error during formatting: could not find key: "a"'
    with pytest.raises(PanicError, match="invalid memory address or nil pointer dereference"):
        format_string("%s", [read({"a": 1, "z": 2}, type_)])


def test_what_cannot_be_compared_is_not_found() -> None:
    one, derived = QuantityValue(Quantity.parse("1")), QuantityValue(Quantity.parse("1"), derived=True)
    assert (index_of([one], derived), last_index_of([one], derived), index_of([derived], one)) == (-1, -1, 0)
    assert (contains([derived], [one]), intersects([one], [derived]), intersects([derived], [one])) == (False, False, True)
    assert intersects([one], [one])


@pytest.mark.parametrize(
    ("left", "right", "order", "total", "difference"),
    [
        ("1", "2", -1, "3", "-1"), ("2", "1", 1, "3", "1"), ("1k", "1000", 0, "2k", "0"), ("1Gi", "1G", 1, "2073741824", "73741824"),
    ],
)  # fmt: skip
def test_quantities_are_compared_and_added(left: str, right: str, order: int, total: str, difference: str) -> None:
    a, b = parse(left), parse(right)
    assert (compare(a, b), is_less(a, b), is_greater(a, b), a.equals(b)) == (order, order < 0, order > 0, order == 0)
    added, taken = add(a, b), subtract(a, b)
    assert (str(added.quantity), added.derived, str(taken.quantity), taken.derived) == (total, True, difference, True)
    assert (a.equals(added), a.equals(1), added.equals(a)) == (None, None, str(added.quantity) == left)
    assert str(add(a, 5).quantity) == str(a.quantity.add(Quantity.from_int(5)))
    assert str(subtract(a, 5).quantity) == str(a.quantity.sub(Quantity.from_int(5)))


def test_quantities_are_read_as_numbers() -> None:
    assert [sign(parse(text)) for text in ("-1m", "0", "1n")] == [-1, 0, 1]
    assert (as_float(parse("1500m")), as_integer(parse("7k"))) == (1.5, 7000)
    assert (is_integer(parse("7k")), is_integer(parse("1.5"))) == (True, False)
    assert said(as_integer, parse("1.5")) == "cannot convert value to integer"
    assert (is_quantity("1Gi"), is_quantity("1GB")) == (True, False)
    assert said(parse, "1K") == "unable to parse quantity's suffix"
    huge = parse("1e2147483647")
    assert [said(call, huge, 1) for call in (add, subtract)] == ["the sum of the quantities has too many digits"] * 2


@pytest.mark.parametrize(("error", "exceeded"), [(COST_EXCEEDED, True), ("", False), ("other", False)])
def test_an_outcome_knows_whether_it_was_stopped_for_its_cost(error: str, exceeded: bool) -> None:
    value: Value = None
    assert Outcome(value, 1, error).exceeded is exceeded
