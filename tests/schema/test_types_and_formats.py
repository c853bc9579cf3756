"""Types together with formats: Go's kinds instead of JSON's, whole floats, arrays in formatted strings (measured on the server)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.schema.test_keywords import errors_at


@pytest.mark.parametrize(
    ("kind", "format_name", "value", "bad_value", "expected"),
    [
        ("integer", "int32", 1.5, "float64", "int32"),
        ("integer", "int32", True, "", "int32"),
        ("integer", "int32", {}, "", "int32"),
        ("integer", "int32", "1", "string", "integer"),
        ("integer", "int64", [], "array", "integer"),
        ("number", "double", {}, "", "double"),
        ("number", "double", "1", "string", "number"),
        ("string", "date-time", 1, "int64", "date-time"),
        ("string", "date-time", 1.5, "float64", "date-time"),
        ("string", "date-time", False, "", "date-time"),
        ("string", "date-time", {}, "", "date-time"),
        ("string", "unknown-format", 1, "integer", "string"),
        ("boolean", "int32", 1, "integer", "boolean"),
    ],
)
def test_a_format_changes_the_name_of_what_was_found(kind: str, format_name: str, value: Any, bad_value: str, expected: str) -> None:
    text = f'f: Invalid value: "{bad_value}": f in body must be of type {expected}: "{bad_value}"'
    assert text in errors_at({"type": kind, "format": format_name}, value)


@pytest.mark.parametrize("value", [[], ["a"], [{}]])
def test_an_array_passes_for_a_string_with_a_format(value: Any) -> None:
    assert errors_at({"type": "string", "format": "date-time"}, value) == []
    assert errors_at({"type": "string"}, value) != []


def test_a_fraction_in_an_integer_fails_twice() -> None:
    assert errors_at({"type": "integer"}, 1.5) == [
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in f',
        'f: Invalid value: "number": f in body must be of type integer: "number"',
    ]


@pytest.mark.parametrize("value", [1.0, -0.0, 9007199254740991.0, -9007199254740991.0])
def test_a_whole_float_is_an_integer_as_far_as_json_is_exact(value: float) -> None:
    assert errors_at({"type": "integer", "format": "int64"}, value) == []


def test_a_whole_float_beyond_exact_json_is_no_integer() -> None:
    wrong = 'f: Invalid value: "float64": f in body must be of type int64: "float64"'
    assert errors_at({"type": "integer", "format": "int64"}, 9007199254740992.0) == [wrong]
    assert errors_at({"type": "integer", "format": "int64"}, 1e18) == [wrong]
    plain = 'f: Invalid value: "number": f in body must be of type integer: "number"'
    assert errors_at({"type": "integer"}, 1e18) == [plain]


def test_a_whole_float_that_int32_cannot_hold_is_out_of_range_only() -> None:
    assert errors_at({"type": "integer", "format": "int32"}, 3000000000.0) == [
        '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in f',
    ]


def test_an_integer_that_go_reads_as_a_float_is_treated_as_one() -> None:
    assert errors_at({"type": "integer"}, 2**70) == errors_at({"type": "integer"}, float(2**70))
    assert errors_at({"type": "number"}, 2**70) == []


def test_int_or_string_with_its_usual_any_of_fails_three_times_for_a_boolean() -> None:
    keywords = {"x-kubernetes-int-or-string": True, "anyOf": [{"type": "integer"}, {"type": "string"}]}
    assert errors_at(keywords, True) == [
        '<nil>: Invalid value: "": "f" must validate at least one schema (anyOf)',
        'f: Invalid value: "boolean": f in body must be of type integer,string: "boolean"',
        'f: Invalid value: "boolean": f in body must be of type integer: "boolean"',
    ]
    assert errors_at(keywords, 1) == errors_at(keywords, "1") == errors_at(keywords, 1.0) == []
