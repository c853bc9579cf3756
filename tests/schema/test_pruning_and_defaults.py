"""Pruning, dropping of nulls and defaulting, in more cases than upstream's."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.schema.compiled import CompiledSchema
from weighbridge.policies.schema.node import Schema


def schema_of(**properties: Any) -> CompiledSchema:
    """A resource's schema with these fields."""
    return CompiledSchema(Schema({"type": "object", "properties": properties}), "test")


def deep(levels: int) -> Any:
    """Nested maps and lists, alternating."""
    value: Any = {"leaf": 1}
    for level in range(levels):
        value = {"a": value} if level % 2 else [value]
    return value


def test_paths_of_pruned_fields_are_sorted_and_spelt_as_the_server_spells_them() -> None:
    inner = {"type": "object", "properties": {"a": {"type": "string"}}}
    schema = schema_of(f={"type": "array", "items": inner}, m={"type": "object", "additionalProperties": inner}, s={"type": "string"})
    obj = {"z": 1, "f": [{"a": "x", "z": None}, {"y": {}}], "m": {"k.1": {"a": "x", "b": 1}}, "s": {"deep": {"er": 1}}}
    assert schema.prune(obj) == ["f[0].z", "f[1].y", "m.k.1.b", "s.deep", "z"]
    assert obj == {"f": [{"a": "x"}, {}], "m": {"k.1": {"a": "x"}}, "s": {}}


def test_a_resource_keeps_its_type_and_metadata_and_any_other_object_loses_them_silently() -> None:
    obj = {"apiVersion": "v1", "kind": "K", "metadata": {"any": {"thing": 1}}}
    assert schema_of().prune(obj) == []
    assert obj["metadata"] == {"any": {"thing": 1}}
    assert schema_of().prune(obj, is_resource_root=False) == []
    assert obj == {}


def test_an_embedded_resource_keeps_its_type_and_metadata() -> None:
    schema = schema_of(f={"type": "object", "x-kubernetes-embedded-resource": True})
    obj = {"f": {"apiVersion": "v1", "kind": "K", "metadata": {"x": 1}, "spec": {}}}
    assert schema.prune(obj) == ["f.spec"]
    assert obj == {"f": {"apiVersion": "v1", "kind": "K", "metadata": {"x": 1}}}


def test_values_of_a_map_without_schema_lose_their_content() -> None:
    obj = {"f": {"a": {"b": 1}, "c": [{"d": 1}], "e": 1}}
    assert schema_of(f={"type": "object", "additionalProperties": True}).prune(obj) == ["f.a.b", "f.c[0].d"]
    assert obj == {"f": {"a": {}, "c": [{}], "e": 1}}


def test_pruning_resumes_at_declared_fields_below_preserved_ones() -> None:
    declared = {"type": "object", "properties": {"x": {"type": "string"}}}
    schema = schema_of(f={"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"known": declared}})
    obj = {"f": {"free": {"any": 1}, "known": {"x": "1", "y": 2}}}
    assert schema.prune(obj) == ["f.known.y"]
    assert obj == {"f": {"free": {"any": 1}, "known": {"x": "1"}}}


def test_items_of_a_preserved_list_keep_what_they_do_not_know() -> None:
    items = {"type": "object", "properties": {"known": {"type": "object"}}}
    schema = schema_of(f={"type": "array", "x-kubernetes-preserve-unknown-fields": True, "items": items})
    obj = {"f": [{"free": {"any": 1}, "known": {"x": 1}}]}
    assert schema.prune(obj) == ["f[0].known.x"]
    assert obj == {"f": [{"free": {"any": 1}, "known": {}}]}


@pytest.mark.parametrize("levels", [1_000, 9_000])
def test_data_nested_deeply_is_no_trouble_where_no_schema_follows_it(levels: int) -> None:
    schema = schema_of(free={"x-kubernetes-preserve-unknown-fields": True}, text={"type": "string"}, map={"additionalProperties": True})
    obj = {"free": deep(levels), "text": deep(levels), "map": {"k": [deep(levels)]}, "unknown": deep(levels)}
    dropped = schema.prune(obj)
    assert "unknown" in dropped
    schema.drop_nulls(obj)
    schema.default(obj)
    assert len(schema.validate(obj)) == 1
    assert len(schema.validate_update(obj, obj)) == 0
    assert schema.validate_list_types(obj) == []


def test_nulls_go_where_they_mean_nothing() -> None:
    schema = schema_of(
        plain={"type": "string"},
        kept={"type": "string", "nullable": True},
        filled={"type": "string", "default": "d"},
        list={"type": "array", "items": {"type": "string"}},
        map={"type": "object", "additionalProperties": {"type": "string"}},
        free={"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    )
    obj: dict[str, Any] = {"plain": None, "kept": None, "filled": None, "list": [None], "map": {"k": None, "l": "x"}, "free": {"n": None}}
    schema.drop_nulls(obj)
    assert obj == {"kept": None, "filled": None, "list": [None], "map": {"l": "x"}, "free": {"n": None}}
    schema.default(obj)
    assert obj["filled"] == "d"


def test_a_default_is_put_in_before_its_own_fields_are_defaulted() -> None:
    inner = {"type": "object", "properties": {"a": {"type": "integer", "default": 1}, "b": {"type": "integer"}}}
    schema = schema_of(given={**inner, "default": {"b": 2}}, missing=inner)
    obj: dict[str, Any] = {}
    schema.default(obj)
    assert obj == {"given": {"a": 1, "b": 2}}


def test_defaults_are_not_shared_between_objects() -> None:
    for default in ({"a": [1]}, {str(number): number for number in range(100)}, [[[[[[1]]]]]]):
        schema = schema_of(f={"x-kubernetes-preserve-unknown-fields": True, "default": default})
        one: dict[str, Any] = {}
        other: dict[str, Any] = {}
        schema.default(one)
        schema.default(other)
        assert one == other == {"f": default}
        assert one["f"] is not other["f"]
        assert one["f"] is not default


def test_a_default_is_pruned_as_the_server_prunes_it() -> None:
    schema = schema_of(f={"type": "object", "properties": {"a": {"type": "integer"}}, "default": {"a": 1, "z": 2}})
    obj: dict[str, Any] = {}
    schema.default(obj)
    assert obj == {"f": {"a": 1}}


def test_nulls_of_maps_and_lists_become_their_schemas_default() -> None:
    schema = schema_of(
        map={"type": "object", "additionalProperties": {"type": "string", "default": "d"}},
        list={"type": "array", "items": {"type": "string", "default": "d"}},
        kept={"type": "array", "items": {"type": "string", "default": "d", "nullable": True}},
    )
    obj = {"map": {"a": None, "b": "x"}, "list": [None, "x"], "kept": [None]}
    schema.default(obj)
    assert obj == {"map": {"a": "d", "b": "x"}, "list": ["d", "x"], "kept": [None]}


def test_a_subschema_stands_alone() -> None:
    schema = schema_of(status={"type": "object", "required": ["a"], "properties": {"a": {"type": "integer", "default": 1}}})
    status = schema.subschema("status")
    assert status is not None
    assert status is schema.subschema("status")
    assert schema.subschema("spec") is None
    assert list(map(str, status.validate({}, "status"))) == ["status.a: Required value"]
    value = {"z": 1}
    assert status.prune(value, is_resource_root=False) == ["z"]
    status.default(value)
    assert value == {"a": 1}
