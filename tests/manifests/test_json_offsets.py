"""Broken JSON: the message and the offset of the wrong byte that Go's encoding/json 1.26 gives."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONValue
from weighbridge.webhook.texts.json_syntax import JSONSyntaxError, NumberOverflowError, go_number, read_json_text, read_json_value


@pytest.mark.parametrize(
    ("text", "message", "offset"),
    [
        (b"[1 x]", "invalid character 'x' after array element", 4),
        (b"[1,x]", "invalid character 'x' looking for beginning of value", 4),
        (b'{"a" 1}', "invalid character '1' after object key", 6),
        (b'{"a":1 "b":2}', "invalid character '\"' after object key:value pair", 8),
        (b'{"a":1 , 2}', "invalid character '2' looking for beginning of object key string", 10),
        (b'{"a":1,}', "invalid character '}' looking for beginning of object key string", 8),
        (b'{"a"}', "invalid character '}' after object key", 5),
        (b"{ a", "invalid character 'a' looking for beginning of object key string", 3),
        (b"[-]", "invalid character ']' in numeric literal", 3),
        (b"[-a]", "invalid character 'a' in numeric literal", 3),
        (b"[1.]", "invalid character ']' after decimal point in numeric literal", 4),
        (b"[1.e5]", "invalid character 'e' after decimal point in numeric literal", 4),
        (b"[-12.x]", "invalid character 'x' after decimal point in numeric literal", 6),
        (b"[1e]", "invalid character ']' in exponent of numeric literal", 4),
        (b"[1E+]", "invalid character ']' in exponent of numeric literal", 5),
        (b"[1e-]", "invalid character ']' in exponent of numeric literal", 5),
        (b"[1e-x]", "invalid character 'x' in exponent of numeric literal", 5),
        (b"[1.5e]", "invalid character ']' in exponent of numeric literal", 6),
        (b"[1.5E-]", "invalid character ']' in exponent of numeric literal", 7),
        (b"[1.5.5]", "invalid character '.' after array element", 5),
        (b"[1e5.5]", "invalid character '.' after array element", 5),
        (b"[1e5e5]", "invalid character 'e' after array element", 5),
        (b"[01]", "invalid character '1' after array element", 3),
        (b"[-01]", "invalid character '1' after array element", 4),
        (b"[1x]", "invalid character 'x' after array element", 3),
        (b"[nulx]", "invalid character 'x' in literal null (expecting 'l')", 5),
        (b"[nxll]", "invalid character 'x' in literal null (expecting 'u')", 3),
        (b"[trux]", "invalid character 'x' in literal true (expecting 'e')", 5),
        (b"[falsy]", "invalid character 'y' in literal false (expecting 'e')", 6),
        (b"[falsE]", "invalid character 'E' in literal false (expecting 'e')", 6),
        (b"[faLse]", "invalid character 'L' in literal false (expecting 'l')", 4),
        (b"truex", "invalid character 'x' after top-level value", 5),
        (b'"a\x01"', "invalid character '\\x01' in string literal", 3),
        (b'"ab\n"', "invalid character '\\n' in string literal", 4),
        (b'["ab\\x"]', "invalid character 'x' in string escape code", 6),
        (b'["\\u12g4"]', "invalid character 'g' in \\u hexadecimal character escape", 7),
        (b'["\\ug234"]', "invalid character 'g' in \\u hexadecimal character escape", 5),
        (b'["\\u123g"]', "invalid character 'g' in \\u hexadecimal character escape", 8),
        (b'["\\u123"]', "invalid character '\"' in \\u hexadecimal character escape", 8),
        (b'["\\\\\\q"]', "invalid character 'q' in string escape code", 6),
        (b'["a\\nb\x1f"]', "invalid character '\\x1f' in string literal", 7),
        (b'["a\\u0041\\z"]', "invalid character 'z' in string escape code", 11),
        (b'["\\u00e9\x02"]', "invalid character '\\x02' in string literal", 9),
        (b"1 2", "invalid character '2' after top-level value", 3),
        (b"1\t\tx", "invalid character 'x' after top-level value", 4),
        (b"[]]", "invalid character ']' after top-level value", 3),
        (b"@", "invalid character '@' looking for beginning of value", 1),
        (b"['", "invalid character '\\'' looking for beginning of value", 2),
    ],
)
def test_the_wrong_byte_is_told_with_its_offset(text: bytes, message: str, offset: int) -> None:
    with pytest.raises(JSONSyntaxError) as raised:
        read_json_text(text)
    assert (str(raised.value), raised.value.offset, raised.value.is_cut) == (message, offset, False)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "unexpected end of JSON input"),
        (b" \n", "unexpected end of JSON input"),
        (b"{", "unexpected end of JSON input"),
        (b"[1", "unexpected end of JSON input"),
        (b"[1,", "unexpected end of JSON input"),
        (b"[-", "invalid character ' ' in numeric literal"),
        (b"[1.", "invalid character ' ' after decimal point in numeric literal"),
        (b"[1e+", "invalid character ' ' in exponent of numeric literal"),
        (b"[12", "unexpected end of JSON input"),
        (b"nul", "invalid character ' ' in literal null (expecting 'l')"),
        (b"[t", "invalid character ' ' in literal true (expecting 'r')"),
        (b'"a', "unexpected end of JSON input"),
        (b'["ab\\', "invalid character ' ' in string escape code"),
        (b'["\\u123', "invalid character ' ' in \\u hexadecimal character escape"),
    ],
)
def test_a_text_that_ends_too_early_is_wrong_at_its_end(text: bytes, message: str) -> None:
    with pytest.raises(JSONSyntaxError) as raised:
        read_json_text(text)
    assert (str(raised.value), raised.value.offset, raised.value.is_cut) == (message, len(text), True)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("9223372036854775807", 9223372036854775807),
        ("9223372036854775808", 9223372036854775808.0),
        ("-9223372036854775808", -9223372036854775808),
        ("-9223372036854775809", -9223372036854775808.0),
        ("-0", 0),
        ("1.0", 1.0),
        ("1e2", 100.0),
        ("1" * 31, 1111111111111111111111111111111.0),
        ("1" * 32, 11111111111111111111111111111111.0),
        ("1e308", 1e308),
        ("-1e-400", -0.0),
    ],
)
def test_a_number_is_an_integer_as_far_as_64_bits_go(text: str, number: float) -> None:
    assert (go_number(text), type(go_number(text))) == (number, type(number))


@pytest.mark.parametrize("text", ["1e309", "-1e309", "1" * 310])
def test_a_number_beyond_a_float_keeps_its_text(text: str) -> None:
    with pytest.raises(NumberOverflowError) as raised:
        go_number(text)
    assert (str(raised.value), raised.value.text) == (f"json: cannot unmarshal number {text} into Go value of type float64", text)


def test_of_several_numbers_beyond_a_float_the_first_is_told_of() -> None:
    with pytest.raises(NumberOverflowError, match="cannot unmarshal number 1e400 into"):
        read_json_text(b"[1e400, 2e400]")


@pytest.mark.parametrize(
    ("text", "start", "value", "end"),
    [
        (b"  true ,", 0, True, 6),
        (b"false", 0, False, 5),
        (b"\t\r\n null", 0, None, 8),
        (b'x"a" ', 1, "a", 4),
        (b"12,", 0, 12, 2),
        (b"-1.5e+3]", 0, -1500.0, 7),
        (b"[ ] ]", 0, [], 3),
        (b"{ } }", 0, {}, 3),
        (b'[1 , [2] ,"c"],', 0, [1, [2], "c"], 14),
        (b'{"a" : 1 , "b" : {"c":[]}}}', 0, {"a": 1, "b": {"c": []}}, 26),
    ],
)
def test_a_value_ends_behind_its_last_byte(text: bytes, start: int, value: JSONValue, end: int) -> None:
    found = read_json_value(text, start)
    assert (found.value, found.end, found.has_duplicates) == (value, end, False)
