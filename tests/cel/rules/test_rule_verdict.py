"""A single rule, judged as the server judges it when a CRD with it is written."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.cel.check.environment import environment
from weighbridge.policies.cel.rules.evaluation import CompiledRules
from weighbridge.policies.cel.rules.rule_nodes import leads_to_rules
from weighbridge.policies.cel.rules.rule_verdict import MAX_COST, RuleVerdict, field_path_error, judge_rule, stored_rules, times
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.schema.node import Schema, ValidationRule

STRING = {"type": "string", "maxLength": 10}
NODE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "a": STRING,
        "b-c": {"type": "object", "properties": {"d": STRING}},
        "m": {"type": "object", "additionalProperties": STRING},
    },
}


def verdict(rule: str, **more: Any) -> RuleVerdict:
    return judge_rule(ValidationRule(rule, **more), DeclaredType(Schema(NODE)))


def test_a_rule_without_fault_has_costs_and_nothing_else() -> None:
    assert verdict("self.a != 'x'") == RuleVerdict(max_cost=3, max_cardinality=1048576)


@pytest.mark.parametrize(
    ("rule", "error"),
    [
        ("self.a", "cel expression must evaluate to a bool"),
        ("self.z", "compilation failed: ERROR: <input>:1:5: undefined field 'z'\n | self.z\n | ....^"),
        ("int('x') == 1", "program instantiation failed: type conversion error from 'string' to 'int'"),
        ("duration == duration", "program instantiation failed: reference to undefined type: duration"),
        ("[int].exists(t, t == int)", "program instantiation failed: reference to undefined type: t"),
        ("  ", ""),
    ],
)
def test_a_rule_that_is_none_says_why(rule: str, error: str) -> None:
    assert verdict(rule, message_expression="'m'", field_path=".a") == RuleVerdict(error=error)


def test_a_message_that_is_none_says_why_and_takes_the_place_away() -> None:
    found = verdict("true", message_expression="self.m", field_path=".a")
    assert (found.message_error, found.has_message, found.field_path) == ("messageExpression must evaluate to a string", False, "")
    sound = verdict("true", message_expression="self.a", field_path=".a")
    assert (sound.message_error, sound.has_message, sound.field_path, sound.message_max_cost) == ("", True, "a", 2)


def test_a_transition_rule_is_known_by_the_variable_it_names() -> None:
    assert verdict("self.a == oldSelf.a").uses_old_self
    assert not verdict("['oldSelf'].all(x, x == 'oldSelf')").uses_old_self
    assert not verdict("true", message_expression="oldSelf.a").uses_old_self


def test_a_rule_that_stood_there_before_may_use_more() -> None:
    rule = ValidationRule("[[1]].flatten() == [1]", message_expression="'%d'.format([1])")
    declared = DeclaredType(Schema(NODE))
    old = judge_rule(rule, declared, rule_environment=environment((1, 28)), message_environment=environment((1, 28)))
    assert "undeclared reference to 'flatten'" in old.error
    kept = judge_rule(rule, declared, rule_environment=stored_rules(), message_environment=environment((1, 28)))
    assert (kept.error, "undeclared reference to 'format'" in kept.message_error) == ("", True)


@pytest.mark.parametrize("path", [".a", "['a']", ".b-c.d", "['b-c'].d", ".m.x", ".m['x y']", ".m['it\\'s']", ""])
def test_a_field_path_leads_to_a_field(path: str) -> None:
    assert field_path_error(path, Schema(NODE)) == ""


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("a", "expected [ or . but got: a"),
        (".z", "does not refer to a valid field"),
        (".a.b", "does not refer to a valid field"),
        (".", "unexpected end of JSON path"),
        ("[", "unexpected end of JSON path"),
        ("[a]", "expected single quoted string but got a"),
        ("['a'", "unexpected end of JSON path"),
        ("['a'.", "expected ] but got ."),
        ("['a", "expected single quoted string but got 'a"),
        ("['\\q']", "invalid string literal: invalid escape char \\q"),
    ],
)
def test_a_field_path_that_leads_nowhere_says_why(path: str, error: str) -> None:
    assert field_path_error(path, Schema(NODE)) == error


def test_a_selectable_field_has_no_brackets() -> None:
    assert field_path_error("['a']", Schema(NODE), brackets=False) == "array notation is not allowed"
    assert field_path_error(".a", Schema(NODE), brackets=False) == ""


def test_a_field_of_anything_is_a_field() -> None:
    assert field_path_error(".x", Schema({"type": "object", "additionalProperties": True})) == ""


def test_costs_stay_at_their_largest() -> None:
    assert times(1 << 40, 1 << 40) == MAX_COST
    assert times(3, 4) == 12


def test_rules_are_found_wherever_they_stand() -> None:
    rules = {"x-kubernetes-validations": [{"rule": "true"}]}
    assert not CompiledRules(Schema(NODE), "none").has_rules
    for schema in (rules, {"items": rules}, {"additionalProperties": rules}, {"properties": {"a": {"items": rules}}}):
        assert CompiledRules(Schema(schema), "some").has_rules
    branch = Schema({"properties": {"a": {"allOf": [rules]}}})
    assert leads_to_rules(branch)
    assert not leads_to_rules(branch, branches=False)
    assert not leads_to_rules(Schema({"items": {"anyOf": [rules]}, "additionalProperties": True}))
