"""How a default gets into generated code: written out if it is small, otherwise copied from a constant."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.schema.compiled import CompiledSchema
from weighbridge.policies.schema.node import Schema


def filled(default: Any) -> tuple[Any, bool]:
    """The value that a field with this default gets, which must be the same twice, and whether it was copied."""
    field = {"x-kubernetes-preserve-unknown-fields": True, "default": default}
    schema = CompiledSchema(Schema({"type": "object", "properties": {"f": field}}), "test")
    one: dict[str, Any] = {}
    other: dict[str, Any] = {}
    schema.default(one)
    schema.default(other)
    assert one == other
    return one["f"], "deep_copy(" in schema.source()


def nested(levels: int) -> Any:
    value: Any = 1
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


@pytest.mark.parametrize(
    ("default", "is_copied"),
    [
        (1, False),
        ("a'\n", False),
        (0, False),
        (False, False),
        ([], False),
        ({}, False),
        (list(range(32)), False),
        (list(range(33)), True),
        ({str(number): number for number in range(32)}, False),
        ({str(number): number for number in range(33)}, True),
        ([{"a": list(range(33))}], True),
        ([1, {"b": [2.5, None, "x"]}, []], False),
        (nested(4), False),
        (nested(5), True),
        ([1, nested(4)], True),
    ],
)
def test_a_small_default_is_written_out_and_a_large_one_is_copied(default: Any, is_copied: bool) -> None:
    assert filled(default) == (default, is_copied)


def test_a_default_may_nest_deeper_than_python_reads_brackets() -> None:
    found, is_copied = filled(nested(300))
    assert is_copied
    for level in reversed(range(300)):
        found = found[0] if level % 2 else found["a"]
    assert found == 1


def test_a_declared_field_is_not_a_value_of_the_map_beside_it() -> None:
    declared = {"type": "object", "properties": {"x": {"default": 1}}}
    other = {"type": "object", "properties": {"y": {"default": 2}, "n": {"type": "string"}}}
    schema = CompiledSchema(Schema({"type": "object", "properties": {"a": declared}, "additionalProperties": other}), "test")
    value: dict[str, Any] = {"a": {"n": None}, "b": {"n": None}}
    schema.drop_nulls(value)
    schema.default(value)
    assert value == {"a": {"n": None, "x": 1}, "b": {"y": 2}}


@pytest.mark.parametrize("fields", [1, 12, 13, 30])
def test_defaults_and_nulls_are_seen_to_in_narrow_and_wide_objects(fields: int) -> None:
    inner = {"type": "object", "properties": {"x": {"default": 1}, "n": {"type": "string"}}}
    schema = CompiledSchema(Schema({"type": "object", "properties": {f"f{number}": inner for number in range(fields)}}), "test")
    value: dict[str, Any] = {f"f{number}": {"n": None, "zz": 1} for number in range(fields)} | {"other": {"n": None}, "text": "a"}
    assert schema.prune(value) == sorted(["other", "text", *(f"f{number}.zz" for number in range(fields))])
    schema.drop_nulls(value)
    schema.default(value)
    assert value == {f"f{number}": {"x": 1} for number in range(fields)}
    value = {"f0": "no map", "other": {"n": None}}
    schema.drop_nulls(value)
    schema.default(value)
    assert value == {"f0": "no map", "other": {"n": None}}
