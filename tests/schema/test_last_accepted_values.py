"""Each keyword at its edge: the last value that passes and the first that doesn't, in the predicate and in the pass that explains
errors.
"""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.ground.server_release import RELEASES, judging
from weighbridge.policies.schema.compiled import CompiledSchema
from weighbridge.policies.schema.explain import explain
from weighbridge.policies.schema.node import Schema
from weighbridge.policies.schema.numbers import is_json_integer

Keywords = dict[str, Any]
INT64 = 2**63
EXACT = 2**53
#: The largest float32 is half a unit in its last place below this.
FLOAT32 = 2.0**128 - 2.0**103
BELOW_FLOAT32 = 2.0**128 - 2.0**103 - 2.0**76


def integer(**keywords: Any) -> Keywords:
    return {"type": "integer", **keywords}


def number(**keywords: Any) -> Keywords:
    return {"type": "number", **keywords}


def text(**keywords: Any) -> Keywords:
    return {"type": "string", **keywords}


def mapped(**keywords: Any) -> Keywords:
    return {"type": "object", **keywords}


def listed(**keywords: Any) -> Keywords:
    return {"type": "array", **keywords}


INT_OR_STRING = {"x-kubernetes-int-or-string": True}

CASES: list[tuple[Keywords, list[Any], list[Any]]] = [
    (integer(), [0, -1, INT64 - 1, -INT64, 2.0, float(EXACT - 1), 1.0 - EXACT], [
        INT64, -INT64 - 1, float(EXACT), 1.5, True, "1", None, [], {},
    ]),
    (integer(format="int32"), [2**31 - 1, -(2**31), 2.0], [2**31, -(2**31) - 1, 2.0**31, -(2.0**31) - 1, 0.5, False]),
    (integer(format="int64"), [INT64 - 1, -INT64], [INT64, -INT64 - 1, 0.5]),
    (integer(nullable=True), [None, 1], ["1", 1.5]),
    (integer(minimum=3), [3, 4, 3.0], [2, 2.0, -3]),
    (integer(minimum=3, exclusiveMinimum=True), [4, 4.0], [3, 3.0]),
    (integer(minimum=3, exclusiveMinimum=False), [3], [2]),
    (integer(maximum=3), [3, 2, 3.0], [4, 4.0]),
    (integer(maximum=3, exclusiveMaximum=True), [2, 2.0], [3, 3.0]),
    (integer(minimum=-1, maximum=1), [-1, 0, 1], [-2, 2]),
    (integer(minimum=0), [0, -0.0, 0.0], [-1]),
    (integer(maximum=0), [0], [1]),
    (integer(minimum=EXACT), [EXACT], [EXACT - 1]),
    (integer(minimum=EXACT, exclusiveMinimum=True), [EXACT + 1], [EXACT]),
    (integer(multipleOf=3), [0, 3, -3, 6.0], [1, 2, -1, 4.0]),
    (integer(multipleOf=1), [0, 1], []),
    (integer(multipleOf=3, minimum=3, maximum=6), [3, 6], [0, 4, 9]),
    (integer(enum=[1, 3]), [1, 3], [0, 2, 4, "1"]),
    (integer(enum=[1, 3], minimum=2), [3], [1]),
    (number(), [0, 1.5, -1.5, INT64 - 1, INT64, 1e308], ["1", True, None]),
    (number(format="float"), [BELOW_FLOAT32, -BELOW_FLOAT32, 1, 1.5], [FLOAT32, -FLOAT32, 1e300]),
    (number(format="double"), [FLOAT32, 1e300], ["1"]),
    (number(minimum=1), [1, 1.0, 1.5], [0, 0.5]),
    (number(minimum=1, exclusiveMinimum=True), [2, 1.000001], [1, 1.0, 0.5]),
    (number(maximum=1), [1, 1.0, 0.5], [2, 1.5]),
    (number(maximum=1, exclusiveMaximum=True), [0, 0.999999], [1, 1.0, 1.5]),
    (number(minimum=0.5), [0.5, 1, 0], [0.25, -1]),
    (number(minimum=0.5, exclusiveMinimum=True), [0.75, 1], [0.5, 0]),
    (number(maximum=0.5), [0.5, 0], [0.75, 1]),
    (number(maximum=0.5, exclusiveMaximum=True), [0.25, -1], [0.5, 0, 1]),
    (number(multipleOf=0.5), [0.5, 1.5, 2.0, -1.5], [0.25, 0.75, 1]),
    (number(multipleOf=0.1), [0.1, 0.3, 0.7, 1.1], [0.25, 0.15]),
    (number(multipleOf=2.5), [2.5, 5.0, 7.5, -5.0], [2.0, 4.0]),
    (number(multipleOf=2), [2, 4.0, 0], [1, 3.0, 0.5]),
    (number(multipleOf=1), [1.0000000009, 2.0000000019, 0.9999999991, -2.000000001, float(EXACT - 1), -3.0], [
        1.000000001, 2.000000003, 0.999999998, -2.000000003, float(EXACT), 0.5,
    ]),
    (number(enum=[1.5, 2]), [1.5, 2], [1.25, 3]),
    (text(minLength=1), ["a"], [""]),
    (text(minLength=2), ["ab", "éé"], ["", "a", "é"]),
    (text(minLength=0), [""], [1]),
    (text(maxLength=2), ["", "ab", "éé"], ["abc", "ééé"]),
    (text(maxLength=0), [""], ["a"]),
    (text(minLength=1, maxLength=1), ["a"], ["", "ab"]),
    (text(enum=["a", "b"]), ["a", "b"], ["", "c", 1, None]),
    (text(enum=["a"], nullable=True), ["a"], [None, "b"]),
    (text(nullable=True), [None, ""], [1]),
    (text(pattern="b"), ["b", "abc"], ["", "ac"]),
    (text(pattern="^b$", minLength=1), ["b"], ["", "ab"]),
    (text(format="date"), ["2024-02-29"], ["2023-02-29", "", 1]),
    (text(format="date", maxLength=9), [], ["2024-02-29"]),
    ({"type": "boolean"}, [True, False], [0, 1, "true", None]),
    ({"type": "boolean", "enum": [True]}, [True], [False]),
    ({"type": "boolean", "nullable": True}, [None, True], [0]),
    (INT_OR_STRING, [1, "1", 1.0, "", INT64 - 1], [1.5, True, None, []]),
    ({**INT_OR_STRING, "maxLength": 1}, ["a", 10], ["ab"]),
    ({**INT_OR_STRING, "enum": ["a", 1]}, ["a", 1], ["b", 2]),
    ({**INT_OR_STRING, "minimum": 1}, [1, "0"], [0]),
    ({**INT_OR_STRING, "pattern": "^a"}, ["a", 5], ["b"]),
    (listed(minItems=1), [[1]], [[]]),
    (listed(minItems=2), [[1, 2], [1, 2, 3]], [[], [1]]),
    (listed(maxItems=1), [[], [1]], [[1, 2]]),
    (listed(maxItems=0), [[]], [[1]]),
    (listed(minItems=0), [[]], [{}]),
    (listed(items={"type": "integer"}), [[], [1, 2]], [["a"], [1, "a"], [None]]),
    (listed(items={"type": "integer"}, maxItems=1), [[1]], [[1, 2], ["a"]]),
    (listed(uniqueItems=True), [[], [1, 2], [1, 1.0, True]], [[1, 1], [1, 2, 1], [[], []]]),
    (listed(enum=[[1], []]), [[1], []], [[2], [1, 1]]),
    (listed(nullable=True), [None, []], [{}, "a"]),
    (mapped(minProperties=1), [{"a": 1}], [{}]),
    (mapped(minProperties=2), [{"a": 1, "b": 1}], [{"a": 1}]),
    (mapped(maxProperties=1), [{}, {"a": 1}], [{"a": 1, "b": 1}]),
    (mapped(maxProperties=0), [{}], [{"a": 1}]),
    (mapped(required=["a", "b"]), [{"a": None, "b": 1}], [{"a": 1}, {"b": 1}, {}]),
    (mapped(required=["a", "a"], properties={"a": {"type": "string"}}), [{"a": ""}], [{}, {"a": 1}]),
    (mapped(properties={"a": {"type": "string"}}), [{}, {"a": ""}, {"b": 1}], [{"a": 1}, {"a": None}]),
    (mapped(properties={"a": {}}), [{"a": None}, {"a": 1}], [[]]),
    (mapped(additionalProperties=False), [{}], [{"a": 1}]),
    (mapped(additionalProperties=True), [{}, {"a": 1}], [[]]),
    (mapped(additionalProperties=False, properties={"a": {}}), [{}, {"a": 1}], [{"b": 1}, {"a": 1, "b": 1}]),
    (mapped(additionalProperties={"type": "string"}), [{}, {"a": ""}], [{"a": 1}, {"a": "", "b": 1}]),
    (mapped(additionalProperties={"type": "string"}, properties={"n": {"type": "integer"}}), [{"n": 1, "a": ""}], [{"n": ""}, {"a": 1}]),
    (mapped(enum=[{"a": 1}]), [{"a": 1}], [{}, {"a": 2}]),
    (mapped(nullable=True), [None, {}], [[], 1]),
    ({"enum": ["a", 1]}, ["a", 1], ["b", 2, None]),
    ({"minLength": 1}, ["a", 1, [], {}, None], [""]),
    ({"maxLength": 1}, ["a", 10], ["ab"]),
    ({"maxItems": 0}, [[], "a", {}], [[1]]),
    ({"minItems": 1}, [[1], ""], [[]]),
    ({"items": {"type": "string"}}, [["a"], {"a": 1}, 1], [[1]]),
    ({"maxProperties": 0}, [{}, [1]], [{"a": 1}]),
    ({"minProperties": 1}, [{"a": 1}, []], [{}]),
    ({"required": ["a"]}, [{"a": 1}, []], [{}]),
    ({"properties": {"a": {"type": "string"}}}, [{"a": ""}, 1], [{"a": 1}]),
    ({"additionalProperties": {"type": "string"}}, [{"a": ""}, 1], [{"a": 1}]),
    ({"additionalProperties": False}, [{}, 1], [{"a": 1}]),
    ({"minimum": 1}, [1, "a", 1.5], [0, 0.5]),
    ({"format": "date"}, ["2024-02-29", []], ["x"]),
    ({}, [None, 1, "", [], {}], []),
    ({"not": {"type": "string"}}, [1, None], ["a"]),
    ({"not": {}}, [None], [1, "a", {}]),
    (integer(anyOf=[{"minimum": 5}, {"maximum": 1}]), [5, 1], [2, 4]),
    (integer(oneOf=[{"minimum": 3}, {"maximum": 4}]), [2, 5], [3, 4]),
    (integer(allOf=[{"minimum": 3}, {"maximum": 4}]), [3, 4], [2, 5]),
    (integer(nullable=True, anyOf=[{"minimum": 5}]), [None, 5], [4]),
    (integer(**{"not": {"minimum": 3}}), [2], [3]),
]  # fmt: skip


def accepts(keywords: Keywords, value: Any) -> bool:
    """Whether a value passes, alone and as a field; the predicate and the explaining pass must agree."""
    schema, field = Schema(keywords), Schema({"type": "object", "properties": {"f": keywords}, "required": ["f"]})
    compiled, above = CompiledSchema(schema, "test"), CompiledSchema(field, "test")
    answers = {
        compiled.holds(value), above.holds({"f": value}), explain(schema, value, "").is_valid, explain(field, {"f": value}, "").is_valid,
        not compiled.validate(value), not above.validate({"f": value}),
    }  # fmt: skip
    assert len(answers) == 1, (keywords, value)
    return answers.pop()


@pytest.mark.parametrize(("keywords", "passing", "failing"), CASES, ids=[str(case[0]) for case in CASES])
def test_a_keyword_takes_its_last_value_and_refuses_the_next(keywords: Keywords, passing: list[Any], failing: list[Any]) -> None:
    assert [value for value in passing if not accepts(keywords, value)] == []
    assert [value for value in failing if accepts(keywords, value)] == []


def test_up_to_1_36_only_a_fraction_above_the_integer_is_near_enough() -> None:
    with judging(RELEASES[-2]):
        assert all(map(is_json_integer, (1.000000001, 2.000000003)))
        assert not any(map(is_json_integer, (1.000000003, 0.9999999999, -2.0000000001)))
