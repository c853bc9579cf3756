"""Floats and strings at the bounds of Go's notations; the expected texts were printed by Go 1.26."""

from __future__ import annotations

import pytest

from weighbridge.policies.cel.values.times import plain_float
from weighbridge.policies.ground.go_text import float_text, json_text, quote, time_quote, value_text
from weighbridge.policies.ground.objects import JSONValue


@pytest.mark.parametrize(
    ("value", "printed", "as_json", "plain"),
    [
        (9.99e-5, "9.99e-05", "0.0000999", "0.0000999"),
        (0.0001, "0.0001", "0.0001", "0.0001"),
        (0.00012345, "0.00012345", "0.00012345", "0.00012345"),
        (0.00001234, "1.234e-05", "0.00001234", "0.00001234"),
        (0.1, "0.1", "0.1", "0.1"),
        (10.0, "10", "10", "10"),
        (12.5, "12.5", "12.5", "12.5"),
        (100.25, "100.25", "100.25", "100.25"),
        (999999.5, "999999.5", "999999.5", "999999.5"),
        (1234567.0, "1.234567e+06", "1234567", "1234567"),
        (123456789.125, "1.23456789125e+08", "123456789.125", "123456789.125"),
        (1e16, "1e+16", "10000000000000000", "10000000000000000"),
        (1.5e20, "1.5e+20", "150000000000000000000", "150000000000000000000"),
        (123456789012345680000.0, "1.2345678901234568e+20", "123456789012345680000", "123456789012345680000"),
        (9.99e20, "9.99e+20", "999000000000000000000", "999000000000000000000"),
        (1e21, "1e+21", "1e+21", "1" + "0" * 21),
        (1.5e21, "1.5e+21", "1.5e+21", "15" + "0" * 20),
        (1.25e100, "1.25e+100", "1.25e+100", "125" + "0" * 98),
        (1.5e-6, "1.5e-06", "0.0000015", "0.0000015"),
        (9.9e-7, "9.9e-07", "9.9e-7", "0.00000099"),
        (1e-9, "1e-09", "1e-9", "0.000000001"),
        (1e-10, "1e-10", "1e-10", "0.0000000001"),
        (-1e-7, "-1e-07", "-1e-7", "-0.0000001"),
        (-1e21, "-1e+21", "-1e+21", "-1" + "0" * 21),
        (-0.5, "-0.5", "-0.5", "-0.5"),
        (5e-324, "5e-324", "5e-324", "0." + "0" * 323 + "5"),
        (0.0, "0", "0", "0"),
        (-0.0, "-0", "-0", "-0"),
    ],
)
def test_a_float_is_printed_in_each_notation(value: float, printed: str, as_json: str, plain: str) -> None:
    assert (float_text(value), json_text(value), plain_float(value)) == (printed, as_json, plain)
    assert value_text(value) == printed


@pytest.mark.parametrize(
    ("text", "quoted", "as_json"),
    [
        ("~ !", '"~ !"', '"~ !"'),
        ('a"b\\c', '"a\\"b\\\\c"', '"a\\"b\\\\c"'),
        ("a\x1f\x7f\x80 b", '"a\\x1f\\x7f\\u0080 b"', '"a\\u001f\x7f\x80 b"'),
        ("é\u2028\u2029\ufffd", '"é\\u2028\\u2029\ufffd"', '"é\\u2028\\u2029\ufffd"'),
        ("\ue000\U000e0001\U0010ffff", '"\\ue000\\U000e0001\\U0010ffff"', '"\ue000\U000e0001\U0010ffff"'),
        ("<>&'\"\\/", '"<>&\'\\"\\\\/"', '"\\u003c\\u003e\\u0026\'\\"\\\\/"'),
        ("\b\f\n\r\t\v\x07\x00", '"\\b\\f\\n\\r\\t\\v\\a\\x00"', '"\\b\\f\\n\\r\\t\\u000b\\u0007\\u0000"'),
        ("\u3000\xa0\u200b\xad", '"\\u3000\\u00a0\\u200b\\u00ad"', '"\u3000\xa0\u200b\xad"'),
        ("\ud7ff\ue000", '"\\ud7ff\\ue000"', '"\ud7ff\ue000"'),
        ("\ud800\udfff", '"\\ufffd\\ufffd"', '"\ufffd\ufffd"'),
    ],
)
def test_a_string_is_quoted_and_written_as_json(text: str, quoted: str, as_json: str) -> None:
    assert (quote(text), json_text(text)) == (quoted, as_json)


def test_bytes_that_are_no_text_are_quoted_as_bytes() -> None:
    assert quote("a\udc80\udcff\udc7f") == '"a\\x80\\xff\\ufffd"'


def test_the_package_of_times_quotes_byte_by_byte() -> None:
    assert time_quote('aé"\\\x1f\x7f\x80~ \ud800') == '"a\\xc3\\xa9\\"\\\\\\x1f\x7f\\xc2\\x80~ \\xef\\xbf\\xbd"'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([], "[]"),
        ({}, "{}"),
        ([[], {}, [1, [2]]], "[[],{},[1,[2]]]"),
        ({"b": {"d": [], "c": None}, "a": [True, False]}, '{"a":[true,false],"b":{"c":null,"d":[]}}'),
        ([1.5, 1e21, 7, "x"], '[1.5,1e+21,7,"x"]'),
        ({"<": 1}, '{"\\u003c":1}'),
    ],
)
def test_lists_and_maps_are_written_without_spaces(value: JSONValue, text: str) -> None:
    assert json_text(value) == text
    assert value_text(value) == text
