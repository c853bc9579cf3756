"""The budget of rules on an object, the message if it is exceeded, and the message, reason and place of a failed rule."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.cel.rules.evaluation import CompiledRules, Limits, RulesResult
from weighbridge.policies.schema.node import Schema

ALL = "self.l.all(x, x == 'a')"
_OVER = "validation failed due to running out of cost budget, no further validation rules will be run"
_MESSAGE_OVER = "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run"
_CANCELLED = "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit"
_NO_OVERLOAD = "'no such overload': call arguments did not match a supported operator, function or macro signature for rule: wrong"
_MESSAGE_CANCELLED = "no further validation rules will be run due to call cost exceeds limit for messageExpression"
#: Two elements that are equal to 'a' cost 13, as do two of which the last isn't equal.
GOOD, BAD = {"l": ["a", "a"]}, {"l": ["a", "b"]}


def rules(*validations: dict[str, Any], inner: dict[str, Any] | None = None) -> CompiledRules:
    fields: dict[str, Any] = {
        "l": {"type": "array", "items": {"type": "string"}},
        "s": {"type": "string", **(inner or {})},
        "n": {"type": "integer"},
    }
    return CompiledRules(
        Schema({"type": "object", "properties": fields, "x-kubernetes-validations": list(validations)}), "test", root=False
    )


def said(result: RulesResult) -> tuple[list[str], int]:
    return [str(error) for error in result.errors], result.remaining_budget


@pytest.mark.parametrize("is_typed", [True, False])
@pytest.mark.parametrize(
    ("obj", "budget", "per_call", "errors", "remaining"),
    [
        (GOOD, 1000, 1000, [], 987),
        (GOOD, 13, 1000, [], 0),
        (GOOD, 1000, 13, [], 987),
        (GOOD, 13, 13, [], 0),
        (GOOD, 12, 1000, [f"<nil>: Invalid value: \"object\": {_OVER}"], -1),
        (GOOD, 12, 12, [f"<nil>: Invalid value: \"object\": {_OVER}"], -1),
        (GOOD, 1000, 12, [f"<nil>: Invalid value: \"object\": {_CANCELLED} for rule: {ALL}"], -1),
        (GOOD, 0, 1000, [f"<nil>: Invalid value: \"object\": {_OVER}"], -1),
        # A fold checks the limit in each round.
        ({"l": ["a"] * 100}, 50, 50, [f"<nil>: Invalid value: \"object\": {_OVER}"], -1),
        ({"l": ["a"] * 100}, 1000, 50, [f"<nil>: Invalid value: \"object\": {_CANCELLED} for rule: {ALL}"], -1),
        (BAD, 13, 13, [f"<nil>: Invalid value: failed rule: {ALL}"], 0),
        (BAD, 14, 1000, [f"<nil>: Invalid value: failed rule: {ALL}"], 1),
        (BAD, 12, 1000, [f"<nil>: Invalid value: \"object\": {_OVER}"], -1),
    ],
)  # fmt: skip
def test_a_rule_may_spend_all_that_is_left_and_no_more(
    obj: Any, budget: int, per_call: int, errors: list[str], remaining: int, is_typed: bool
) -> None:
    result = rules({"rule": ALL}).evaluate(obj, has_old=False, limits=Limits(budget, per_call), is_typed=is_typed)
    assert said(result) == (errors, remaining)


@pytest.mark.parametrize("is_typed", [True, False])
def test_with_nothing_left_the_rules_of_the_same_node_go_on_and_those_below_stop(is_typed: bool) -> None:
    two = rules({"rule": ALL}, {"rule": "true"}, inner={"x-kubernetes-validations": [{"rule": "true"}]})
    limits = Limits(13, 1000)
    assert said(two.evaluate(GOOD, has_old=False, limits=limits, is_typed=is_typed)) == ([], 0)
    stopped = two.evaluate({**GOOD, "s": "x"}, has_old=False, limits=limits, is_typed=is_typed)
    assert said(stopped) == ([f's: Invalid value: "string": {_OVER}'], -1)
    going = two.evaluate({**GOOD, "s": "x"}, has_old=False, limits=Limits(14, 1000), is_typed=is_typed)
    assert said(going) == ([], 1)


@pytest.mark.parametrize(
    ("budget", "per_call", "error", "remaining"),
    [
        # The rule costs 2, its message 3.
        (5, 1000, "<nil>: Invalid value: not x", 0),
        (1000, 3, "<nil>: Invalid value: not x", 995),
        (4, 1000, f'<nil>: Invalid value: "object": {_MESSAGE_OVER}', -1),
        (1000, 2, f'<nil>: Invalid value: "object": {_MESSAGE_CANCELLED}: "\'not \' + self.s"', -1),
    ],
)
def test_a_message_is_paid_for_from_the_same_budget(budget: int, per_call: int, error: str, remaining: int) -> None:
    failing = rules({"rule": "self.s == ''", "messageExpression": "'not ' + self.s"})
    assert said(failing.evaluate({"s": "x"}, has_old=False, limits=Limits(budget, per_call))) == ([error], remaining)


@pytest.mark.parametrize(
    ("validation", "text", "detail"),
    [
        ({}, "x", "failed rule: self.s == ''"),
        ({"message": " plain\t"}, "x", "plain"),
        ({"message": "plain", "messageExpression": "self.s"}, " other ", "other"),
        ({"message": "plain", "messageExpression": "self.s"}, "  ", "plain"),
        ({"message": "plain", "messageExpression": "self.s"}, "two\nlines", "plain"),
        ({"message": "plain", "messageExpression": "self.s + ''"}, "\n one \n", "one"),
        ({"messageExpression": "self.s"}, "a\nb", "failed rule: self.s == ''"),
        ({"message": "plain", "messageExpression": "self.s"}, "a" * 5120, "a" * 5120),
        ({"message": "plain", "messageExpression": "self.s"}, "a" * 5121, "plain"),
        ({"message": "plain", "messageExpression": "self.s"}, "é" * 2560, "é" * 2560),
        ({"message": "plain", "messageExpression": "self.s"}, "é" * 2560 + "a", "plain"),
        ({"message": "plain", "messageExpression": "self.l[0]"}, "x", "plain"),
        ({"message": "plain", "messageExpression": "self.z"}, "x", "plain"),
    ],
)
def test_a_message_is_the_expressions_where_that_says_something_in_a_line(validation: dict[str, Any], text: str, detail: str) -> None:
    (error,) = rules({"rule": " self.s == '' ", **validation}).evaluate({"s": text}, has_old=False).errors
    assert (error.detail, error.field) == (detail, "")


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        ("", "s: Invalid value: wrong"),
        ("FieldValueInvalid", "s: Invalid value: wrong"),
        ("FieldValueForbidden", "s: Forbidden: wrong"),
        ("FieldValueRequired", "s: Required value: wrong"),
        ("FieldValueDuplicate", "s: Duplicate value"),
    ],
)
def test_a_rule_names_its_reason_and_its_field(reason: str, shown: str) -> None:
    validation = {"rule": "false", "message": "wrong", "fieldPath": ".s", "reason": reason}
    (error,) = rules(validation).evaluate({}, has_old=False).errors
    assert str(error) == shown
    (below,) = rules(validation).evaluate({}, has_old=False, path="spec.list[0]").errors
    assert str(below) == f"spec.list[0].{shown}"


@pytest.mark.parametrize(
    ("rule", "obj", "detail"),
    [
        ("self.n > 0", {}, "no such key: n evaluating rule: wrong"),
        ("self.n / 0 == 1", {"n": 1}, "division by zero evaluating rule: wrong"),
        ("dyn(self.n) + 'a' == 'b'", {"n": 1}, _NO_OVERLOAD),
    ],
)  # fmt: skip
def test_a_rule_that_fails_says_how(rule: str, obj: Any, detail: str) -> None:
    (error,) = rules({"rule": rule, "message": " wrong "}).evaluate(obj, has_old=False).errors
    assert str(error) == f'<nil>: Invalid value: "object": {detail}'


@pytest.mark.parametrize(
    ("rule", "obj", "old", "errors", "warnings"),
    [
        ({"rule": "self.s == ''"}, {"s": "x"}, {"s": "x"}, 0, 1),
        ({"rule": "self.s == ''"}, {"s": "x"}, {"s": "y"}, 1, 0),
        ({"rule": "self.s == oldSelf.s && false"}, {"s": "x"}, {"s": "x"}, 1, 0),
        ({"rule": "self.s == oldSelf.s"}, {"s": "x"}, None, 0, 0),
        ({"rule": "oldSelf.hasValue()", "optionalOldSelf": True}, {"s": "x"}, None, 1, 0),
        ({"rule": "oldSelf.hasValue()", "optionalOldSelf": True}, {"s": "x"}, {"s": "x"}, 0, 0),
        ({"rule": "self.s == oldSelf.orValue(self).s", "optionalOldSelf": True}, {"s": "x"}, {"s": "y"}, 1, 0),
    ],
)
def test_what_has_not_changed_is_a_warning_unless_the_rule_compares(
    rule: dict[str, Any], obj: Any, old: Any, errors: int, warnings: int
) -> None:
    for is_typed in (True, False):
        result = rules(rule).evaluate(obj, old, has_old=old is not None, is_typed=is_typed)
        assert (len(result.errors), len(result.warnings)) == (errors, warnings)


def test_nothing_is_asked_of_nothing() -> None:
    assert said(rules({"rule": "false"}).evaluate(None, has_old=False, limits=Limits(7, 7))) == ([], 7)
    assert said(rules().validate({"s": "x"}, has_old=False, budget=7)) == ([], 7)


def test_rules_stand_on_nodes_of_every_kind_and_errors_name_the_place() -> None:
    text: dict[str, Any] = {"type": "string"}
    entry = {
        "type": "object",
        "required": ["k"],
        "properties": {"k": text, "v": {"type": "integer", "x-kubernetes-validations": [{"rule": "self >= oldSelf"}]}},
    }
    fields = {
        "l": {"type": "array", "items": text, "x-kubernetes-validations": [{"rule": "false", "message": "wrong"}]},
        "m": {"type": "object", "additionalProperties": {**text, "x-kubernetes-validations": [{"rule": "self != 'x'", "message": "x"}]}},
        "n": {"type": "integer", "x-kubernetes-validations": [{"rule": "self > 1", "message": "too few"}]},
        "e": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": entry},
    }
    obj = {"l": ["a"], "m": {"a": "x", "b": "y"}, "n": 1, "e": [{"k": "b", "v": 1}, {"k": "a", "v": 1}]}
    old = {"e": [{"k": "a", "v": 1}, {"k": "b", "v": 2}]}
    result = CompiledRules(Schema({"type": "object", "properties": fields}), "test", root=False).evaluate(obj, old, has_old=True)
    assert [str(error) for error in result.errors] == [
        "l: Invalid value: wrong",
        'm[a]: Invalid value: "x": x',
        "n: Invalid value: 1: too few",
        "e[0].v: Invalid value: 1: failed rule: self >= oldSelf",
    ]
