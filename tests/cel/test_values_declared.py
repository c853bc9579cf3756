"""The types that schemas declare for data: their shape, and the smallest and largest size that Kubernetes 1.36 assumes."""

from __future__ import annotations

from typing import Any, Final

import pytest

from weighbridge.policies.cel.values.declared import MAX_REQUEST_SIZE, DeclaredType, SelfTypes, Shape
from weighbridge.policies.cel.values.types import BYTES, DOUBLE, DYN, INT, STRING, TIMESTAMP, list_of, map_of, struct
from weighbridge.policies.schema.node import Schema

_LONGEST: Final = 3145726
_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "integer"}
_OBJECT: Final = {
    "type": "object",
    "properties": {
        "é": _TEXT,
        "n-1": _NUMBER,
        "when": {"type": "string", "format": "date-time"},
        "set": {"type": "integer", "default": 1},
        "raw": {"x-kubernetes-preserve-unknown-fields": True},
    },
    "required": ["é", "n-1", "when", "set", "raw", "gone"],
}


@pytest.mark.parametrize(
    ("schema", "shape", "smallest", "most"),
    [
        (_TEXT, Shape.STRING, 2, _LONGEST),
        ({"type": "string", "maxLength": 7}, Shape.STRING, 2, 28),
        ({"type": "string", "maxLength": -1}, Shape.STRING, 2, 0),
        ({"type": "string", "enum": ["a", "éé", None, "abc"]}, Shape.STRING, 2, 4),
        ({"type": "string", "enum": [None]}, Shape.STRING, 2, 0),
        ({"type": "string", "enum": ["abc"], "maxLength": 9}, Shape.STRING, 2, 36),
        ({"type": "string", "format": "byte"}, Shape.BYTES, 2, _LONGEST),
        ({"type": "string", "format": "byte", "maxLength": 7}, Shape.BYTES, 2, 7),
        ({"type": "string", "format": "byte", "enum": ["abcd"]}, Shape.BYTES, 2, _LONGEST),
        ({"type": "string", "format": "duration"}, Shape.DURATION, 3, 32),
        ({"type": "string", "format": "date"}, Shape.DATE, 12, 12),
        ({"type": "string", "format": "date-time"}, Shape.DATE_TIME, 21, 32),
        ({"type": "string", "format": "uuid"}, Shape.STRING, 2, _LONGEST),
        (_NUMBER, Shape.INT, 1, 0),
        ({"type": "number"}, Shape.DOUBLE, 1, 0),
        ({"type": "boolean"}, Shape.BOOL, 4, 0),
        ({"x-kubernetes-int-or-string": True}, Shape.INT_OR_STRING, 1, _LONGEST),
        ({"x-kubernetes-int-or-string": True, "maxLength": 3}, Shape.INT_OR_STRING, 1, 12),
        ({"type": "array", "items": _NUMBER}, Shape.LIST, 2, 1572863),
        ({"type": "array", "items": {"type": "string", "format": "date-time"}}, Shape.LIST, 2, 142987),
        ({"type": "array", "items": _NUMBER, "maxItems": 5}, Shape.LIST, 2, 5),
        ({"type": "array", "items": _NUMBER, "maxItems": -5}, Shape.LIST, 2, 0),
        ({"type": "object", "additionalProperties": _NUMBER}, Shape.MAP, 2, 449389),
        ({"type": "object", "additionalProperties": _TEXT, "maxProperties": 5}, Shape.MAP, 2, 5),
        ({"type": "object", "additionalProperties": _TEXT, "maxProperties": -5}, Shape.MAP, 2, 0),
        ({"type": "object"}, Shape.EMPTY, 2, 0),
        (_OBJECT, Shape.OBJECT, 47, 0),
        ({"type": "array", "items": _OBJECT}, Shape.LIST, 2, 65535),
        ({"x-kubernetes-preserve-unknown-fields": True}, Shape.HIDDEN, 2, 0),
        ({}, Shape.INVALID, 2, 0),
    ],
)
def test_a_schema_has_a_shape_and_sizes(schema: dict[str, Any], shape: Shape, smallest: int, most: int) -> None:
    declared = DeclaredType(Schema(schema))
    assert (declared.shape, declared.min_size, declared.max_elements) == (shape, smallest, most)


def test_the_longest_text_is_a_request_without_its_quotes() -> None:
    assert MAX_REQUEST_SIZE == _LONGEST + 2


def test_rules_see_fields_under_their_identifiers() -> None:
    declared = DeclaredType(Schema(_OBJECT))
    assert declared.fields == {"n__dash__1": "n-1", "when": "when", "set": "set"}
    assert [declared.property_of(name) for name in ("n__dash__1", "n-1", "é", "raw", "when")] == ["n-1", None, None, None, "when"]
    assert DeclaredType(Schema(_TEXT)).fields == {}


def test_a_reserved_word_may_stand_for_itself() -> None:
    declared = DeclaredType(Schema({"type": "object", "properties": {"namespace": _TEXT}}))
    assert declared.property_of("namespace") == declared.property_of("__namespace__") == "namespace"
    assert declared.property_of("namespace", keywords=False) is None
    assert declared.property_of("while") is None


_META: Final = {"type": "object", "properties": {"name": _TEXT, "generateName": _TEXT, "labels": _NUMBER}}


@pytest.mark.parametrize(
    ("properties", "added"),
    [
        ({}, True),
        ({"kind": _TEXT, "apiVersion": _TEXT, "metadata": {"type": "object"}}, True),
        ({"kind": _TEXT, "apiVersion": _NUMBER, "metadata": _META}, True),
        ({"kind": _TEXT, "metadata": _META}, True),
        ({"kind": _TEXT, "apiVersion": _TEXT}, True),
        ({"kind": _TEXT, "apiVersion": _TEXT, "metadata": {**_META, "type": "array"}}, True),
        (
            {"kind": _TEXT, "apiVersion": _TEXT, "metadata": {"type": "object", "properties": {"name": _TEXT, "generateName": _NUMBER}}},
            True,
        ),
        ({"kind": _TEXT, "apiVersion": _TEXT, "metadata": _META}, False),
    ],
)
def test_the_root_of_a_resource_always_has_its_type_and_name(properties: dict[str, Any], added: bool) -> None:
    schema = {"type": "object", "properties": {**properties, "spec": _NUMBER}}
    for declared in (DeclaredType(Schema(schema), root=True), DeclaredType(Schema({**schema, "x-kubernetes-embedded-resource": True}))):
        assert set(declared.properties) == {"kind", "apiVersion", "metadata", "spec"}
        assert ("labels" in declared.properties["metadata"].properties) != added
        assert {declared.properties[name].shape for name in ("kind", "apiVersion")} == {Shape.STRING}
    assert set(DeclaredType(Schema(schema)).properties) == {*properties, "spec"}


_LIST: Final = {"type": "array", "items": _NUMBER}


@pytest.mark.parametrize(
    ("schema", "plain", "numbers"),
    [
        (_TEXT, True, False),
        (_NUMBER, True, True),
        ({"type": "boolean"}, True, True),
        ({"type": "string", "nullable": True}, False, False),
        ({"type": "string", "format": "byte"}, False, True),
        ({"type": "object", "properties": {"a": _TEXT, "b": _NUMBER}}, True, True),
        ({"type": "object", "properties": {"a": _TEXT}}, True, False),
        ({"type": "object", "properties": {"a": _TEXT, "b": {"type": "string", "format": "date"}}}, False, True),
        ({"type": "object", "properties": {"a": _TEXT}, "x-kubernetes-preserve-unknown-fields": True}, False, False),
        (_LIST, True, True),
        ({"type": "array", "items": _TEXT}, True, False),
        ({**_LIST, "x-kubernetes-list-type": "atomic"}, True, True),
        ({**_LIST, "x-kubernetes-list-type": "set"}, False, True),
        ({**_LIST, "x-kubernetes-list-type": "map"}, False, True),
        ({"type": "array"}, False, False),
        ({"type": "object", "additionalProperties": _NUMBER}, True, True),
        ({"type": "object", "additionalProperties": {"type": "string", "nullable": True}}, False, False),
    ],
)
def test_plain_data_is_equal_where_its_json_is(schema: dict[str, Any], plain: bool, numbers: bool) -> None:
    declared = DeclaredType(Schema(schema))
    assert (declared.is_plain, declared.holds_numbers) == (plain, numbers)
    assert not DeclaredType(Schema({**schema, "type": "object", "properties": {"a": _TEXT}}), root=True).is_plain


@pytest.mark.parametrize(
    ("schema", "exposed"),
    [
        (_TEXT, True),
        ({}, False),
        ({"x-kubernetes-preserve-unknown-fields": True}, False),
        ({"type": "object"}, True),
        ({"type": "array"}, False),
        ({"type": "array", "items": {}}, False),
        ({"type": "array", "items": _LIST}, True),
        ({"type": "object", "additionalProperties": {"type": "array"}}, False),
    ],
)
def test_rules_see_what_has_a_type_all_the_way_down(schema: dict[str, Any], exposed: bool) -> None:
    assert DeclaredType(Schema(schema)).exposed is exposed


def test_the_types_below_self_are_named_by_their_paths() -> None:
    date = {"type": "string", "format": "date"}
    inner = {"type": "object", "properties": {"d": date, "n": {"type": "number"}, "b": {"type": "string", "format": "byte"}}}
    outer = {"l": {"type": "array", "items": inner}, "m": {"type": "object", "additionalProperties": inner}}
    types = SelfTypes(DeclaredType(Schema({"type": "object", "properties": outer})))
    assert types.type == struct("selfType0")
    assert types.field("selfType0", "l") == list_of(struct("selfType0.l.@idx"))
    assert types.field("selfType0", "m") == map_of(STRING, struct("selfType0.m.@elem"))
    found = [types.field("selfType0.l.@idx", name) for name in ("d", "n", "b", "x")]
    assert found == [TIMESTAMP, DOUBLE, BYTES, None]
    assert (types.has_struct("selfType0.m.@elem"), types.has_struct("selfType0.x")) == (True, False)
    assert SelfTypes(DeclaredType(Schema({"x-kubernetes-int-or-string": True}))).type == DYN
    assert SelfTypes(DeclaredType(Schema(_LIST)), "old").type == list_of(INT)
    assert SelfTypes(DeclaredType(Schema({"type": "object"})), "old").type == struct("old")
    assert repr(DeclaredType(Schema(_LIST))).startswith("DeclaredType(LIST, ")


def test_map_keys_are_looked_up_under_escaped_names() -> None:
    keys = ["name", "a-b", "1x", "namespace"]
    schema = {"type": "array", "items": {"type": "object"}, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys}
    assert DeclaredType(Schema(schema)).escaped_keys == ["name", "a__dash__b", "1x", "__namespace__"]
