"""Explanations of a schema's rules: which are shown for a field, how often they run, and their types and costs."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.cel.rules.evaluation import CompiledRules
from weighbridge.policies.cel.rules.explanation import explain
from weighbridge.policies.cel.rules.rule_verdict import MAX_COST
from weighbridge.policies.schema.node import Schema


def _ruled(node: dict[str, Any], *rules: str) -> dict[str, Any]:
    return {**node, "x-kubernetes-validations": [{"rule": rule} for rule in rules]}


TEXT: dict[str, Any] = {"type": "string", "maxLength": 10}
NODE = _ruled(
    {
        "type": "object",
        "properties": {
            "name": _ruled(TEXT, "self != 'abc'", "self == 'abc'"),
            "names": _ruled(
                {
                    "type": "array",
                    "maxItems": 5,
                    "items": _ruled(
                        {
                            "type": "object",
                            "properties": {
                                "tags": _ruled(
                                    {"type": "object", "maxProperties": 3, "additionalProperties": _ruled(TEXT, "true")}, "size(self) > 0"
                                )
                            },
                        },
                        "has(self.tags)",
                    ),
                },
                "self.size() > 1",
            ),
            "more": {"type": "array", "items": _ruled({"type": "array", "maxItems": 4, "items": _ruled(TEXT, "true")}, "true")},
            "none": _ruled({"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {}}, "true"),
            "any": _ruled({"x-kubernetes-preserve-unknown-fields": True}, "true"),
            "count": _ruled({"type": "integer"}, "self > oldSelf"),
        },
    },
    "self.name == ''",
)
SHOWN = [
    # The path, the rule, how often it runs on one object, the highest cost of one run, the type of self.
    ("", 0, 1, 2, "object with name, names, more, none, any, count, kind, apiVersion, metadata"),
    ("name", 0, 1, 2, "string"),
    ("name", 1, 1, 2, "string"),
    ("names", 0, 1, 3, "list of object with tags"),
    ("names[]", 0, 5, 1, "object with tags"),
    ("names[].tags", 0, 5, 3, "map of string"),
    ("names[].tags[*]", 0, 15, 0, "string"),
    ("more[]", 0, 1048576, 0, "list of string"),
    ("more[][]", 0, 1048576, 0, "string"),
    ("none", 0, 1, 0, "object with no fields"),
    ("any", 0, 0, 0, ""),
    ("count", 0, 1, 3, "int"),
]


def test_rules_are_shown_with_how_often_they_run_and_their_costs() -> None:
    found = list(explain(Schema(NODE)))
    assert [(each.field, each.index, each.evaluations, each.verdict.max_cost, each.self_type) for each in found] == SHOWN
    assert all(each.max_cost == each.evaluations * each.verdict.max_cost for each in found)
    assert [each.field for each in found if each.verdict.uses_old_self] == ["count"]


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ("name", ["name", "name"]),
        ("names", ["names", "names[]", "names[].tags", "names[].tags[*]"]),
        ("names[]", ["names[]", "names[].tags", "names[].tags[*]"]),
        ("names[].tags", ["names[].tags", "names[].tags[*]"]),
        ("names[].tags[*]", ["names[].tags[*]"]),
        ("more[]", ["more[]", "more[][]"]),
        ("more[][]", ["more[][]"]),
        ("nam", []),
        ("names[*]", []),
        ("count.x", []),
    ],
)
def test_a_field_stands_for_itself_and_what_is_below(field: str, shown: list[str]) -> None:
    assert [each.field for each in explain(Schema(NODE), field)] == shown


def test_an_explanation_is_data() -> None:
    rule = {"rule": "self.size() > 1", "message": "too short", "messageExpression": "'size ' + string(self.size())"}
    (found,) = explain(Schema({"type": "array", "maxItems": 5, "items": TEXT, "x-kubernetes-validations": [rule]}))
    data = found.as_json()
    source = data.pop("python")
    assert data == {
        "field": "",
        "index": 0,
        "rule": "self.size() > 1",
        "message": "too short",
        "messageExpression": "'size ' + string(self.size())",
        "error": "",
        "messageError": "",
        "type": "bool",
        "selfType": "list of string",
        "usesOldSelf": False,
        "costPerEvaluation": 3,
        "evaluations": 1,
        "estimatedCost": 3,
    }
    assert [line for line in source.splitlines() if line.startswith("def ")] == [
        "def direct(limit, x1, x2):",
        "def tracked(limit, x1, x2):",
    ] * 2


def test_what_rules_can_not_read_is_said_so() -> None:
    error = "failed to convert to declType for CEL validation rules"
    (found,) = explain(Schema(NODE), "any")
    assert (found.verdict.error, found.type, found.source) == (error, "", "")
    rules = CompiledRules(Schema({"type": "array", "items": NODE["properties"]["any"]}), "test", root=False)
    (refused,) = rules.evaluate([1], has_old=False).errors
    assert str(refused) == f'[0]: Invalid value: "": rule compiler initialization error: {error}'
    assert "def walk(visit, value, old, trail):" in rules.source()
    assert "def direct(" not in rules.source()


def test_a_cost_stays_at_the_largest_number() -> None:
    unbounded: dict[str, Any] = {"type": "array", "items": {"type": "array", "items": _ruled({"type": "string"}, "self.matches(self)")}}
    (found,) = explain(Schema(unbounded))
    assert found.max_cost == min(found.verdict.max_cost * found.evaluations, MAX_COST)


def test_a_rule_on_what_is_not_declared_is_not_asked() -> None:
    branch = {"properties": {"x": _ruled({}, "false"), "name": {"maxLength": 1}}}
    schema = Schema(_ruled({"type": "object", "properties": {"name": TEXT, "other": TEXT}, "allOf": [branch]}, "true"))
    assert CompiledRules(schema, "test", root=False).evaluate({"x": "a", "name": "b", "other": "c"}, has_old=False).errors == []
