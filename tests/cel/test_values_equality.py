"""Equality of data by the type that a schema declares for it, with the server's error on data that can't be read."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.cel.library_calls import made, said
from weighbridge.policies.cel.values.access import find
from weighbridge.policies.cel.values.data import read
from weighbridge.policies.cel.values.declared import JSON_TYPE, DeclaredType
from weighbridge.policies.cel.values.equality import contains, equal, go_key, map_list_key, semantic_equal
from weighbridge.policies.cel.values.same_data import same_data
from weighbridge.policies.cel.values.values import Hidden, Uint, Value
from weighbridge.policies.schema.node import Schema

_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "integer"}
_MISSING: Final = "no such overload"
_NULL: Final = "invalid data, got null for schema with nullable=false"


def declared(schema: dict[str, Any]) -> DeclaredType:
    return DeclaredType(Schema(schema))


def a_list(items: dict[str, Any], type_: str = "atomic", *keys: str) -> DeclaredType:
    return declared({"type": "array", "items": items, "x-kubernetes-list-type": type_, "x-kubernetes-list-map-keys": list(keys)})


PLAIN, SET = a_list(_TEXT), a_list(_TEXT, "set")
ITEM: Final = {"type": "object", "properties": {"k": _TEXT, "a-b": _TEXT, "v": _NUMBER}}
BY_K, BY_DASH = a_list(ITEM, "map", "k"), a_list(ITEM, "map", "k", "a-b")
NESTED = a_list({"type": "array", "items": _TEXT})


@pytest.mark.parametrize(
    ("type_", "left", "right", "same"),
    [
        (PLAIN, ["a", "b"], ["a", "b"], True),
        (PLAIN, ["a", "b"], ["b", "a"], False),
        (PLAIN, ["a"], ["a", "b"], False),
        (PLAIN, ["a", None], ["a", "b"], _NULL),
        (PLAIN, ["a", "b"], ["a", None], False),
        (PLAIN, ["b", "b"], ["a", None], False),
        (NESTED, [["a"]], [None], _NULL),
        (NESTED, [["a"]], [["a"]], True),
        (NESTED, [["a"]], [["b"]], False),
        (SET, ["a", "b"], ["b", "a"], True),
        (SET, ["a", "b"], ["b", "c"], False),
        (SET, ["a", "b"], ["b", None], False),
        (SET, ["a", "b"], ["b"], False),
        (BY_K, [{"k": "a", "v": 1}, {"k": "b", "v": 2}], [{"k": "b", "v": 2}, {"k": "a", "v": 1}], True),
        (BY_K, [{"k": "a", "v": 1}], [{"k": "a", "v": 2}], False),
        (BY_K, [{"k": "a", "v": 1}], [{"k": "b", "v": 1}], False),
        (BY_K, [{"k": "a", "v": 1}], [None], False),
        (BY_DASH, [{"k": "a", "a-b": "x"}], [{"k": "a", "a-b": "y"}], False),
        (BY_DASH, [{"k": "a", "a-b": "x"}], [{"k": "a", "a-b": "x"}], True),
    ],
)
def test_lists_are_equal_as_their_type_says(type_: DeclaredType, left: Any, right: Any, same: Value) -> None:
    assert said(equal, read(left, type_), read(right, type_)) == same
    assert said(same_data, left, right, type_) == same


def test_a_declared_list_meets_other_lists_and_nothing_else() -> None:
    assert equal(read(["a"], PLAIN), ["a"])
    assert equal(["a"], read(["a"], PLAIN))
    assert equal(read(["b", "a"], SET), ["a", "b"])
    assert not equal(["a", "b"], read(["b", "a"], SET))
    assert [said(equal, read(["a"], PLAIN), other) for other in ("a", made(), 1)] == [_MISSING] * 3
    assert [equal(read(["a"], JSON_TYPE), other) for other in (["a"], "a", read(["a"], PLAIN))] == [True, False, True]


OBJECT = declared({"type": "object", "properties": {"a": _NUMBER, "t": _TEXT, "l": {"type": "array", "items": _NUMBER}}})
MAP = declared({"type": "object", "additionalProperties": _NUMBER})


@pytest.mark.parametrize(
    ("type_", "left", "right", "same"),
    [
        (OBJECT, {"a": 1}, {"a": 1}, True),
        (OBJECT, {"a": 1}, {"a": 2}, False),
        (OBJECT, {"a": 1}, {"t": "x"}, False),
        (OBJECT, {"a": 1}, {"a": 1, "t": "x"}, False),
        (OBJECT, {"a": None}, {"t": None}, True),
        (OBJECT, {"a": 1, "x": [1]}, {"a": 1, "x": [1]}, True),
        (OBJECT, {"a": 1, "x": [1]}, {"a": 1, "x": [2]}, False),
        (OBJECT, {"a": 1, "x": 1}, {"a": 1, "y": 2}, True),
        (OBJECT, {"a": 1}, {"a": "x"}, False),
        (OBJECT, {"l": [1]}, {"l": 7}, "invalid data, expected an array for the provided schema with type=array"),
        (MAP, {"a": 1}, {"a": 1}, True),
        (MAP, {"a": 1}, {"b": 1}, False),
        (MAP, {"a": 1}, {"a": None}, False),
        (MAP, {"a": None}, {"a": 1}, _NULL),
    ],
)
def test_objects_are_equal_where_their_declared_fields_are(type_: DeclaredType, left: Any, right: Any, same: Value) -> None:
    assert said(equal, read(left, type_), read(right, type_)) == same


def test_a_declared_map_meets_other_maps_and_nothing_else() -> None:
    assert equal(read({"a": 1}, MAP), made(("a", 1)))
    assert equal(made(("a", 1)), read({"a": 1}, MAP))
    assert said(equal, read({"a": 1, "x": 1}, OBJECT), made(("a", 1), ("x", 1))) == _MISSING
    others: list[Value] = ["a", [], 1]
    assert [said(equal, read({"a": 1}, MAP), other) for other in others] == [_MISSING] * 3


@pytest.mark.parametrize(
    ("type_", "raw", "key", "found"),
    [
        (JSON_TYPE, {"a": 1}, "a", (1, True)),
        (JSON_TYPE, {"a": None}, "a", (None, True)),
        (JSON_TYPE, {"a": 1}, "b", (None, False)),
        (JSON_TYPE, {"a": 1}, 1, (None, False)),
        (MAP, {"a": 1}, "a", (1, True)),
        (MAP, {"a": 1}, "b", (None, False)),
        (MAP, {"a": None}, "a", _NULL),
        (MAP, {"a": 1}, 1, _MISSING),
        (OBJECT, {"a": None}, "a", (None, False)),
        (OBJECT, {"x": 1}, "x", (None, False)),
        (OBJECT, {"a": 1}, "__word__", (None, False)),
        (declared(ITEM), {"a-b": "c"}, "a__dash__b", ("c", True)),
        (declared({"type": "object"}), {"a": 1}, "a", (None, False)),
    ],
)
def test_a_key_is_found_as_far_as_it_is_declared(type_: DeclaredType, raw: Any, key: Value, found: Value) -> None:
    assert said(find, read(raw, type_), key) == found


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}, True),
        ({"a": [1, {"b": None}]}, {"a": [1, {"b": 0}]}, False),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ([1, 2], [1, 3], False),
        ([1], [1, 2], False),
        ([[1], [2]], [[1], [3]], False),
        ([], {}, False),
        (1, 1.0, False),
        (1, True, False),
        ("a", "a", True),
    ],
)
def test_data_without_a_type_is_compared_deeply(left: Any, right: Any, same: bool) -> None:
    assert semantic_equal(left, right) is same
    assert equal(Hidden(left), Hidden(right)) is same


@pytest.mark.parametrize(
    ("container", "wanted", "within"),
    [
        ([1, 2], 2.0, True),
        ([1, 2], 3, False),
        (read([1, 2], JSON_TYPE), Uint(2), True),
        (read(["a", "b"], PLAIN), "b", True),
        (read(["a"], PLAIN), "b", False),
        (read([None, "b"], PLAIN), "b", True),
        (read([None, 7], PLAIN), "b", _NULL),
        (read([7, None], PLAIN), "b", "invalid data, expected string, got int64"),
        (made(("a", 1)), "a", True),
        (made(("a", 1)), "b", False),
        (read({"a": 1}, MAP), "a", True),
        ("abc", "a", _MISSING),
        (1, 1, _MISSING),
    ],
)
def test_what_is_in_a_list_or_map(container: Value, wanted: Value, within: Value) -> None:
    assert said(contains, container, wanted) == within


def test_keys_of_go_tell_kinds_apart() -> None:
    held: list[Any] = [1]
    assert len({go_key(value) for value in (1, 1.0, True, "1", Uint(1))}) == 5
    assert go_key(held) == go_key(held) != go_key([1])
    assert map_list_key({"a": 1, "b": "x"}, ["a", "b"]) == map_list_key({"b": "x", "a": 1, "c": 2}, ["a", "b"])
    assert map_list_key({"a": 1}, ["a", "b"]) != map_list_key({"a": "1"}, ["a", "b"])
    assert map_list_key({"a": 1, "b": 2, "c": 3, "d": 4}, ["a", "b", "c", "d"]) == "[1 2 3 4]"
    assert map_list_key({"a": 1}, ["a", "b", "c"]) == (("int", 1), ("NoneType", None), ("NoneType", None))
    assert map_list_key([1], ["a"]) != map_list_key([1], ["a"])
