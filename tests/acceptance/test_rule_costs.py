"""If the rules of a schema cost too much together, the error names the most expensive ones and the factor."""

from __future__ import annotations

import pytest

from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.rule_types import StoredExpressions
from weighbridge.policies.apiserver.acceptance.schema_rules import SCHEMA_LIMIT, RuleContext, TotalCost
from weighbridge.policies.apiserver.acceptance.schema_wordings import too_expensive
from weighbridge.policies.ground.objects import JSONObject

CONTRIBUTED = "Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"
TOTAL = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of "
ADVICE = " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"
ROOT = FieldPath("schema")


def told(*costs: int) -> list[str]:
    """The errors of a schema whose expressions have these costs, each named after its position."""
    total = TotalCost()
    for position, cost in enumerate(costs):
        total.add(cost, ROOT[position])
    return list(map(str, total.errors(ROOT)))


def test_up_to_a_hundred_million_nothing_is_said() -> None:
    assert told() == []
    assert told(SCHEMA_LIMIT) == []
    assert told(SCHEMA_LIMIT - 1, 1) == []


def test_beyond_that_the_dearest_four_are_named_dearest_first() -> None:
    million = 1_000_000
    assert told(2 * million, SCHEMA_LIMIT, 5 * million, 4 * million, 3 * million) == [
        *(f"schema[{position}]: {CONTRIBUTED}" for position in (1, 2, 3, 4)),
        f"schema: Forbidden: {TOTAL}1.140000x{ADVICE}",
    ]


def test_an_expression_counts_as_dear_from_a_hundredth_of_the_limit_on() -> None:
    many = [999_999] * 101
    assert told(*many) == [f"schema: Forbidden: {TOTAL}1.009999x{ADVICE}"]
    assert told(1_000_000, *many) == [f"schema[0]: {CONTRIBUTED}", f"schema: Forbidden: {TOTAL}1.019999x{ADVICE}"]


def test_of_equally_dear_expressions_the_first_are_named() -> None:
    named = [text.partition(":")[0] for text in told(*[SCHEMA_LIMIT] * 6)]
    assert named == ["schema[0]", "schema[1]", "schema[2]", "schema[3]", "schema"]


@pytest.mark.parametrize(
    ("cost", "factor"),
    [
        (101, "1.010000x"),
        (149, "1.490000x"),
        (150, "1.5x"),
        (151, "1.5x"),
        (1234, "12.3x"),
        (10_000, "100.0x"),
        (10_001, "more than 100x"),
    ],
)
def test_the_factor_is_exact_where_it_is_small(cost: int, factor: str) -> None:
    assert too_expensive("what it is", cost, 100) == f"what it is exceeds budget by factor of {factor}{ADVICE}"


def context(schema: JSONObject, *steps: str) -> RuleContext:
    """The context of a node that is reached by properties, ``/items`` or ``/additionalProperties``."""
    found = RuleContext(schema, StoredExpressions(frozenset(), frozenset()))
    for step in steps:
        schema = schema[step[1:]] if step.startswith("/") else schema["properties"][step]
        found = found.child(schema, step)
    return found


LIMITED = {"type": "array", "maxItems": 3, "items": {"type": "object", "maxProperties": 5, "additionalProperties": {"type": "string"}}}


@pytest.mark.parametrize(
    ("schema", "steps", "count"),
    [
        ({"type": "object", "properties": {"a": {"type": "string"}}}, ("a",), 1),
        (LIMITED, (), 1),
        (LIMITED, ("/items",), 3),
        (LIMITED, ("/items", "/additionalProperties"), 15),
        ({"type": "array", "items": LIMITED}, ("/items",), None),
        ({"type": "array", "items": LIMITED}, ("/items", "/items"), None),
        ({"type": "object", "additionalProperties": LIMITED}, ("/additionalProperties",), None),
        ({"type": "object", "maxProperties": 0, "additionalProperties": LIMITED}, ("/additionalProperties", "/items"), 0),
        ({"type": "array", "maxItems": -1, "items": {}}, ("/items",), 0),
        ({"items": {}}, ("/items",), 1),
    ],
)
def test_a_child_is_there_as_often_as_the_bounds_above_it_allow(schema: JSONObject, steps: tuple[str, ...], count: int | None) -> None:
    assert context(schema, *steps).count == count


def test_all_nodes_of_a_schema_share_one_total() -> None:
    root = RuleContext({"type": "object"}, StoredExpressions(frozenset(), frozenset()))
    child = root.child({"type": "string"}, "a")
    assert child.total is root.total


@pytest.mark.parametrize(("schema", "steps", "in_scope"), [
    ({"properties": {"a": {}}}, (), False),
    ({"properties": {"a": {"x-kubernetes-validations": [{}]}}}, (), False),
    ({"properties": {"a": {"x-kubernetes-validations": [{}]}}}, ("a",), True),
    ({"x-kubernetes-validations": [{}], "properties": {"a": {"items": {}}}}, ("a", "/items"), True),
    ({"x-kubernetes-validations": [], "properties": {"a": {}}}, ("a",), False),
])  # fmt: skip
def test_a_node_is_in_reach_of_the_rules_on_it_and_above_it(schema: JSONObject, steps: tuple[str, ...], in_scope: bool) -> None:
    found = context(schema, *steps)
    assert found.in_scope is in_scope
    assert (found.types() is not None) is in_scope
