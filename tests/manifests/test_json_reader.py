"""JSON documents: Go's kinds of numbers, duplicates, places."""

from __future__ import annotations

import json

import pytest

from policies.objects import JSONValue
from tests.manifests.reading import messages, read_all, read_one, value_of
from webhook.manifests import ABSENT, Position


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1),
        ("-0", 0),
        ("1.0", 1),
        ("1e3", 1000),
        ("1.5", 1.5),
        ("-0.0", 0),
        ("9223372036854775807", 9223372036854775807),
        ("9223372036854775808", 9223372036854775808.0),
        ("-9223372036854775809", -9223372036854775809.0),
        ("123456789012345678901234567890", 123456789012345678901234567890.0),
        ('"\\ud800x"', "\ufffdx"),
        ('"\\ud83d\\ude00"', "😀"),
        ('"x\\/y"', "x/y"),
    ],
)
def test_value_has_gos_kind(text: str, expected: JSONValue) -> None:
    value = value_of(f'{{"a": {text}}}')["a"]
    assert (value, type(value)) == (expected, type(expected))


@pytest.mark.parametrize("number", ["1e400", "-1e400", "1" * 400])
def test_number_beyond_a_float_is_refused_and_the_next_value_read(number: str) -> None:
    first, second = read_all(f'{{"a": {number}}}\n{{"b": 1}}')
    assert (first.value, second.value) == (ABSENT, {"b": 1})
    assert first.issues[0].kubectl == f"json: cannot unmarshal number {number} into Go value of type float64"
    assert len(first.issues[0].message) < 80


@pytest.mark.parametrize("levels", [300, 3_000, 1 << 20])
def test_nesting_without_end_is_an_error_that_says_so(levels: int) -> None:
    assert messages('{"a": ' + "[" * levels + "]" * levels + "}") == ["error x.yaml:1:262: nested deeper than 256 levels"]


@pytest.mark.parametrize("levels", [300, 1 << 20])
def test_nesting_without_end_has_the_place_of_the_first_level_too_many(levels: int) -> None:
    text = '{"a": [[], {"]": "[\\"{"}],\n"b":\n' + "[\n" * levels + "]" * levels + "}"
    assert messages(text) == ["error x.yaml:258:1: nested deeper than 256 levels"]


def test_brackets_in_strings_are_no_nesting() -> None:
    assert value_of(json.dumps({"a": "[{" * 1000})) == {"a": "[{" * 1000}


def test_duplicates_have_their_path_and_place() -> None:
    document = read_one('{"spec": {"zz": 1,\n "zz": {"a": 1, "a": 2}},\n "list": [0, {"b": 1, "\\u0062": 2}]}')
    assert document.value == {"spec": {"zz": {"a": 2}}, "list": [0, {"b": 2}]}
    assert document.duplicate_fields == ["spec.zz", "spec.zz.a", "list[1].b"]
    assert [(issue.line, issue.column) for issue in document.issues] == [(2, 2), (2, 17), (3, 23)]


def test_error_has_the_place_in_the_file() -> None:
    assert messages('{"a": 1}\n{"b": 2}\n{"c":\n  oops}') == ["error x.yaml:4:3: invalid JSON: expecting value"]


def test_places_are_those_of_the_text() -> None:
    first, second = read_all('{"a": {"é": [1, "x"]}}\n\n  {"b": {},\n   "c": true}')
    assert first.position(("a", "é", 1)) == Position(1, 17)
    assert first.span(("a",)).end == Position(1, 22)
    assert second.position(("c",)) == Position(4, 9)
    assert second.position(("b", "missing")) == Position(3, 4)
