"""Names that also mean something in Python, nesting deeper than Python allows, and when a rule is compiled at all."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cel.expression import Expression, compile_expression
from weighbridge.policies.cel.check.checked import Refused
from weighbridge.policies.cel.rules import compiled_rule
from weighbridge.policies.cel.rules.evaluation import CompiledRules
from weighbridge.policies.cel.values.types import DYN, INT, STRING, Type, list_of
from weighbridge.policies.schema.node import Schema

#: Names that CEL allows and Python or the emitters use.
NAMES = [
    "cost", "limit", "value", "v1", "x1", "x2", "k1", "t1", "e1", "acc1", "r1", "s1", "p1", "rest1", "direct", "tracked", "attempt", "step",
    "CelError", "RetryError", "END", "None", "True", "def", "raise", "lambda", "print", "exec", "class", "__class__", "__builtins__",
    "__import__", "_", "unknown", "part1", "__dict__", "lambda", "walk",
]  # fmt: skip


def an_expression(text: str, **variables: Type) -> Expression:
    found = compile_expression(text, variables)
    assert isinstance(found, Expression), found
    return found


def both_forms(expression: Expression, **values: Any) -> tuple[Any, int, str]:
    """Value, cost and error; both forms must agree if the direct one decides."""
    tracked = expression.program.tracked(expression.arguments(values))
    assert expression.program.direct(expression.arguments(values)) in (None, tracked)
    return tracked.value, tracked.cost, tracked.error


@pytest.mark.parametrize("name", NAMES)
def test_variables_may_be_named_like_anything_in_python(name: str) -> None:
    assert both_forms(an_expression(f"{name} + 1", **{name: INT}), **{name: 2}) == (3, 2, "")
    assert both_forms(an_expression(f"l.exists({name}, {name} == 4)", l=list_of(INT)), l=[4])[0] is True
    own = an_expression(f"{name}.filter({name}, {name} > 1).size()", **{name: list_of(INT)})
    assert both_forms(own, **{name: [1, 2, 3]})[0] == 2


NESTED = {
    "parentheses": ("(", "1", ")"),
    "lists": ("[", "", "]"),
    "maps": ("{'a': ", "1", "}"),
    "negations": ("!", "true", ""),
    "minuses": ("-", "x", ""),
    "sums": ("1 + (", "1", ")"),
    "calls": ("size(", "'a'", ")"),
    "macros": ("[1].all(e, ", "true", ")"),
    "conditionals": ("true ? ", "1", " : 2"),
    "indexes": ("x[", "0", "]"),
    "selects": ("", "x", ".f"),
    "ands": ("true && (", "true", ")"),
    "optionals": ("optional.of(", "1", ")"),
}


@pytest.mark.parametrize("levels", [20, 99, 250, 600, 5001])
@pytest.mark.parametrize("kind", NESTED)
def test_deep_nesting_runs_or_is_refused(kind: str, levels: int) -> None:
    before, middle, after = NESTED[kind]
    expression = compile_expression(before * levels + middle + after * levels, {"x": DYN})
    if isinstance(expression, Expression):
        # A row of signs counts as one sign or none.
        assert levels < 5000 or kind in ("negations", "minuses")
        both_forms(expression, x=1)
    else:
        assert expression.message.startswith(("ERROR: <input>:", "program instantiation failed: "))


@pytest.mark.parametrize("text", ["1" + " + 1" * 200, "true" + " && true" * 3000, "[" + "1, " * 5000 + "1].size()", "x" + ".f" * 100])
def test_long_expressions_run(text: str) -> None:
    both_forms(an_expression(text, x=DYN), x=1)


#: Reads that are free as the branch of a conditional, and others, by the cost of one.
LEAVES = {"y": 0, "l[0]": 1, "l[y]": 1, "y + 1": 2, "dyn(l)[y]": 3, "-y": 2, "(y > 0 ? l : l)[0]": 3, "size(l)": 2}


@pytest.mark.parametrize("levels", [1, 5, 20, 21, 22, 23, 24, 25, 40, 70])
@pytest.mark.parametrize("leaf", LEAVES)
def test_every_level_of_nesting_costs_the_same(leaf: str, levels: int) -> None:
    text = "(y > 0 ? " * levels + leaf + " : 7)" * levels
    expression = an_expression(text, y=INT, l=list_of(INT))
    _, cost, error = both_forms(expression, y=1, l=[1, 1])
    assert (cost, error) == (2 * levels + LEAVES[leaf], "")


def test_every_statement_stands_alone_and_says_where_it_comes_from() -> None:
    source = an_expression("x.size() > 2 && x.startsWith('ab')", x=STRING).program.source()
    assert ";" not in source
    assert '# x.startsWith("ab")' in source


def test_rules_compile_when_they_are_first_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    real = compiled_rule.CompiledRule._compile

    def noting(self: compiled_rule.CompiledRule, text: str, *rest: Any) -> Any:
        compiled.append(text)
        return real(self, text, *rest)

    monkeypatch.setattr(compiled_rule.CompiledRule, "_compile", noting)
    node = {"type": "string", "x-kubernetes-validations": [{"rule": "self != 'b'", "messageExpression": "'not ' + self"}]}
    rules = CompiledRules(Schema({"type": "object", "properties": {"a": node}}), "lazy")
    rules.validate({}, has_old=False)
    assert compiled == []
    rules.validate({"a": "a"}, has_old=False)
    rules.validate({"a": "a"}, has_old=False)
    assert compiled == ["self != 'b'"]
    rules.validate({"a": "b"}, has_old=False)
    assert compiled == ["self != 'b'", "'not ' + self"]


def test_a_refused_expression_says_why() -> None:
    refused = compile_expression("x +", {"x": INT})
    assert isinstance(refused, Refused)
    assert refused.message.startswith("ERROR: <input>:1:4: Syntax error: mismatched input '<EOF>'")
    unready = compile_expression("int('a')", {})
    assert isinstance(unready, Refused)
    assert unready.message == "program instantiation failed: type conversion error from 'string' to 'int'"
