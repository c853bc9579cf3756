"""Numbers at the ends of their types, and the limits of a text's length, depth and complexity."""

from __future__ import annotations

import pytest

from weighbridge.policies.cel.check.checked import Checked, Refused, compile_text
from weighbridge.policies.cel.check.environment import environment
from weighbridge.policies.cel.syntax.nodes import Literal
from weighbridge.policies.cel.values.values import Uint


def compiled(text: str) -> Checked | Refused:
    return compile_text(text, environment())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("9223372036854775807", (1 << 63) - 1),
        ("-9223372036854775808", -(1 << 63)),
        ("0x7fffffffffffffff", (1 << 63) - 1),
        ("-0x8000000000000000", -(1 << 63)),
        ("18446744073709551615u", Uint((1 << 64) - 1)),
        ("0xffffffffffffffffu", Uint((1 << 64) - 1)),
        ("0u", Uint(0)),
        ("-0", 0),
        ("007", 7),
        ("0x0010", 16),
        # Leading zeros don't matter, however many there are.
        ("0" * 200 + "7", 7),
        ("-0x" + "0" * 200 + "1f", -31),
        ("0" * 5000 + "7u", Uint(7)),
        ("0" * 200, 0),
        ("1.7976931348623157e308", 1.7976931348623157e308),
        ("-1.7976931348623157e308", -1.7976931348623157e308),
        ("1e-400", 0.0),
    ],
)
def test_a_number_that_fits_its_type_is_read(text: str, value: object) -> None:
    found = compiled(text)
    assert isinstance(found, Checked), found
    assert isinstance(found.root, Literal)
    assert (found.root.value, type(found.root.value)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("9223372036854775808", "int"),
        ("-9223372036854775809", "int"),
        ("0x8000000000000000", "int"),
        ("-0x8000000000000001", "int"),
        ("9" * 99, "int"),
        ("9" * 100, "int"),
        ("-" + "9" * 5000, "int"),
        ("0x" + "f" * 5000, "int"),
        ("18446744073709551616u", "uint"),
        ("18446744073709551617u", "uint"),
        ("0x10000000000000000u", "uint"),
        ("9" * 100 + "u", "uint"),
        ("1e309", "double"),
        ("-1e309", "double"),
    ],
)
def test_a_number_beyond_its_type_is_none(text: str, kind: str) -> None:
    found = compiled(text)
    assert isinstance(found, Refused)
    assert found.message.startswith(f"ERROR: <input>:1:1: invalid {kind} literal\n | ")
    assert found.message.count("ERROR") == 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a =", "1:3: Syntax error: token recognition error at: '='"),
        ("a =b", "1:3: Syntax error: token recognition error at: '=b'"),
        ("a &b", "1:3: Syntax error: token recognition error at: '&b'"),
        ("a |", "1:3: Syntax error: token recognition error at: '|'"),
        ("a `b", "1:3: Syntax error: token recognition error at: '`b'"),
        ("a `b\nc", "1:3: Syntax error: token recognition error at: '`b\n'"),
        ("a '\\x4g'", "1:3: Syntax error: token recognition error at: ''\\x4g'"),
        ("a '\\U0010ffg'", "1:3: Syntax error: token recognition error at: ''\\U0010ffg'"),
        ("a '\\08'", "1:3: Syntax error: token recognition error at: ''\\08'"),
        ("a #", "1:3: Syntax error: token recognition error at: '#'"),
    ],
)
def test_what_begins_no_token_is_shown_up_to_where_it_stops_to_fit(text: str, shown: str) -> None:
    found = compiled(text)
    assert isinstance(found, Refused)
    assert found.message.startswith(f"ERROR: <input>:{shown}\n | ")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[1", "1:3: Syntax error: mismatched input '<EOF>' expecting {']', ','}"),
        ("{1: 2", "1:6: Syntax error: mismatched input '<EOF>' expecting {'}', ','}"),
        ("A{a: 1", "1:7: Syntax error: mismatched input '<EOF>' expecting {'}', ','}"),
        ("[", "1:2: Syntax error: mismatched input '<EOF>' expecting {'[', ']', '{', '(', '.', ',', '-', '!', '?', 'true', "),
        ("a.b.c{", "1:7: Syntax error: mismatched input '<EOF>' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}"),
        (".a.b{", "1:6: Syntax error: mismatched input '<EOF>' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}"),
        ("a.b(", "1:5: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', ')', '.', '-', '!', 'true', "),
        ("a.b.c.", "1:7: Syntax error: no viable alternative at input '.'"),
        ("a +\t* b", "1:5: Syntax error: extraneous input '*' expecting {'[', '{', '(', '.', '-', '!', 'true', "),
        ("a\n.\nb\n.\n", "5:1: Syntax error: no viable alternative at input '.\\n'"),
        ("for(1)", "1:1: reserved identifier: for\n"),
        (".if(1, 2)", "1:1: reserved identifier: if\n"),
        ("1 + while", "1:5: reserved identifier: while\n"),
        ("- \t\r*", "1:5: Syntax error: no viable alternative at input '- \\t\\r*'"),
    ],
)
def test_what_is_missing_is_missed_where_it_should_stand(text: str, shown: str) -> None:
    found = compiled(text)
    assert isinstance(found, Refused)
    assert found.message.startswith(f"ERROR: <input>:{shown}")


@pytest.mark.parametrize(("length", "is_read"), [(100_000, True), (100_001, False)])
def test_an_expression_has_at_most_100000_code_points(length: int, is_read: bool) -> None:
    found = compiled(f"'{'é' * (length - 2)}'")
    if is_read:
        assert isinstance(found, Checked)
    else:
        assert isinstance(found, Refused)
        assert found.message == "ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit 100000"


def test_optional_macros_that_copy_their_target_again_and_again_end() -> None:
    # Each one doubles the tree: after twelve of them a copy would have more than 20000 nodes.
    start = "optional.of(1)"
    assert isinstance(compiled(start + ".optMap(x, x)" * 5), Checked)
    found = compiled(start + ".optMap(x, x)" * 16)
    assert isinstance(found, Refused)
    assert "expression recursion limit exceeded: 250" in found.message
