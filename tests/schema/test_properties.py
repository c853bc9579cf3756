"""Properties that hold for any schema and any JSON."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from weighbridge.policies.schema.compiled import CompiledSchema
from weighbridge.policies.schema.explain import explain
from weighbridge.policies.schema.go_values import deep_copy, deep_equal
from weighbridge.policies.schema.node import Schema

KEYS = st.sampled_from(["a", "b", "kind", "metadata", "", "x.y"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(), max_size=4)
    | st.sampled_from(["a", "b", "2020-01-01T00:00:00Z", "1.2.3.4"])
)
JSON = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=12)
COUNTS = st.integers(0, 3)
LEAF_KEYWORDS: dict[str, st.SearchStrategy[Any]] = {
    "type": st.sampled_from(["string", "integer", "number", "boolean", "object", "array"]),
    "format": st.sampled_from(["int32", "double", "float", "date-time", "ipv4", "unknown"]),
    "nullable": st.booleans(),
    "default": JSON,
    "enum": st.lists(SCALARS, min_size=1, max_size=3),
    "pattern": st.sampled_from(["^a$", "[ab]", "(", r"\pL", "^(a+)+$"]),
    "maxLength": COUNTS,
    "minLength": COUNTS,
    "minimum": st.sampled_from([-1, 0, 1.5, 2**31, 1e19]),
    "maximum": st.sampled_from([-1, 0, 1.5, 2**31, 1e19]),
    "exclusiveMaximum": st.booleans(),
    "multipleOf": st.sampled_from([1, 2, 0.1, 0.5, 2.5]),
    "maxItems": COUNTS,
    "minItems": COUNTS,
    "maxProperties": COUNTS,
    "minProperties": COUNTS,
    "required": st.lists(KEYS, max_size=2),
    "x-kubernetes-int-or-string": st.just(True),
    "x-kubernetes-preserve-unknown-fields": st.just(True),
    "x-kubernetes-embedded-resource": st.just(True),
    "x-kubernetes-list-type": st.sampled_from(["set", "map", "atomic"]),
    "x-kubernetes-list-map-keys": st.lists(KEYS, min_size=1, max_size=2, unique=True),
}


def _nodes(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    nested = {
        "properties": st.dictionaries(KEYS, inner, max_size=3),
        "items": inner,
        "anyOf": st.lists(inner, min_size=1, max_size=2),
        "oneOf": st.lists(inner, min_size=1, max_size=2),
        "allOf": st.lists(inner, min_size=1, max_size=2),
        "not": inner,
        "additionalProperties": inner | st.booleans(),
    }
    return st.fixed_dictionaries({}, optional={**LEAF_KEYWORDS, **nested})


RAW = st.recursive(st.fixed_dictionaries({}, optional=LEAF_KEYWORDS), _nodes, max_leaves=6)


@settings(max_examples=80)
@given(RAW, JSON)
def test_the_predicate_and_the_explanation_agree(raw: Any, value: Any) -> None:
    schema = CompiledSchema(Schema(raw), "test")
    assert (schema.validate(value) == []) == explain(schema.schema, value, "").is_valid


@settings(max_examples=80)
@given(RAW, JSON, JSON)
def test_validation_is_total_and_leaves_its_objects_alone(raw: Any, value: Any, old: Any) -> None:
    schema = CompiledSchema(Schema(raw), "test")
    before, old_before = copy.deepcopy(value), copy.deepcopy(old)
    for error in (*schema.validate(value), *schema.validate_update(value, old), *schema.validate_list_types(value)):
        assert str(error)
    assert deep_equal(value, before)
    assert deep_equal(old, old_before)


@settings(max_examples=80)
@given(RAW, JSON)
def test_an_update_finds_nothing_that_a_creation_would_not(raw: Any, value: Any) -> None:
    schema = CompiledSchema(Schema(raw), "test")
    on_creation = set(map(str, schema.validate(value)))
    assert set(map(str, schema.validate_update(value, copy.deepcopy(value)))) <= on_creation


@settings(max_examples=80)
@given(RAW, JSON, st.booleans())
def test_pruning_twice_is_pruning_once(raw: Any, value: Any, is_root: bool) -> None:
    schema = CompiledSchema(Schema(raw), "test")
    schema.prune(value, is_resource_root=is_root)
    once = copy.deepcopy(value)
    assert schema.prune(value, is_resource_root=is_root) == []
    assert deep_equal(value, once)


@settings(max_examples=80)
@given(RAW, JSON)
def test_defaulting_twice_is_defaulting_once_and_keeps_what_was_there(raw: Any, value: Any) -> None:
    schema = CompiledSchema(Schema(raw), "test")
    before = copy.deepcopy(value)
    schema.default(value)
    once = copy.deepcopy(value)
    schema.default(value)
    assert deep_equal(value, once)
    if isinstance(before, dict):
        assert all(deep_equal(value[key], item) for key, item in before.items() if item is not None and not isinstance(item, (dict, list)))


@settings(max_examples=80)
@given(RAW, JSON)
def test_dropping_nulls_twice_is_dropping_them_once(raw: Any, value: Any) -> None:
    schema = CompiledSchema(Schema(raw), "test")
    schema.drop_nulls(value)
    once = copy.deepcopy(value)
    schema.drop_nulls(value)
    assert deep_equal(value, once)


@given(JSON)
def test_a_copy_is_equal_and_shares_nothing(value: Any) -> None:
    copied = deep_copy(value)
    assert deep_equal(copied, value)
    if isinstance(value, (dict, list)):
        assert copied is not value
