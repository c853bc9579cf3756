"""JSON documents: Go's kinds of numbers, duplicate keys, and places."""

from __future__ import annotations

import json

import pytest

from tests.manifests.reading import messages, read_all, read_one, value_of
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.webhook.manifests import ABSENT, Position


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


@pytest.mark.parametrize("levels", [900, 1_500, 9_999])
def test_the_depth_that_go_reads_is_read(levels: int) -> None:
    value = value_of('{"a": ' + "[" * levels + "1.0" + "]" * levels + "}")["a"]
    for _ in range(levels):
        (value,) = value
    assert (value, type(value)) == (1, int)


@pytest.mark.parametrize("levels", [10_000, 1 << 20])
def test_nesting_without_end_is_gos_error_at_the_first_level_too_many(levels: int) -> None:
    document = read_one('{"a": [[], {"]": "[\\"{"}],\n"b":\n' + "[\n" * levels + "]" * levels + "}")
    (issue,) = document.issues
    assert str(issue) == "x.yaml:10002:1: invalid JSON: invalid character '[' exceeded max depth"
    assert issue.kubectl == "json: offset 20031: invalid character '[' exceeded max depth"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "unexpected EOF"),
        ('{"a": tru', "unexpected EOF"),
        ('{"a": "x\\', "unexpected EOF"),
        ('{"a":\t1,\n\t"b" 2}', "json: offset 15: invalid character '2' after object key"),
        ('{"a": "b\x01"}', "json: offset 9: invalid character '\\x01' in string literal"),
        ('{"a": "\\x"}', "json: offset 9: invalid character 'x' in string escape code"),
        ('\ufeff{"a" 1}', "json: offset 6: invalid character '1' after object key"),
        ('{"a": 1}\n{"a" 1}', "json: offset 15: invalid character '1' after object key"),
        ('{"a": 1}x', "json: offset 9: invalid character 'x' looking for beginning of value"),
        ('{"a": 1}{"a": 1}\n{"a" 1}', "invalid character '1' after object key"),
    ],
)
def test_kubectls_words_for_broken_json_are_known(text: str, expected: str) -> None:
    assert read_all(text)[-1].issues[0].kubectl == expected


def test_brackets_in_strings_are_no_nesting() -> None:
    assert value_of(json.dumps({"a": "[{" * 1000})) == {"a": "[{" * 1000}


def test_duplicates_have_their_path_and_place() -> None:
    document = read_one('{"spec": {"zz": 1,\n "zz": {"a": 1, "a": 2}},\n "list": [0, {"b": 1, "\\u0062": 2}]}')
    assert document.value == {"spec": {"zz": {"a": 2}}, "list": [0, {"b": 2}]}
    assert document.duplicate_fields == [("spec", "zz"), ("spec", "zz", "a"), ("list", 1, "b")]
    assert [(issue.line, issue.column) for issue in document.issues] == [(2, 2), (2, 17), (3, 23)]


def test_error_has_the_place_in_the_file() -> None:
    text = '{"a": 1}\n{"b": 2}\n{"c":\n  oops}'
    assert messages(text) == ["error x.yaml:4:3: invalid JSON: invalid character 'o' looking for beginning of value"]


def test_places_are_those_of_the_text() -> None:
    first, second = read_all('{"a": {"é": [1, "x"]}}\n\n  {"b": {},\n   "c": true}')
    assert first.position(("a", "é", 1)) == Position(1, 17)
    assert first.span(("a",)).end == Position(1, 22)
    assert second.position(("c",)) == Position(4, 9)
    assert second.position(("b", "missing")) == Position(3, 4)


def test_a_hundred_fields_that_stand_twice_are_told_apart() -> None:
    repeated = '"a": 1, ' * 150
    document = read_one("{" + repeated + ", ".join(f'"k{number}": 1, "k{number}": 2' for number in range(150)) + "}")
    assert document.duplicate_fields == [("a",), *((f"k{number}",) for number in range(99))]
    assert len(document.issues) < 250


def test_the_place_of_a_whole_document_takes_no_second_look() -> None:
    first, second = read_all("# a\n---\nkind: A\n---\n\n- 1\n")[1:]
    assert (first.position(), second.position()) == (Position(3, 1), Position(6, 1))
    assert (first.span(()).start, second.span(()).start) == (Position(3, 1), Position(6, 1))
