"""Plain values: their canonical text, and copies."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.schema.go_values import canonical_text, deep_copy


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": [1, "x", {}], "a": None}, '{"a":null,"b":[1,"x",{},],}'),
        ([], "[]"),
        ([True, [1.5]], "[true,[1.5,],]"),
        ({"é\n": '"'}, '{"é\\n":"\\"",}'),
        ("x", '"x"'),
    ],
)
def test_the_canonical_text_of_a_value(value: Any, text: str) -> None:
    assert canonical_text(value) == text


def test_a_copy_shares_no_map_and_no_list() -> None:
    value: Any = {"a": [{"b": []}], "c": 1}
    copied = deep_copy(value)
    assert copied == value
    copied["a"][0]["b"].append(1)
    copied["a"].append(2)
    copied["d"] = 3
    assert value == {"a": [{"b": []}], "c": 1}
