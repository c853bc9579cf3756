"""Lists of type set and map in each place of a schema: if the quick check passes, the slow one finds no errors."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.schema.compiled import CompiledSchema
from weighbridge.policies.schema.lists import list_type_errors
from weighbridge.policies.schema.node import Schema

SET = {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}
MAP = {
    "type": "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
    "items": {"type": "object", "properties": {"l": SET}},
}
BOTH = {"type": "object", "properties": {"a": SET}, "additionalProperties": SET}
PAIRS = {**MAP, "x-kubernetes-list-map-keys": ["k", "j"]}
WIDE = {"type": "object", "properties": {f"f{number}": SET for number in range(13)}}
NOT_SO_WIDE = {"type": "object", "properties": {f"f{number}": SET for number in range(12)}}
#: More nodes than the search for a list type looks at.
VAST = {"type": "object", "properties": {f"f{number}": {"type": "object", "properties": {"a": {}}} for number in range(150)} | {"s": SET}}


@pytest.mark.parametrize(
    ("schema", "value", "texts"),
    [
        (SET, [], []),
        (SET, ["x"], []),
        (SET, ["x", "y"], []),
        (SET, ["x", "x"], ['[1]: Duplicate value: "x"']),
        (SET, [["x"], ["x"]], ['[1]: Duplicate value: ["x"]']),
        (SET, [["x"], ["y"]], []),
        (SET, [1, True, 1.0], []),
        (SET, {"a": 1}, []),
        (SET, "xx", []),
        (MAP, [{"k": "a"}, {"k": "b"}], []),
        (MAP, [{"k": "a"}, {"k": "a"}], ['[1]: Duplicate value: {"k":"a"}']),
        (MAP, [{"k": ["a"]}, {"k": ["a"]}], ['[1]: Duplicate value: {"k":["a"]}']),
        (MAP, [{}], []),
        (MAP, [{}, {}], ["[1]: Duplicate value: {}"]),
        (MAP, [None], []),
        (MAP, [1], ["[0]: Invalid value: 1: must be an object for an array of list-type map"]),
        (MAP, ["k", "l"], ['[0]: Invalid value: "k": must be an object for an array of list-type map']),
        (MAP, [{"k": "a"}, 1, 2], ["[1]: Invalid value: 1: must be an object for an array of list-type map"]),
        (MAP, [{"k": "a", "l": ["x", "x"]}], ['[0].l[1]: Duplicate value: "x"']),
        (PAIRS, [{"k": 1, "j": 1}, {"k": 1, "j": 2}], []),
        (PAIRS, [{"k": 1, "j": 1}, {"k": 1, "j": 1}], ['[1]: Duplicate value: {"j":1,"k":1}']),
        (PAIRS, [{"k": 1}, {"k": 1}], ['[1]: Duplicate value: {"k":1}']),
        (PAIRS, [{"k": 1, "j": {}}, {"k": 1, "j": {}}], ['[1]: Duplicate value: {"j":{},"k":1}']),
        (BOTH, {"b": ["x", "x"]}, ['[b][1]: Duplicate value: "x"']),
        (BOTH, {"a": ["x", "x"]}, ['[a][1]: Duplicate value: "x"', 'a[1]: Duplicate value: "x"']),
        (BOTH, {"a": ["x"], "b": ["y"]}, []),
        (WIDE, {"f12": ["x", "x"], "zz": ["x", "x"]}, ['f12[1]: Duplicate value: "x"']),
        (WIDE, {f"f{number}": ["x"] for number in range(13)}, []),
        (NOT_SO_WIDE, {"f0": ["x"], "f11": ["x", "x"]}, ['f11[1]: Duplicate value: "x"']),
        (VAST, {"s": ["x", "x"], "f1": {"a": ["x", "x"]}}, ['s[1]: Duplicate value: "x"']),
        ({"type": "array", "items": SET}, [["x"], ["y", "y"]], ['[1][1]: Duplicate value: "y"']),
        ({"type": "array", "items": MAP}, [[{"k": 1}, {"k": 1}]], ['[0][1]: Duplicate value: {"k":1}']),
        ({"type": "object", "additionalProperties": SET}, {"a.b": ["x", "x"], "c": ["x"]}, ['[a.b][1]: Duplicate value: "x"']),
        ({"type": "object", "properties": {"": SET}}, {"": ["x", "x"]}, ['[][1]: Duplicate value: "x"']),
        ({"type": "array", "x-kubernetes-list-type": "set"}, ["x", "x"], ['[1]: Duplicate value: "x"']),
        ({"type": "array", "x-kubernetes-list-type": "atomic", "items": SET}, [["x", "x"]], ['[0][1]: Duplicate value: "x"']),
        ({"type": "array", "items": {"type": "object", "properties": {"a": SET}}}, [{"a": ["x", "x"]}, None], [
            '[0].a[1]: Duplicate value: "x"',
        ]),
    ],
)  # fmt: skip
def test_a_list_type_is_held_wherever_it_stands(schema: dict[str, Any], value: Any, texts: list[str]) -> None:
    assert list(map(str, CompiledSchema(Schema(schema), "test").validate_list_types(value))) == texts
    assert list(map(str, list_type_errors(Schema(schema), value, ""))) == texts
    root = Schema({"type": "object", "properties": {"f": schema}})
    below = [text.partition(": ") for text in texts]
    expected = [f"at.f{'' if field.startswith('[') else '.'}{field}: {rest}" for field, _, rest in below]
    assert list(map(str, CompiledSchema(root, "test").validate_list_types({"f": value}, "at"))) == expected
