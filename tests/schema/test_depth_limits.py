"""How deep a schema is followed: the last level that is and the first that isn't, for each keyword that nests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from weighbridge.policies.schema.compiled import CompiledSchema
from weighbridge.policies.schema.explain import explain
from weighbridge.policies.schema.lists import list_type_errors
from weighbridge.policies.schema.node import MAX_DEPTH, Schema, SchemaTooDeepError
from weighbridge.policies.schema.structure import Place, may_hold

Nesting = Callable[[dict[str, Any]], dict[str, Any]]

SCHEMAS: dict[str, Nesting] = {
    "properties": lambda raw: {"type": "object", "properties": {"a": raw}},
    "additionalProperties": lambda raw: {"type": "object", "additionalProperties": raw},
    "items": lambda raw: {"type": "array", "items": raw},
}
COMBINATORS: dict[str, Nesting] = {
    "not": lambda raw: {"not": raw},
    "allOf": lambda raw: {"allOf": [raw]},
    "anyOf": lambda raw: {"anyOf": [raw]},
    "oneOf": lambda raw: {"oneOf": [raw]},
}
INNERMOST = {"type": "array", "minItems": 1, "x-kubernetes-list-type": "set"}


def nested(keyword: str, levels: int) -> tuple[Schema, Any]:
    """A schema with so many levels, and a value that reaches its innermost node: a set that has an item twice."""
    raw: dict[str, Any] = INNERMOST
    value: Any = ["x", "x"]
    for _ in range(levels):
        raw = (SCHEMAS | COMBINATORS)[keyword](raw)
        if keyword in SCHEMAS:
            value = [value] if keyword == "items" else {"a": value}
    return Schema(raw), value


@pytest.mark.parametrize("keyword", [*SCHEMAS, *COMBINATORS])
def test_errors_are_explained_down_to_the_last_level(keyword: str) -> None:
    assert explain(*nested(keyword, MAX_DEPTH), "").is_valid
    with pytest.raises(SchemaTooDeepError, match=f"^the schema nests deeper than {MAX_DEPTH} levels$"):
        explain(*nested(keyword, MAX_DEPTH + 1), "")


@pytest.mark.parametrize("keyword", SCHEMAS)
def test_list_types_are_followed_down_to_the_last_level(keyword: str) -> None:
    (error,) = list_type_errors(*nested(keyword, MAX_DEPTH), "")
    assert error.field.endswith("[1]")
    with pytest.raises(SchemaTooDeepError):
        list(list_type_errors(*nested(keyword, MAX_DEPTH + 1), ""))


@pytest.mark.parametrize("keyword", SCHEMAS)
def test_generated_functions_end_with_the_last_level(keyword: str) -> None:
    schema, value = nested(keyword, MAX_DEPTH)
    compiled = CompiledSchema(schema, "test")
    assert compiled.validate(value) == []
    assert len(compiled.validate_list_types(value)) == 1
    deeper, value = nested(keyword, MAX_DEPTH + 1)
    for operation in (CompiledSchema.holds, CompiledSchema.validate_list_types):
        with pytest.raises(SchemaTooDeepError):
            operation(CompiledSchema(deeper, "test"), value)


@pytest.mark.parametrize("keyword", COMBINATORS)
def test_generated_functions_of_combinators_end_with_the_last_level(keyword: str) -> None:
    schema, value = nested(keyword, MAX_DEPTH)
    assert CompiledSchema(schema, "test").holds(value)
    with pytest.raises(SchemaTooDeepError):
        CompiledSchema(nested(keyword, MAX_DEPTH + 1)[0], "test").holds(value)


def test_a_place_knows_the_way_that_leads_to_it() -> None:
    branch, schema = Schema({}), Schema({"properties": {"b": {}}, "additionalProperties": {}, "items": {}})
    root, place = Place(schema), Place(schema, "a", 3, "skip")
    assert (root.field("b").label, root.field("b").depth, root.field("b").mode) == ("b", 1, "")
    assert place.field("b", "root") == Place(schema.properties["b"], "a.b", 4, "root")
    assert schema.additional_properties is not None
    assert place.value("skip") == Place(schema.additional_properties, "a[*]", 4, "skip")
    assert schema.items is not None
    assert place.item() == Place(schema.items, "a[]", 4, "")
    assert place.branch(branch, "anyOf") == Place(branch, "a anyOf", 4, "")
    bare = Place(branch)
    assert (bare.value(), bare.item()) == (None, None)
    with pytest.raises(KeyError):
        bare.field("b")


def test_a_search_ends_with_maybe_after_two_hundred_nodes() -> None:
    def nodes(below: int) -> Schema:
        return Schema({"properties": {f"f{number}": {} for number in range(below)}})

    def is_wanted(raw: dict[str, Any]) -> bool:
        return "default" in raw

    assert not may_hold(nodes(199), is_wanted)
    assert may_hold(nodes(200), is_wanted)
    for keyword in ("items", "additionalProperties"):
        assert may_hold(Schema({keyword: {"default": 1}}), is_wanted)
        assert not may_hold(Schema({keyword: {}}), is_wanted)
    assert not may_hold(Schema({"additionalProperties": True}), is_wanted)
