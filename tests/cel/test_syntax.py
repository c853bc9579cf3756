"""The grammar: how texts are parsed, and which are refused with which message."""

from __future__ import annotations

import math

import pytest

from tests.cel.vectors.verdicts import judged
from weighbridge.policies.cel.check.checked import Refused, compile_text
from weighbridge.policies.cel.check.environment import environment
from weighbridge.policies.cel.syntax.errors import Issues
from weighbridge.policies.cel.syntax.parser import parse
from weighbridge.policies.cel.syntax.source import Source
from weighbridge.policies.cel.syntax.unparse import unparse

#: The expected tokens of all literals, and all tokens with which an expression can begin.
_LITERAL = "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER"
_START = f"{{'[', '{{', '(', '.', '-', '!', {_LITERAL}}}"


def refusal(text: str) -> str:
    """The compiler's message about a text that it refuses."""
    checked = compile_text(text, environment())
    assert isinstance(checked, Refused)
    return checked.message


def read(text: str) -> str:
    """The tree of a text, written with all parentheses."""
    issues = Issues(Source(text))
    root = parse(Source(text), issues)
    assert not issues, issues.display()
    return unparse(root)


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a + b * c - d", "((a + (b * c)) - d)"),
        ("a || b && c || d", "((a || (b && c)) || d)"),
        ("a && b == c + d", "(a && (b == (c + d)))"),
        ("a < b == c", "((a < b) == c)"),
        ("a in b.c || !d.e[0]", "((a in b.c) || !d.e[0])"),
        ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
        ("a && b ? c || d : e", "((a && b) ? (c || d) : e)"),
        ("- -a - -1", "(a - -1)"),
        ("!!!a", "!a"),
        ("-a.b(c)[d].e", "-a.b(c)[d].e"),
        ("(a)", "a"),
        (".a.b", ".a.b"),
        ("a.?b[?c].d", "a.?b[?c].d"),
        ("[1, 2, 3.0,]", "[1, 2, 3.0]"),
        ("{'a': 1, b: [],}", '{"a": 1, b: []}'),
        ("a // b\n + c", "(a + c)"),
        ("f(g(a), b)", "f(g(a), b)"),
        ("has(a.b.c)", "has(a.b.c)"),
        ("a.all(x, x > 1)", "a.all(x, (x > 1))"),
    ],
)
def test_operators_bind_as_the_specification_says(text: str, tree: str) -> None:
    assert read(text) == tree


@pytest.mark.parametrize("count", [2, 3, 4, 7, 64, 1000])
def test_a_chain_of_ands_is_a_balanced_tree(count: int) -> None:
    assert deepest_brackets(read(" && ".join(["a"] * count))) == math.ceil(math.log2(count))


def deepest_brackets(tree: str) -> int:
    depth = deepest = 0
    for char in tree:
        depth += (char == "(") - (char == ")")
        deepest = max(deepest, depth)
    return deepest


@pytest.mark.parametrize(
    ("literal", "kind", "value"),
    [
        ("0x1F", "int", 31),
        ("-0x1f", "int", -31),
        ("-9223372036854775808", "int", -(1 << 63)),
        ("18446744073709551615u", "uint", (1 << 64) - 1),
        ("0xFFu", "uint", 255),
        ("1.5e3", "double", 1500.0),
        (".5", "double", 0.5),
        (r"'it\'s'", "string", "it's"),
        (r'"\x41\u00e9\U0001F600\101"', "string", "Aé😀A"),
        (r"r'\d+'", "string", r"\d+"),
        ("'''a\n'b'\n'''", "string", "a\n'b'\n"),
        ('R"""\\"""', "string", "\\"),
        (r"'\a\b\f\n\r\t\v\`\?'", "string", "\a\b\f\n\r\t\v`?"),
        (r"b'\xff\377é'", "bytes", "///DqQ=="),
        ("null", "null", True),
    ],
)
def test_literals_have_the_value_they_spell(literal: str, kind: str, value: object) -> None:
    assert judged(literal, {}, {}).differences({"value": {kind: value}}) == set()


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        ("1 +", ["1:4: mismatched input '<EOF>' expecting START"]),
        ("(1", ["1:3: missing ')' at '<EOF>'"]),
        ("1)", ["1:2: extraneous input ')' expecting <EOF>"]),
        ("((1", ["1:4: mismatched input '<EOF>' expecting ')'"]),
        ("(1 2)", ["1:4: extraneous input '2' expecting ')'"]),
        ("[1,", ["1:4: missing ']' at '<EOF>'"]),
        ("[1 2]", ["1:4: extraneous input '2' expecting {']', ','}"]),
        ("[a b, c", ["1:4: extraneous input 'b' expecting {']', ','}", "1:7: mismatched input 'c' expecting ']'"]),
        ("{1:}", ["1:4: mismatched input '}' expecting START"]),
        ("{1", ["1:3: mismatched input '<EOF>' expecting ':'"]),
        ("{1 2}", ["1:4: missing ':' at '2'"]),
        ("{1:2 3", ["1:6: mismatched input '3' expecting {'}', ','}"]),
        ("{1:2,,}", ["1:6: extraneous input ',' expecting '}'"]),
        ("M{", ["1:3: mismatched input '<EOF>' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}"]),
        ("M{a 1}", ["1:5: missing ':' at '1'"]),
        ("f(", ["1:3: mismatched input '<EOF>' expecting {'[', '{', '(', ')', '.', '-', '!', LITERAL}"]),
        ("f(,)", ["1:3: extraneous input ',' expecting {'[', '{', '(', ')', '.', '-', '!', LITERAL}"]),
        ("a[", ["1:3: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', '?', LITERAL}"]),
        ("[?", ["1:3: mismatched input '<EOF>' expecting START"]),
        ("a.", ["1:3: no viable alternative at input '.'"]),
        ("a..b", ["1:3: no viable alternative at input '..'"]),
        ("a.?1", ["1:4: mismatched input '1' expecting {IDENTIFIER, ESC_IDENTIFIER}", "1:4: unsupported ident kind"]),
        ("a.true", ["1:3: mismatched input 'true' expecting IDENTIFIER"]),
        ("!", ["1:2: extraneous input '<EOF>' expecting START"]),
        ("-)", ["1:2: no viable alternative at input '-)'", "1:2: mismatched input ')' expecting START"]),
        (
            "- *",
            [
                "1:3: no viable alternative at input '- *'",
                "1:3: mismatched input '*' expecting START",
                "1:4: mismatched input '<EOF>' expecting START",
            ],
        ),
        ("..", ["1:2: no viable alternative at input '..'"]),
        ("a ? b", ["1:6: mismatched input '<EOF>' expecting ':'"]),
        ("a ? b c", ["1:7: missing ':' at 'c'"]),
        ("a ? (b : c", ["1:8: missing ')' at ':'"]),
        ("a b", ["1:3: extraneous input 'b' expecting <EOF>"]),
        ("'abc", ["1:1: token recognition error at: ''abc'", "1:5: mismatched input '<EOF>' expecting START"]),
        ('"a\nb"', ["1:1: token recognition error at: '\"a\n'", "2:2: token recognition error at: '\"'"]),
        (
            "'\\q'",
            [
                "1:1: token recognition error at: ''\\q'",
                "1:4: token recognition error at: '''",
                "1:5: mismatched input '<EOF>' expecting START",
            ],
        ),
        ("'\\u12'", ["1:1: token recognition error at: ''\\u12''", "1:7: mismatched input '<EOF>' expecting START"]),
        ("'\\400'", ["1:1: token recognition error at: ''\\4'", "1:6: token recognition error at: '''"]),
        ("a = b", ["1:3: token recognition error at: '= '", "1:5: extraneous input 'b' expecting <EOF>"]),
        ("a & b", ["1:3: token recognition error at: '& '", "1:5: extraneous input 'b' expecting <EOF>"]),
        ("a $ b", ["1:3: token recognition error at: '$'", "1:5: extraneous input 'b' expecting <EOF>"]),
        ("a.`b-c`", ["1:3: unsupported syntax: '`'"]),
        ("", ["1:0: mismatched input '<EOF>' expecting START"]),
        ("  ", ["1:3: mismatched input '<EOF>' expecting START"]),
        ("// only", ["1:8: mismatched input '<EOF>' expecting START"]),
        ("9223372036854775808", ["1:1: invalid int literal"]),
        ("-9223372036854775809", ["1:1: invalid int literal"]),
        ("18446744073709551616u", ["1:1: invalid uint literal"]),
        ("0x", ["1:2: extraneous input 'x' expecting <EOF>"]),
        ("1e", ["1:2: extraneous input 'e' expecting <EOF>"]),
        ("for", ["1:1: reserved identifier: for"]),
        ("a.in", ["1:3: no viable alternative at input '.in'", "1:5: mismatched input '<EOF>' expecting START"]),
        ("in", ["1:1: mismatched input 'in' expecting START", "1:3: mismatched input '<EOF>' expecting START"]),
        ("has(a)", ["1:5: invalid argument to has() macro"]),
        ("[1].all(1, true)", ["1:9: argument must be a simple name"]),
        ("[1].all(a.b, true)", ["1:10: argument must be a simple name"]),
        ("[1].transformList(i, i, i)", ["1:22: duplicate variable name: i"]),
        ("'é' +", ["1:6: mismatched input '<EOF>' expecting START"]),
        ("a\n+\nb +", ["3:4: mismatched input '<EOF>' expecting START"]),
        ("1 ; 2", ["1:3: token recognition error at: ';'", "1:5: extraneous input '2' expecting <EOF>"]),
        ("x{a: 1,", ["1:8: missing '}' at '<EOF>'"]),
        ("(1]", ["1:3: mismatched input ']' expecting ')'"]),
        ("f(a, )", ["1:6: mismatched input ')' expecting START"]),
        ("'\\ud800'", ["1:1: invalid unicode code point"]),
        ("b'\\u0041'", ["1:1: unable to unescape string"]),
    ],
)
def test_what_is_wrong_is_said_in_the_servers_words(text: str, errors: list[str]) -> None:
    assert short(refusal(text)) == [error.replace("START", _START).replace("LITERAL", _LITERAL) for error in errors]


def short(message: str) -> list[str]:
    """The places and texts of a message, without the source lines and without the words that all syntax errors share."""
    parts = message.split("ERROR: <input>:")[1:]
    return [part.split("\n | ")[0].rstrip("\n").replace("Syntax error: ", "") for part in parts]


def test_every_error_shows_its_line_and_its_place() -> None:
    # A wide character has a wide dot under it.
    assert refusal("a +\n'é日' + * 2").splitlines()[1:] == [" | 'é日' + * 2", " | .\uff0e\uff0e....^"]


def test_an_expression_has_a_longest_length() -> None:
    assert refusal(f"'{'a' * 100_000}'") == "ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100002, limit 100000"


def test_only_a_hundred_errors_are_shown() -> None:
    message = refusal("[" + ", ".join(["a"] * 120) + "]")
    assert message.count("ERROR: ") == 100
    assert message.endswith("\n20 more errors were truncated")


def test_at_most_256_words_that_fit_nothing_are_passed_over() -> None:
    told = "error recovery token lookahead limit exceeded: 256"
    assert told not in refusal("f(1 " + "} " * 256)
    assert told in refusal("f(1 " + "} " * 257)


@pytest.mark.parametrize(("text", "at", "wanted"), [("A{b: 1 c: 2}", "c", "'}', ','"), ("{'b': 1 'c': 2}", "'c'", "'}', ','")])
def test_entries_are_parted_by_commas(text: str, at: str, wanted: str) -> None:
    assert f"Syntax error: mismatched input '{at}' expecting {{{wanted}}}" in refusal(text)
