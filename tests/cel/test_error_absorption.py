"""Errors that another operand or element makes irrelevant: ``&&``, ``||``, ``all`` and ``exists`` absorb, everything else doesn't."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cel.expression import Expression, compile_expression
from tests.cel.vectors.verdicts import judged
from weighbridge.policies.cel.values.types import INT

_ERROR = "1 / (zero) > 0"
_VALUES: dict[str, Any] = {
    "zero": {"int": 0},
    "yes": {"bool": True},
    "no": {"bool": False},
    "list": {"list": [{"int": 0}, {"int": 1}, {"int": 2}]},
    "map": {"map": [[{"string": "a"}, {"int": 0}], [{"string": "b"}, {"int": 1}]]},
}
_TYPES = {"zero": "int", "yes": "bool", "no": "bool", "list": "list(int)", "map": "map(string, int)"}
_DIVISION = "division by zero"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (f"{_ERROR} || yes", True),
        (f"yes || {_ERROR}", True),
        (f"{_ERROR} && no", False),
        (f"no && {_ERROR}", False),
        (f"({_ERROR} || yes) && ({_ERROR} || yes)", True),
        (f"{_ERROR} || {_ERROR} || yes", True),
        (f"{_ERROR} && {_ERROR} && no", False),
        ("list.exists(x, 2 / x == 2)", True),
        ("list.all(x, 2 / x == 2)", False),
        ("list.exists(x, 2 / x == 2) && list.exists(x, 2 / x == 1)", True),
        ("map.exists(k, 2 / map[k] == 2)", True),
        ("map.exists(k, v, 2 / v == 2)", True),
        ("map.all(k, v, 2 / v == 3)", False),
        (f"yes ? yes : {_ERROR}", True),
        (f"no ? {_ERROR} : no", False),
        ("dyn('a') || yes", True),
    ],
)
def test_an_error_beside_a_decision_is_absorbed(expression: str, value: bool) -> None:
    verdict = judged(expression, _TYPES, _VALUES)
    assert "error" not in verdict.said
    assert verdict.value is value


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        (f"{_ERROR} || no", _DIVISION),
        (f"no || {_ERROR}", _DIVISION),
        (f"{_ERROR} && yes", _DIVISION),
        (f"yes && {_ERROR}", _DIVISION),
        (f"!({_ERROR}) || no", _DIVISION),
        (f"({_ERROR}) == ({_ERROR}) || no", _DIVISION),
        ("list.exists(x, 2 / x == 9)", _DIVISION),
        ("list.all(x, 2 / x > 0)", _DIVISION),
        ("list.exists_one(x, 2 / x == 2)", _DIVISION),
        ("list.filter(x, 2 / x == 2) == [1]", _DIVISION),
        ("list.map(x, 2 / x) == [1]", _DIVISION),
        (f"{_ERROR} ? yes : yes", _DIVISION),
        ("(list[5] == 1) || no", "index out of bounds: 5"),
        ("map['c'] == 1 || no", "no such key: c"),
        ("dyn('a') || no", "no such overload"),
    ],
)
def test_an_error_that_decides_is_the_outcome(expression: str, error: str) -> None:
    assert judged(expression, _TYPES, _VALUES).said.get("error") == error


@pytest.mark.parametrize(
    ("expression", "cost"),
    [("yes || yes", 1), ("no || yes", 2), ("no && yes", 1), ("yes && no && yes", 2), ("yes ? no : yes", 1)],
)
def test_what_is_not_evaluated_costs_nothing(expression: str, cost: int) -> None:
    assert judged(expression, _TYPES, _VALUES).said["cost"] == cost


@pytest.mark.parametrize(
    ("expression", "value", "cost"),
    [("x in []", False, 0), ("[x in []]", [False], 0), ("!(x in [])", True, 1), ("1 in [1]", True, 0)],
)
def test_what_is_asked_to_be_in_an_empty_list_is_never_read(expression: str, value: Any, cost: int) -> None:
    compiled = compile_expression(expression, {"x": INT})
    assert isinstance(compiled, Expression)
    outcome = compiled.run({})
    assert (outcome.value, outcome.cost) == (value, cost)
