"""Lists of type set and map: which items are the same, and the errors about them."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.schema.compiled import CompiledSchema
from weighbridge.policies.schema.node import Schema


def errors_of(keywords: dict[str, Any], items: Any) -> list[str]:
    """The texts for a list in the field `f`."""
    schema = CompiledSchema(Schema({"type": "object", "properties": {"f": {"type": "array", **keywords}}}), "test")
    return list(map(str, schema.validate_list_types({"f": items})))


SET = {"x-kubernetes-list-type": "set"}
MAP = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": {"type": "object", "properties": {"k": {}}}}
MAP2 = {**MAP, "x-kubernetes-list-map-keys": ["k", "j"]}


@pytest.mark.parametrize(
    ("keywords", "items", "texts"),
    [
        (SET, ["a", "b", "a", "a", "b"], ['f[2]: Duplicate value: "a"', 'f[4]: Duplicate value: "b"']),
        (SET, [1, 1.0, True, "1", None], []),
        (SET, [{"a": 1}, {"a": 1.0}], ['f[1]: Duplicate value: {"a":1}']),
        (SET, [{"a": 1, "b": 2}, {"b": 2, "a": 1}], ['f[1]: Duplicate value: {"a":1,"b":2}']),
        (SET, [["a"], ["a"]], ['f[1]: Duplicate value: ["a"]']),
        (SET, [["ab"], ["a", "b"], "ab"], []),
        (SET, [None, None], ["f[1]: Duplicate value: null"]),
        (MAP, [{"k": "a"}, {"k": "a", "v": 1}], ['f[1]: Duplicate value: {"k":"a"}']),
        (MAP, [{"k": 1}, {"k": 1.0}, {"k": True}], []),
        (MAP, [{}, None], ["f[1]: Duplicate value: {}"]),
        (MAP, [{"k": None}, {}], []),
        (MAP, ["text"], ['f[0]: Invalid value: "text": must be an object for an array of list-type map']),
        (MAP2, [{"k": 1, "j": 2}, {"j": 2, "k": 1}], ['f[1]: Duplicate value: {"j":2,"k":1}']),
        (MAP2, [{"k": 1}, {"k": 1.0}], ['f[1]: Duplicate value: {"k":1}']),
        (MAP2, [{"k": 1}, {"j": 1}], []),
        ({"x-kubernetes-list-type": "atomic"}, ["a", "a"], []),
        ({}, ["a", "a"], []),
    ],
)
def test_the_second_appearance_of_an_item_is_reported(keywords: dict[str, Any], items: Any, texts: list[str]) -> None:
    assert errors_of(keywords, items) == texts


def test_lists_are_found_wherever_they_are_and_keys_of_maps_stand_in_brackets() -> None:
    names = {"type": "array", **SET, "items": {"type": "string"}}
    spec = {"type": "object", "properties": {"m": {"type": "object", "additionalProperties": {"type": "array", "items": names}}}}
    schema = CompiledSchema(Schema({"type": "object", "properties": {"spec": spec}}), "test")
    obj = {"spec": {"m": {"a.b": [["x"], ["y", "y"]]}}}
    assert list(map(str, schema.validate_list_types(obj))) == ['spec.m[a.b][1][1]: Duplicate value: "y"']
    assert list(map(str, schema.validate_list_types(obj, "root"))) == ['root.spec.m[a.b][1][1]: Duplicate value: "y"']


def test_items_nested_deeply_are_compared_without_recursion() -> None:
    def item() -> Any:
        value: Any = 1
        for _ in range(5_000):
            value = [value]
        return value

    schema = CompiledSchema(Schema({"type": "array", **SET}), "test")
    (error,) = schema.validate_list_types([item(), item()])
    assert error.field == "[1]"
