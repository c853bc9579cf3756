"""JSON that the fast reader and writer can't handle: depth, broken text, long numbers, and Go's messages for them."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONValue
from weighbridge.webhook.texts.json_syntax import JSONSyntaxError, read_json_text, read_json_value
from weighbridge.webhook.texts.json_text import JSONTextError, dumps, loads, loads_as_server


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b'{"a": 18446744073709551616, "b": 9223372036854775808, "c": -0, "d": 1.0}', {"a": 2.0**64, "b": 2.0**63, "c": 0, "d": 1.0}),
        (b'"\\ud800x\\ud83d\\ude00"', "\ufffdx😀"),
        (b'"a\xffb\xe2\x82c\xed\xa0\x80"', "a\ufffdb\ufffd\ufffdc\ufffd\ufffd\ufffd"),
        (b'{"\\ud800": 1, "\\ud801": 2}', {"\ufffd": 2}),
        (b' [1e-400, "\\u00e9\\n"] ', [0.0, "é\n"]),
    ],
)
def test_odd_text_is_read_as_the_server_reads_it(text: bytes, expected: JSONValue) -> None:
    for read in (loads_as_server, read_json_text):
        found = read(text)
        assert (found, repr(found)) == (expected, repr(expected))


@pytest.mark.parametrize("text", [b'{"a": "\\ud800"}', b'{"a": "\xff"}'])
def test_what_no_server_sends_is_no_json_to_whoever_hears_from_servers_alone(text: bytes) -> None:
    with pytest.raises(JSONTextError):
        loads(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "unexpected end of JSON input"),
        (b" ", "unexpected end of JSON input"),
        (b"{", "unexpected end of JSON input"),
        (b'{"a"', "unexpected end of JSON input"),
        (b'{"a":12', "unexpected end of JSON input"),
        (b'{"a":"x', "unexpected end of JSON input"),
        (b'{"a":"x\\', "invalid character ' ' in string escape code"),
        (b'{"a":-1.5e', "invalid character ' ' in exponent of numeric literal"),
        (b"nul", "invalid character ' ' in literal null (expecting 'l')"),
        (b"\xef\xbb\xbf{}", "invalid character 'ï' looking for beginning of value"),
        (b"'x'", r"invalid character '\'' looking for beginning of value"),
        (b"{a:1}", "invalid character 'a' looking for beginning of object key string"),
        (b'{"a":1,}', "invalid character '}' looking for beginning of object key string"),
        (b'{"a" 1}', "invalid character '1' after object key"),
        (b'{"a":01}', "invalid character '1' after object key:value pair"),
        (b'{"a":[1,2}', "invalid character '}' after array element"),
        (b'{"a":-}', "invalid character '}' in numeric literal"),
        (b'{"a":1.}', "invalid character '}' after decimal point in numeric literal"),
        (b'{"a":1e+}', "invalid character '}' in exponent of numeric literal"),
        (b'{"a":"\n"}', r"invalid character '\n' in string literal"),
        (b'{"a":"\\u12g4"}', r"invalid character 'g' in \u hexadecimal character escape"),
        (b'{"a":nan}', "invalid character 'a' in literal null (expecting 'u')"),
        (b"{} {}", "invalid character '{' after top-level value"),
        (b'{"a":1}\x00', r"invalid character '\x00' after top-level value"),
        (b'{"a":\xff}', "invalid character 'ÿ' looking for beginning of value"),
        (b'{"a":1e400}', "json: cannot unmarshal number 1e400 into Go value of type float64"),
        (b'[1e400, nul]', "invalid character ']' in literal null (expecting 'l')"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_gos_words(text: bytes, message: str) -> None:
    with pytest.raises(JSONTextError) as raised:
        loads(text)
    assert str(raised.value) == message


@pytest.mark.parametrize("levels", [300, 1_100, 10_000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")], ids=["lists", "maps"])
def test_what_nests_as_deeply_as_go_reads_is_read_and_written(levels: int, opening: bytes, closing: bytes) -> None:
    text = opening * levels + b"1" + closing * levels
    assert dumps(loads(text)) == text


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_one_level_more_is_gos_error(opening: bytes) -> None:
    with pytest.raises(JSONTextError, match=r"^invalid character '[\[{]' exceeded max depth$"):
        loads(opening * 10_001)


def test_an_error_counts_the_bytes_up_to_the_wrong_one() -> None:
    with pytest.raises(JSONSyntaxError) as raised:
        read_json_value('{"é": x}'.encode())
    assert (raised.value.offset, raised.value.is_cut) == (8, False)


def test_a_value_is_read_up_to_its_end_and_equal_keys_are_noticed() -> None:
    found = read_json_value(b'  {"a": 1, "\\u0061": 2} {"b"', 1)
    assert (found.value, found.end, found.has_duplicates) == ({"a": 2}, 23, True)


def test_what_json_cannot_hold_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        dumps({"a": object()})
