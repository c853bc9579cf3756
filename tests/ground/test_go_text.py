"""Values printed as Go prints them; the expected texts were printed by Go 1.26."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weighbridge.policies.ground.go_text import float_text, json_text, quote, value_text


@pytest.mark.parametrize(
    ("value", "plain", "as_json"),
    [
        (100000.0, "100000", "100000"),
        (999999.0, "999999", "999999"),
        (1000000.0, "1e+06", "1000000"),
        (123456789.0, "1.23456789e+08", "123456789"),
        (1234567.5, "1.2345675e+06", "1234567.5"),
        (0.0001, "0.0001", "0.0001"),
        (0.00001, "1e-05", "0.00001"),
        (1e20, "1e+20", "100000000000000000000"),
        (1e21, "1e+21", "1e+21"),
        (1e-6, "1e-06", "0.000001"),
        (1e-7, "1e-07", "1e-7"),
        (2147483647.0, "2.147483647e+09", "2147483647"),
        (1.5, "1.5", "1.5"),
        (-0.0, "-0", "-0"),
    ],
)
def test_floats_change_to_an_exponent_where_go_does(value: float, plain: str, as_json: str) -> None:
    assert float_text(value) == plain
    assert json_text(value) == as_json


def test_what_is_no_number_has_a_name() -> None:
    assert [float_text(value) for value in (float("nan"), float("inf"), float("-inf"))] == ["NaN", "+Inf", "-Inf"]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("a\x00b\u00a0é\u200b\ufeff", '"a\\x00b\\u00a0é\\u200b\\ufeff"'),
        ("\U0001f600\u2028\u3000", '"😀\\u2028\\u3000"'),
        ("\x7f'\"", '"\\x7f\'\\""'),
        ("\u00ad\ue000", '"\\u00ad\\ue000"'),
        ("line\nbreak\ttab", '"line\\nbreak\\ttab"'),
    ],
)
def test_strings_are_quoted_with_gos_escapes(text: str, quoted: str) -> None:
    assert quote(text) == quoted


def test_json_is_sorted_and_escapes_what_html_reads() -> None:
    assert json_text({"b": "<&>", "a": [True, None, 1]}) == '{"a":[true,null,1],"b":"\\u003c\\u0026\\u003e"}'


def test_bad_values_print_scalars_plain_and_the_rest_as_json() -> None:
    assert [value_text(value) for value in ("x", 1, 1e6, True, None, {"a": 1})] == ['"x"', "1", "1e+06", "true", "null", '{"a":1}']


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_printed_floats_read_back_as_the_same_number(value: float) -> None:
    assert float(float_text(value)) == value
    assert float(json_text(value)) == value


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
)
def test_printed_json_reads_back_as_the_same_value(value: object) -> None:
    assert json.loads(json_text(value)) == value
