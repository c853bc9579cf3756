"""cel-python gives the same value for constructs that both know: integers, strings, lists and logic."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import celpy
import pytest
from celpy import celtypes
from celpy.adapter import json_to_cel
from celpy.evaluation import CELEvalError
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cel.vectors.verdicts import judged

_TYPES = {"a": "int", "b": "int", "s": "string", "t": "string", "l": "list(int)", "p": "bool", "q": "bool"}
_SMALL = st.integers(-20, 20)
_EDGES = st.sampled_from([-(1 << 63), -(1 << 63) + 1, -1, 0, 1, (1 << 63) - 2, (1 << 63) - 1])
_TEXTS = st.text("ab cé", max_size=6)
#: All errors are equal here, since each implementation has different messages.
_ERROR = object()


@pytest.fixture(scope="module", autouse=True)
def _recursion_limit() -> Iterator[None]:
    """Restores the limit, which cel-python raises when it is first used: hypothesis needs it constant, and other tests need the old one."""
    limit = sys.getrecursionlimit()
    celpy.Environment()
    yield
    sys.setrecursionlimit(limit)


def _theirs(expression: str, values: dict[str, Any]) -> Any:
    environment = celpy.Environment()
    program = environment.program(environment.compile(expression))
    try:
        result = program.evaluate({name: json_to_cel(value) for name, value in values.items()})
    except CELEvalError:
        return _ERROR
    return _plain(result)


def _plain(value: Any) -> Any:
    if isinstance(value, celtypes.BoolType):
        return bool(value)
    if isinstance(value, list):
        return [_plain(element) for element in value]
    return str(value) if isinstance(value, str) else int(value)


def _tagged(value: Any) -> dict[str, Any]:
    if isinstance(value, list):
        return {"list": [_tagged(element) for element in value]}
    return {{bool: "bool", int: "int", str: "string"}[type(value)]: value}


def _ours(expression: str, values: dict[str, Any]) -> Any:
    types = {name: _TYPES[name] for name in values}
    verdict = judged(expression, types, {name: _tagged(value) for name, value in values.items()})
    assert "compileError" not in verdict.said, verdict.said
    return _ERROR if "error" in verdict.said else verdict.value


@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "%", "<", "<=", "==", "!=", ">", ">="])
@settings(max_examples=25)
@given(a=_SMALL | _EDGES, b=_SMALL | _EDGES)
def test_integers_agree(operator: str, a: int, b: int) -> None:
    if (operator, a, b) == ("%", -(1 << 63), -1):
        return  # an overflow in cel-go, as its division is; cel-python computes it
    values = {"a": a, "b": b}
    assert _ours(f"a {operator} b", values) == _theirs(f"a {operator} b", values)


@pytest.mark.parametrize(
    "expression",
    ["s + t", "s < t", "s == t", "size(s)", "s.contains(t)", "s.startsWith(t)", "s.endsWith(t)", "s in ['a', 'b', t]", "size(s + t) > 3"],
)
@settings(max_examples=25)
@given(s=_TEXTS, t=_TEXTS)
def test_strings_agree(expression: str, s: str, t: str) -> None:
    values = {"s": s, "t": t}
    assert _ours(expression, values) == _theirs(expression, values)


@pytest.mark.parametrize(
    "expression",
    [
        "size(l)",
        "a in l",
        "l + [a]",
        "l == [1, 2]",
        "l[a]",
        "l.all(x, x > a)",
        "l.exists(x, x == a)",
        "l.exists_one(x, x == a)",
        "l.map(x, x * 2)",
        "l.filter(x, x > a)",
        "l.filter(x, x > a).map(x, x + a)",
    ],
)
@settings(max_examples=25)
@given(numbers=st.lists(st.integers(-3, 3), max_size=5), a=st.integers(-3, 3))
def test_lists_agree(expression: str, numbers: list[int], a: int) -> None:
    if expression == "l[a]" and a < 0:
        return  # cel-python counts from the end, against the specification
    values = {"l": numbers} | ({"a": a} if "a" in expression.replace("all", "").replace("map", "") else {})
    assert _ours(expression, values) == _theirs(expression, values)


@pytest.mark.parametrize(
    "expression",
    [
        "p && q",
        "p || q",
        "!p",
        "p ? q : !q",
        "p && a / b == 1",
        "a / b == 1 && p",
        "p || a / b == 1",
        "a / b == 1 || p",
        "(p || q) && !(p && q)",
    ],
)
@pytest.mark.parametrize("q", [True, False])
@pytest.mark.parametrize("p", [True, False])
@pytest.mark.parametrize("b", [0, 2])
def test_logic_agrees(expression: str, p: bool, q: bool, b: int) -> None:
    values = {"p": p, "q": q, "a": 2, "b": b}
    assert _ours(expression, values) == _theirs(expression, values)
