"""The number of matching checks, by which anyOf and oneOf choose the branch to report; matches of nested branches count.

A check counts once if it applied. Some count once more: type if it holds, combinators, numbers and lists always.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.schema.test_keywords import errors_at
from weighbridge.policies.schema.explain import explain
from weighbridge.policies.schema.node import Schema

TYPE, TYPE_FAILED, COMBINATORS, TEXT, FORMAT, NUMBER, LIST, ENUM, MAP, ALL = 2, 1, 2, 1, 1, 2, 2, 1, 1, 1
ANY_TEXT = COMBINATORS + TEXT + ENUM + ALL
ANY_NUMBER = COMBINATORS + NUMBER + ENUM + ALL
ANY_MAP = COMBINATORS + ENUM + MAP + ALL
ANY_LIST = COMBINATORS + LIST + ENUM + ALL


@pytest.mark.parametrize(
    ("keywords", "value", "matches"),
    [
        ({}, None, 1),
        ({"type": "string"}, None, 0),
        ({"type": "string", "nullable": True}, None, 1),
        ({"enum": [1]}, None, 1),
        ({}, True, COMBINATORS + ENUM + ALL),
        ({}, "a", ANY_TEXT),
        ({"minLength": 5, "enum": ["b"]}, "a", ANY_TEXT),
        ({"format": "date"}, "a", TYPE + ANY_TEXT + FORMAT),
        ({"type": "string", "format": "date"}, "a", TYPE + ANY_TEXT + FORMAT),
        ({"type": "string", "format": "unknown"}, "a", TYPE + ANY_TEXT),
        ({"type": "integer"}, "a", TYPE_FAILED + ANY_TEXT),
        ({}, 1, ANY_NUMBER),
        ({"minimum": 5}, 1.5, ANY_NUMBER),
        ({"type": "integer", "format": "int32"}, 1, TYPE + ANY_NUMBER),
        ({}, [], ANY_LIST),
        ({"type": "array"}, [1, 2], TYPE + ANY_LIST),
        ({"type": "array", "items": {}}, [1, "a"], TYPE + ANY_LIST + ANY_NUMBER + ANY_TEXT),
        ({"items": {"type": "string"}}, [1], ANY_LIST + TYPE_FAILED + ANY_NUMBER),
        ({}, {"a": 1}, ANY_MAP),
        ({"type": "object", "properties": {"a": {}, "b": {}}}, {"a": 1}, TYPE + ANY_MAP + ANY_NUMBER),
        ({"additionalProperties": {"type": "string"}}, {"a": "x", "b": 1}, ANY_MAP + TYPE + ANY_TEXT + TYPE_FAILED + ANY_NUMBER),
        ({"required": ["b"], "additionalProperties": False}, {"a": 1}, ANY_MAP),
        ({"anyOf": [{"minLength": 2}, {"type": "string"}, {}]}, "a", ANY_TEXT + TYPE + ANY_TEXT),
        ({"anyOf": [{"minLength": 2}, {"type": "integer"}]}, "a", ANY_TEXT + TYPE_FAILED + ANY_TEXT),
        ({"oneOf": [{"minLength": 2}, {"type": "string"}]}, "a", ANY_TEXT + TYPE + ANY_TEXT),
        ({"oneOf": [{}, {"type": "string"}]}, "a", ANY_TEXT),
        ({"oneOf": [{"minLength": 2}, {"type": "integer"}]}, "a", ANY_TEXT + TYPE_FAILED + ANY_TEXT),
        ({"allOf": [{"minLength": 2}, {"type": "string"}]}, "a", ANY_TEXT + ANY_TEXT + TYPE + ANY_TEXT),
        ({"not": {"type": "integer"}}, "a", ANY_TEXT),
    ],
)
def test_matches_are_counted_check_by_check(keywords: dict[str, Any], value: Any, matches: int) -> None:
    assert explain(Schema(keywords), value, "").matches == matches


@pytest.mark.parametrize("inner", ["anyOf", "oneOf", "allOf"])
@pytest.mark.parametrize("outer", ["anyOf", "oneOf"])
def test_matches_of_nested_branches_make_a_branch_the_nearest(outer: str, inner: str) -> None:
    plain, nested = {"type": "object", "required": ["b"]}, {inner: [{"type": "object"}], "required": ["a"]}
    for branches in ([plain, nested], [nested, plain]):
        assert errors_at({"type": "object", outer: branches}, {})[-1] == "f.a: Required value"
