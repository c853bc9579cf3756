"""Trees written as text again, for explanations and for comments in generated code."""

from __future__ import annotations

import pytest

from weighbridge.policies.cel.emit.emitter import fragment
from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.nodes import Ident, Missing
from weighbridge.policies.cel.syntax.parser import parse
from weighbridge.policies.cel.syntax.source import Source
from weighbridge.policies.cel.syntax.unparse import unparse


def again(text: str, *levels: int) -> str:
    issues = Issues(Source(text))
    root = parse(Source(text), issues)
    assert not issues, issues.display()
    return unparse(root, *levels)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a + b", "(a + b)"),
        ("a - b", "(a - b)"),
        ("a * b", "(a * b)"),
        ("a / b", "(a / b)"),
        ("a % b", "(a % b)"),
        ("a == b", "(a == b)"),
        ("a != b", "(a != b)"),
        ("a < b", "(a < b)"),
        ("a <= b", "(a <= b)"),
        ("a > b", "(a > b)"),
        ("a >= b", "(a >= b)"),
        ("a && b", "(a && b)"),
        ("a || b", "(a || b)"),
        ("a in b", "(a in b)"),
        ("!a", "!a"),
        ("-a", "-a"),
        ("a ? b : c", "(a ? b : c)"),
        ("a[b]", "a[b]"),
        ("a[?b]", "a[?b]"),
        ("a.?b", "a.?b"),
        ("a.b.c", "a.b.c"),
        ("has(a.b)", "has(a.b)"),
        ("f()", "f()"),
        ("f(a, b)", "f(a, b)"),
        ("a.f(b, c)", "a.f(b, c)"),
        ("[]", "[]"),
        ("[a, 1, b.c]", "[a, 1, b.c]"),
        ("{}", "{}"),
        ("{a: b, 'c': 1.5}", '{a: b, "c": 1.5}'),
        ("A.B{c: d}", 'A.B{"c": d}'),
        ("true", "true"),
        ("false", "false"),
        ("null", "null"),
        ("'é\\n\"'", '"é\\n\\""'),
        ("b'\\xff'", "b'\\xff'"),
        ("1.0", "1.0"),
        ("-5", "-5"),
        ("a.all(x, x > 1)", "a.all(x, (x > 1))"),
        ("a.exists(x, x > 1)", "a.exists(x, (x > 1))"),
        ("a.all(i, x, b)", "a.all(i, x, b)"),
        ("a.optMap(x, x + 1)", '(a.hasValue() ? optional.of(optMap(x, (x + 1))) : optional.none())'),
    ],
)  # fmt: skip
def test_an_expression_is_written_with_all_its_parentheses(text: str, written: str) -> None:
    assert again(text) == written


@pytest.mark.parametrize(
    ("text", "levels", "written"),
    [
        ("a", 0, "…"),
        ("a", 1, "a"),
        ("a.b.c", 1, "….c"),
        ("a.b.c", 2, "….b.c"),
        ("a.b.c", 3, "a.b.c"),
        ("a + b * c", 1, "(… + …)"),
        ("a + b * c", 2, "(a + (… * …))"),
        ("[a, [b]]", 2, "[a, […]]"),
        ("{a: {b: c}}", 2, "{a: {…: …}}"),
        ("f(a).g(b)", 1, "….g(…)"),
        ("f(a).g(b)", 2, "f(…).g(b)"),
        ("a.all(x, b.c)", 1, "….all(x, …)"),
        ("a.all(x, b.c)", 2, "a.all(x, ….c)"),
        ("-a.b", 2, "-….b"),
        (".".join("abcdefghijkl"), 12, "a.b.c.d.e.f.g.h.i.j.k.l"),
    ],
)
def test_what_lies_below_the_last_level_is_left_out(text: str, levels: int, written: str) -> None:
    assert again(text, levels) == written


def test_twelve_levels_are_written_unless_told_otherwise() -> None:
    assert again(".".join("abcdefghijklm")) == "….b.c.d.e.f.g.h.i.j.k.l.m"
    assert again("[" * 11 + "a" + "]" * 11) == "[" * 11 + "a" + "]" * 11
    assert again("[" * 12 + "a" + "]" * 12) == "[" * 12 + "…" + "]" * 12


def test_what_an_error_left_is_written_as_nothing() -> None:
    assert unparse(Missing(0)) == "…"


@pytest.mark.parametrize(("length", "comment"), [(69, "a" * 69), (70, "a" * 70), (71, "a" * 69 + "…"), (200, "a" * 69 + "…")])
def test_a_comment_has_at_most_seventy_characters(length: int, comment: str) -> None:
    assert fragment(Ident(0, "a" * length)) == comment
