"""Apply configurations are merged by type: the results, the refusals, and their words. The words are a real server's."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.admission_policies.mutating.foreign import Foreign
from weighbridge.policies.admission_policies.mutating.merge import MergeError, apply_configuration
from weighbridge.policies.admission_policies.mutating.merge_types import MergeTypes, custom_resource_type
from weighbridge.policies.ground.objects import JSONObject

TEXT: JSONObject = {"type": "string"}
NUMBER: JSONObject = {"type": "integer"}
ITEM: JSONObject = {"type": "object", "properties": {"name": TEXT, "image": TEXT, "args": {"type": "array", "items": TEXT}}}
PORT: JSONObject = {"type": "object", "properties": {"port": NUMBER, "protocol": {"type": "string", "default": "TCP"}, "alias": TEXT}}
SPEC: JSONObject = {
    "title": TEXT,
    "size": NUMBER,
    "on": {"type": "boolean"},
    "share": {"x-kubernetes-int-or-string": True},
    "tags": {"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"},
    "notes": {"type": "array", "items": TEXT},
    "items": {"type": "array", "items": ITEM, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]},
    "ports": {"type": "array", "items": PORT, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"]},
    "labels": {"type": "object", "additionalProperties": TEXT},
    "frozen": {"type": "object", "additionalProperties": TEXT, "x-kubernetes-map-type": "atomic"},
    "free": {"x-kubernetes-preserve-unknown-fields": True},
    "part": {"type": "object", "properties": {"a": TEXT}},
}
WITHOUT_KEYS = (
    'associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)'
)
BAD_SIZE = ".spec.size: expected numeric (int or float), got string"
BAD_TITLE = ".spec.title: expected string, got &value.valueUnstructured{Value:5}"
WIDGET = custom_resource_type({"type": "object", "properties": {"spec": {"type": "object", "properties": SPEC}}})


def merged(stored: JSONObject, patch: dict[str, Any]) -> Any:
    return apply_configuration(WIDGET, {"spec": stored}, {"spec": patch}).get("spec")


def refused(stored: JSONObject, patch: dict[str, Any]) -> str:
    with pytest.raises(MergeError) as raised:
        merged(stored, patch)
    return str(raised.value)


def names(items: list[JSONObject]) -> list[str]:
    return [item["name"] for item in items]


@pytest.mark.parametrize(
    ("stored", "patch", "result"),
    [
        ({"title": "a", "size": 1}, {"title": "b"}, {"title": "b", "size": 1}),
        ({"labels": {"a": "1", "b": "2"}}, {"labels": {"b": "3", "c": "4"}}, {"labels": {"a": "1", "b": "3", "c": "4"}}),
        ({"tags": ["a", "b"]}, {"tags": ["c", "b"]}, {"tags": ["a", "c", "b"]}),
        ({"tags": ["a"]}, {"tags": []}, {"tags": ["a"]}),
        ({}, {"tags": []}, {"tags": []}),
        ({"part": {"a": "x"}}, {"part": {}}, {"part": {"a": "x"}}),
        ({}, {"part": {}}, {"part": {}}),
        ({"share": 1}, {"share": "50%"}, {"share": "50%"}),
        ({"free": {"a": {"b": 1}}}, {"free": {"a": {"c": 2}}}, {"free": {"a": {"b": 1, "c": 2}}}),
        ({"free": {"a": 1}}, {"free": "text"}, {"free": "text"}),
        ({"free": {"a": {"b": 1}}}, {"free": {"a": 3}}, {"free": {"a": 3}}),
        ({"ports": [{"port": 80, "protocol": "TCP"}]}, {"ports": [{"port": 80, "alias": "w"}]},
         {"ports": [{"port": 80, "protocol": "TCP", "alias": "w"}]}),
        ({"ports": [{"port": 80, "protocol": "TCP"}]}, {"ports": [{"port": 80, "protocol": "UDP"}]},
         {"ports": [{"port": 80, "protocol": "TCP"}, {"port": 80, "protocol": "UDP"}]}),
        ({"title": None}, {"size": 2}, {"title": None, "size": 2}),
    ],
)  # fmt: skip
def test_each_type_merges_in_its_way(stored: JSONObject, patch: JSONObject, result: JSONObject) -> None:
    assert merged(stored, patch) == result


def test_items_keep_their_order_and_new_ones_come_after_those_that_both_have() -> None:
    stored = {"items": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}
    found = merged(stored, {"items": [{"name": "c", "image": "x"}, {"name": "d"}, {"name": "a"}]})
    assert names(found["items"]) == ["b", "c", "d", "a"]
    assert found["items"][1] == {"name": "c", "image": "x"}


def test_an_item_that_is_stored_twice_is_replaced_as_a_whole() -> None:
    stored = {"items": [{"name": "a", "image": "1"}, {"name": "b"}, {"name": "a", "image": "2"}]}
    assert merged(stored, {"items": [{"name": "a"}]})["items"] == [{"name": "a"}, {"name": "b"}]


@pytest.mark.parametrize(
    ("stored", "patch", "text"),
    [
        ({}, {"colour": "x"}, "failed to convert patch object to typed object: .spec.colour: field not declared in schema"),
        ({}, {"size": "x"}, "failed to convert patch object to typed object: .spec.size: expected numeric (int or float), got string"),
        ({}, {"title": 5},
         "failed to convert patch object to typed object: .spec.title: expected string, got &value.valueUnstructured{Value:5}"),
        ({}, {"on": "x"}, "failed to convert patch object to typed object: .spec.on: expected boolean, got &{x}"),
        ({}, {"labels": [1]}, "failed to convert patch object to typed object: .spec.labels: expected map, got &{[1]}"),
        ({}, {"tags": {"a": "b"}}, "failed to convert patch object to typed object: .spec.tags: expected list, got &{map[a:b]}"),
        ({}, {"tags": ["x", "x"]}, 'failed to convert patch object to typed object: .spec.tags: duplicate entries for key [="x"]'),
        ({}, {"size": Foreign("uint64", "5")},
         "failed to convert patch object to typed object: .spec.size: expected numeric (int or float), got uint64"),
        ({}, {"items": [{"image": "x"}]},
         f"failed to convert patch object to typed object: .spec.items: element 0: {WITHOUT_KEYS}"),
        ({}, {"notes": ["x"]}, "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.notes"),
        ({}, {"frozen": {}}, "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.frozen"),
        ({}, {"items": [{"name": "a", "args": []}]},
         "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.items[0].args"),
        ({"size": "x"}, {"title": "a"},
         "failed to convert original object to typed object: .spec.size: expected numeric (int or float), got string"),
        ({}, {"size": "x", "title": 5},
         f"failed to convert patch object to typed object: errors:\n  {BAD_SIZE}\n  {BAD_TITLE}"),
    ],
)  # fmt: skip
def test_a_refusal_has_the_words_of_the_server(stored: JSONObject, patch: dict[str, Any], text: str) -> None:
    assert refused(stored, patch) == text


def test_metadata_has_the_types_of_every_object() -> None:
    stored = {"metadata": {"name": "a", "finalizers": ["x"], "labels": {"a": "b"}}}
    found = apply_configuration(WIDGET, stored, {"metadata": {"finalizers": ["y"], "labels": {"c": "d"}}})
    assert found == {"metadata": {"name": "a", "finalizers": ["x", "y"], "labels": {"a": "b", "c": "d"}}}
    owner = {"uid": "1", "name": "o", "kind": "K", "apiVersion": "v1"}
    with pytest.raises(MergeError, match=r": \.metadata\.ownerReferences\[0\]$"):
        apply_configuration(WIDGET, stored, {"metadata": {"ownerReferences": [owner]}})


def test_a_type_may_hold_itself() -> None:
    node = {"type": "object", "properties": {"name": TEXT, "child": {"$ref": "#/components/schemas/Node"}}}
    atom = MergeTypes({"Node": node}).named("Node").atom
    assert apply_configuration(atom, {"child": {"name": "a"}}, {"child": {"child": {"name": "b"}}}) == {
        "child": {"name": "a", "child": {"name": "b"}},
    }


def test_a_reference_may_say_that_a_map_is_atomic_there() -> None:
    part = {"type": "object", "properties": {"a": TEXT}}
    reference = {"allOf": [{"$ref": "#/components/schemas/Part"}]}
    whole = {"type": "object", "properties": {"loose": reference, "tight": {**reference, "x-kubernetes-map-type": "atomic"}}}
    atom = MergeTypes({"Part": part, "Whole": whole}).named("Whole").atom
    assert apply_configuration(atom, {}, {"loose": {"a": "x"}}) == {"loose": {"a": "x"}}
    with pytest.raises(MergeError, match=r"structs: \.tight$"):
        apply_configuration(atom, {}, {"tight": {"a": "x"}})


def test_lists_of_older_schemas_say_by_their_patch_strategy_how_they_merge() -> None:
    items = {"type": "array", "items": ITEM, "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name"}
    atom = MergeTypes({}).of({"type": "object", "properties": {"items": items}}).atom
    found = apply_configuration(atom, {"items": [{"name": "a"}]}, {"items": [{"name": "a", "image": "x"}, {"name": "b"}]})
    assert found == {"items": [{"name": "a", "image": "x"}, {"name": "b"}]}
