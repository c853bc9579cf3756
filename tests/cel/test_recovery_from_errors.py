"""Texts with several mistakes, or with a mistake in an unusual place: the messages of the server's parser."""

from __future__ import annotations

import base64

import pytest

from tests.cel.test_syntax import _LITERAL, _START, refusal, short
from tests.cel.vectors.verdicts import judged
from weighbridge.policies.cel.check.checked import Refused, compile_text
from weighbridge.policies.cel.check.environment import environment


@pytest.mark.parametrize(
    ("text", "errors"),
    [
        (
            "[1].all(&&, true)",
            [
                "1:9: mismatched input '&&' expecting {'[', '{', '(', ')', '.', '-', '!', LITERAL}",
                "1:11: extraneous input ',' expecting START",
                "1:17: extraneous input ')' expecting <EOF>",
            ],
        ),
        ("[1].all(, true)", ["1:9: extraneous input ',' expecting {'[', '{', '(', ')', '.', '-', '!', LITERAL}"]),
        ("has(*)", ["1:5: extraneous input '*' expecting {'[', '{', '(', ')', '.', '-', '!', LITERAL}"]),
        (
            "[1].map(%, 1)",
            [
                "1:9: mismatched input '%' expecting {'[', '{', '(', ')', '.', '-', '!', LITERAL}",
                "1:10: extraneous input ',' expecting START",
                "1:13: extraneous input ')' expecting <EOF>",
            ],
        ),
        ("[1].all(x, y) +", ["1:16: mismatched input '<EOF>' expecting START"]),
        ("has(a.)", ["1:5: invalid argument to has() macro", "1:7: no viable alternative at input '.)'"]),
        (
            "[1].all(x.y(, true)",
            ["1:13: extraneous input ',' expecting {'[', '{', '(', ')', '.', '-', '!', LITERAL}", "1:20: missing ')' at '<EOF>'"],
        ),
        ("a.b(c", ["1:6: missing ')' at '<EOF>'"]),
        ("a.f(1,)", ["1:7: mismatched input ')' expecting START"]),
        ("[1].all(x, ", ["1:12: mismatched input '<EOF>' expecting START"]),
        ("f(a)(b)", ["1:5: mismatched input '(' expecting <EOF>"]),
        ("a.?`b`", ["1:4: unsupported syntax: '`'"]),
        ("A{`b`: 1}", ["1:3: unsupported syntax: '`'"]),
        ("A{1: 2}", ["1:3: mismatched input '1' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}"]),
        ("{`a`: 1}", ["1:2: mismatched input '`a`' expecting {'[', '{', '}', '(', '.', ',', '-', '!', '?', LITERAL}"]),
        ("a.`b`(1)", ["1:3: unsupported syntax: '`'", "1:6: mismatched input '(' expecting <EOF>"]),
        ("{?a}", ["1:4: mismatched input '}' expecting ':'"]),
        ("[a?b]", ["1:5: mismatched input ']' expecting ':'"]),
        ("a.'b'", ["1:3: no viable alternative at input '.'b''"]),
        ("{1: 2, 3}", ["1:9: mismatched input '}' expecting ':'"]),
        ("{1: 2, : 3}", ["1:8: mismatched input ':' expecting '}'"]),
        ("A{a: 1, b}", ["1:10: mismatched input '}' expecting ':'"]),
        ("A{a}", ["1:4: mismatched input '}' expecting ':'"]),
        ("a ? b : ", ["1:9: mismatched input '<EOF>' expecting START"]),
        ("a ? : c", ["1:5: extraneous input ':' expecting START", "1:8: mismatched input '<EOF>' expecting ':'"]),
        ("a || || b", ["1:6: extraneous input '||' expecting START"]),
        ("a && ", ["1:6: mismatched input '<EOF>' expecting START"]),
        ("&& a", ["1:1: extraneous input '&&' expecting START"]),
        ("a == == b", ["1:6: extraneous input '==' expecting START"]),
        ("a[", ["1:3: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', '?', LITERAL}"]),
        ("a[]", ["1:3: mismatched input ']' expecting {'[', '{', '(', '.', '-', '!', '?', LITERAL}"]),
        ("a[1 2]", ["1:5: extraneous input '2' expecting ']'"]),
        ("()", ["1:2: mismatched input ')' expecting START"]),
        ("(a b)", ["1:4: extraneous input 'b' expecting ')'"]),
        ("!-a", ["1:3: no viable alternative at input '-a'"]),
        ("-!a", ["1:2: no viable alternative at input '-!'"]),
        ("--", ["1:3: no viable alternative at input '-'", "1:3: mismatched input '<EOF>' expecting START"]),
        ("!!", ["1:3: extraneous input '<EOF>' expecting START"]),
        ("a..b", ["1:3: no viable alternative at input '..'"]),
        ("a.b.", ["1:5: no viable alternative at input '.'"]),
        ("1..a", ["1:3: no viable alternative at input '..'"]),
        ("'a' 'b'", ["1:5: extraneous input ''b'' expecting <EOF>"]),
        ("a b c d", ["1:3: mismatched input 'b' expecting <EOF>"]),
        ("[1, 2 3]", ["1:7: extraneous input '3' expecting {']', ','}"]),
        ("f(1, 2 3)", ["1:8: extraneous input '3' expecting ')'"]),
        ("f(1 2 3)", ["1:5: mismatched input '2' expecting ')'"]),
        ("f(g(1 2), 3 4)", ["1:7: extraneous input '2' expecting ')'", "1:13: extraneous input '4' expecting ')'"]),
        ("[1 2][3 4]", ["1:4: extraneous input '2' expecting {']', ','}", "1:9: extraneous input '4' expecting ']'"]),
        ("{1: 2, 3: 4 5}", ["1:13: extraneous input '5' expecting {'}', ','}"]),
        ("A{a: 1, b: 2 c}", ["1:14: extraneous input 'c' expecting {'}', ','}"]),
        ("a && b && c d", ["1:13: extraneous input 'd' expecting <EOF>"]),
        ("a || b || c d", ["1:13: extraneous input 'd' expecting <EOF>"]),
        ("a + b + c d", ["1:11: extraneous input 'd' expecting <EOF>"]),
        ("a < b < c d", ["1:11: extraneous input 'd' expecting <EOF>"]),
        ("a.b[1].c d", ["1:10: extraneous input 'd' expecting <EOF>"]),
        ("!!a b", ["1:5: extraneous input 'b' expecting <EOF>"]),
        ("--a b", ["1:5: extraneous input 'b' expecting <EOF>"]),
        ("(1 2) + (3 4)", ["1:4: extraneous input '2' expecting ')'", "1:12: extraneous input '4' expecting ')'"]),
        ("{1 2: 3}", ["1:4: extraneous input '2' expecting ':'"]),
        ("a ? b c : d", ["1:7: extraneous input 'c' expecting ':'"]),
        # Expressions after each other don't nest.
        ("[" + "-a + b.c * d[e].f(g) || h && i, " * 300 + "1 2]", ["1:9604: extraneous input '2' expecting {']', ','}"]),
    ],
)
def test_reading_goes_on_after_an_error(text: str, errors: list[str]) -> None:
    assert short(refusal(text)) == [error.replace("START", _START).replace("LITERAL", _LITERAL) for error in errors]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("a.?b", "1:2: unsupported syntax '.?'"),
        ("a[?b]", "1:2: unsupported syntax '[?'"),
        ("[?a]", "1:2: unsupported syntax '?'"),
        ("[a, ?b]", "1:5: unsupported syntax '?'"),
        ("{?a: b}", "1:2: unsupported syntax '?'"),
        ("A{?a: b}", "1:3: unsupported syntax '?'"),
    ],
)
def test_a_server_without_optionals_has_no_syntax_for_them(text: str, error: str) -> None:
    found = compile_text(text, environment((1, 27)))
    assert isinstance(found, Refused)
    assert short(found.message) == [error]


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        (r"""b'\\\a\b\f\n\r\t\v\?\`\"\''""", b"\\\a\b\f\n\r\t\v?`\"'"),
        (r"b'\x00\xFF\Xaf\000\377'", b"\x00\xff\xaf\x00\xff"),
        (r"br'\n'", b"\\n"),
        ("b'é日'", "é日".encode()),
        ("b'é\\n日'", "é\n日".encode()),
        ('b"""a\'\r\nb\rc"""', b"a'\nb\nc"),
        ("B''", b""),
        ('b""""""', b""),
    ],
)
def test_bytes_have_the_value_they_spell(literal: str, value: bytes) -> None:
    assert judged(literal, {}, {}).differences({"value": {"bytes": base64.b64encode(value).decode()}}) == set()


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        (r"'\x7f\u00e9\U0010FFFF'", "\x7fé\U0010ffff"),
        (r"'\000\377'", "\x00ÿ"),
        (r"'\ud7ff\ue000'", "\ud7ff\ue000"),
        (r"R'\n'", "\\n"),
        (r'r"""a\"""', "a\\"),
        ("'''a\r\nb\rc'''", "a\nb\nc"),
        ("''", ""),
        ("''''''", ""),
        (r"'\''", "'"),
        (r"'''\''''", "'"),
    ],
)
def test_texts_have_the_value_they_spell(literal: str, value: str) -> None:
    assert judged(literal, {}, {}).differences({"value": {"string": value}}) == set()


@pytest.mark.parametrize("literal", [r"'\ud800'", r"'\udfff'", r"'\U0000D800'", r"'\U00110000'", r"'\UFFFFFFFF'"])
def test_what_is_no_code_point_is_refused(literal: str) -> None:
    assert short(refusal(literal)) == ["1:1: invalid unicode code point"]


def test_bytes_take_no_escapes_of_code_points() -> None:
    assert short(refusal(r"b'a\n\u00e9'")) == ["1:1: unable to unescape string"]
