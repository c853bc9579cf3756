"""Updates (KEP-4008): where invalid but unchanged values are accepted, and where they aren't."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from weighbridge.policies.schema.compiled import CompiledSchema
from weighbridge.policies.schema.node import Schema

SHORT = {"type": "string", "maxLength": 1}
TOO_LONG = "Too long: may not be more than 1 byte"


def update_errors(keywords: dict[str, Any], value: Any, old: Any) -> list[str]:
    """The texts for an object whose field `f` changes from `old` to `value`."""
    schema = CompiledSchema(Schema({"type": "object", "properties": {"f": keywords}}), "test")
    return sorted(map(str, schema.validate_update({"f": value}, {"f": old})))


def list_map(**item: Any) -> dict[str, Any]:
    """A list map keyed by `k`."""
    properties = {"k": {"type": "string"}, **item}
    items = {"type": "object", "properties": properties}
    return {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": items}


def test_an_unchanged_value_is_forgiven_and_a_changed_one_is_not() -> None:
    assert update_errors(SHORT, "abc", "abc") == []
    assert update_errors(SHORT, "abd", "abc") == [f"f: {TOO_LONG}"]


def test_an_unchanged_child_of_a_changed_parent_is_forgiven() -> None:
    keywords = {"type": "object", "properties": {"a": SHORT, "b": SHORT}}
    assert update_errors(keywords, {"a": "xx", "b": "y"}, {"a": "xx", "b": "z"}) == []


def test_a_changed_parent_answers_for_what_it_lacks() -> None:
    keywords = {"type": "object", "required": ["a"], "properties": {"b": {"type": "string"}}}
    assert update_errors(keywords, {"b": "2"}, {"b": "1"}) == ["f.a: Required value"]
    assert update_errors(keywords, {"b": "1"}, {"b": "1"}) == []


def test_values_of_maps_are_correlated_by_key() -> None:
    keywords = {"type": "object", "additionalProperties": SHORT}
    assert update_errors(keywords, {"a": "xx", "b": "yy"}, {"a": "xx"}) == [f"f.b: {TOO_LONG}"]


def test_items_of_a_list_are_forgiven_only_together() -> None:
    keywords = {"type": "array", "items": SHORT}
    assert update_errors(keywords, ["xx"], ["xx"]) == []
    assert update_errors(keywords, ["xx", "y"], ["xx"]) == [f"f[0]: {TOO_LONG}"]


def test_items_of_a_list_map_are_correlated_by_key() -> None:
    keywords = list_map(v=SHORT)
    old = [{"k": "a", "v": "xx"}, {"k": "b", "v": "y"}]
    assert update_errors(keywords, [{"k": "c", "v": "z"}, {"k": "a", "v": "xx"}], old) == []
    assert update_errors(keywords, [{"k": "a", "v": "xxx"}], old) == [f"f[0].v: {TOO_LONG}"]
    assert update_errors(keywords, [{"k": "new", "v": "xx"}], old) == [f"f[0].v: {TOO_LONG}"]


@pytest.mark.parametrize("odd", [None, "text", {}, {"v": "y"}, {"k": ["list"]}])
def test_a_list_map_with_an_item_that_has_no_key_never_equals_itself(odd: Any) -> None:
    items = [{"k": "a"}, odd]
    keywords = {"type": "object", "required": ["missing"], "properties": {"l": {**list_map(), "items": {"properties": {"k": {}, "v": {}}}}}}
    assert "f.missing: Required value" in update_errors(keywords, {"l": items}, {"l": copy.deepcopy(items)})


def test_list_maps_with_several_keys_compare_their_values_and_kinds() -> None:
    items = {"type": "object", "properties": {"k": {}, "n": {}, "v": SHORT}}
    keywords = {**list_map(), "x-kubernetes-list-map-keys": ["k", "n"], "items": items}
    old = [{"k": "a", "n": 1, "v": "xx"}, {"k": "a", "n": 2, "v": "yy"}]
    assert update_errors(keywords, [{"k": "a", "n": 2, "v": "yy"}], old) == []
    assert update_errors(keywords, [{"k": "a", "n": 2.0, "v": "yy"}], old) == [f"f[0].v: {TOO_LONG}"]
    assert update_errors(keywords, [{"k": "a", "n": 1, "v": "yy"}], old) == [f"f[0].v: {TOO_LONG}"]


def test_kinds_of_numbers_matter_for_equality() -> None:
    keywords = {"type": "number", "maximum": 0}
    assert update_errors(keywords, 1, 1) == []
    assert len(update_errors(keywords, 1.0, 1)) == 1


def test_nothing_is_forgiven_inside_combinators() -> None:
    keywords = {"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "allOf": [{"properties": {"a": {"maxLength": 1}}}]}
    errors = update_errors(keywords, {"a": "xx", "b": 1}, {"a": "xx", "b": 2})
    assert f"f.a: {TOO_LONG}" in errors
    assert update_errors(keywords, {"a": "xx", "b": 1}, {"a": "xx", "b": 1}) == []


def test_a_key_without_schema_makes_an_object_unequal_to_itself() -> None:
    keywords = {"type": "object", "required": ["a"], "x-kubernetes-preserve-unknown-fields": True}
    assert update_errors(keywords, {"z": 1}, {"z": 1}) == ["f.a: Required value"]


def test_a_resource_with_a_name_is_never_forgiven_at_its_root() -> None:
    raw = {"type": "object", "required": ["spec"], "properties": {"metadata": {"type": "object"}}}
    schema, named = CompiledSchema(Schema(raw), "test"), {"metadata": {"name": "n"}}
    assert list(map(str, schema.validate_update(named, copy.deepcopy(named)))) == ["spec: Required value"]


def test_type_meta_of_the_root_is_never_forgiven_and_that_of_others_is() -> None:
    raw = {"type": "object", "properties": {"kind": SHORT, "f": {"type": "object", "properties": {"kind": SHORT}}}}
    schema, obj = CompiledSchema(Schema(raw), "test"), {"kind": "xx", "f": {"kind": "xx"}, "z": 1}
    assert list(map(str, schema.validate_update(obj, copy.deepcopy(obj)))) == [f"kind: {TOO_LONG}"]


def test_a_null_that_did_not_change_is_forgiven() -> None:
    keywords = {"type": "array", "items": {"type": "string"}}
    assert update_errors(keywords, [None], [None]) == []
    assert len(update_errors(keywords, [None], ["a"])) == 1
