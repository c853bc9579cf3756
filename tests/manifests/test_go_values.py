"""Scalars and values as kubectl's Go libraries read and print them: timestamps, keys, numbers, depth, and values in errors."""

from __future__ import annotations

import pytest

from tests.manifests.reading import read_one, value_of
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.webhook.texts import yaml_scalars
from weighbridge.webhook.texts.json_syntax import MAX_DEPTH, JSONSyntaxError, NumberOverflowError, go_number, read_json_text

TIMESTAMP = "tag:yaml.org,2002:timestamp"


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-02",
        "2026-1-2",
        "2024-02-29",
        "0000-02-29",
        "2000-02-29",
        "2026-12-31T23:59:59Z",
        "2026-12-31t0:0:0.5+05:30",
        "2026-12-31 23:59:59,123",
    ],
)
def test_a_day_of_the_calendar_is_a_timestamp(text: str) -> None:
    assert yaml_scalars.resolve(text, TIMESTAMP, plain=True) == text


@pytest.mark.parametrize(
    "text",
    [
        "2023-02-29",
        "1900-02-29",
        "2026-13-01",
        "2026-00-01",
        "2026-04-31",
        "2026-01-00",
        "26-01-02",
        "2026-01-02T24:00:00Z",
        "2026-01-02T00:60:00Z",
        "2026-01-02T00:00:60Z",
        "2026-01-02T00:00:00",
        "2026-01-02 00:00:00Z",
        "2026-01-02T00:00Z",
    ],
)
def test_what_is_on_no_calendar_is_none(text: str) -> None:
    with pytest.raises(yaml_scalars.ScalarError) as caught:
        yaml_scalars.resolve(text, TIMESTAMP, plain=True)
    assert str(caught.value) == f"yaml: cannot decode !!str `{text}` as a !!timestamp"


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ("yes", "true"),
        ("Off", "false"),
        ("1.50", "1.5"),
        ("0x10", "16"),
        ("1_000", "1000"),
        (".5", "0.5"),
        ("-.INF", "-.inf"),
        ("+1", "1"),
        ("yesterday", "yesterday"),
        ("a", "a"),
        ("<", "<"),
        ("'yes'", "yes"),
        ('"1.50"', "1.50"),
        ("!!str yes", "yes"),
        ("&k yes", "true"),
        ("2026-01-02", "2026-01-02"),
    ],
)
def test_a_key_is_read_as_its_scalar_and_then_as_text(key: str, found: str) -> None:
    assert value_of(f"{key}: 1\n") == {found: 1}
    assert value_of(f"- a: {{{key} : 1}}\n") == [{"a": {found: 1}}]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({}, "map[interface {}]interface {}{}"),
        ([], "[]interface {}{}"),
        ({"b": None, "a": [True, False]}, 'map[interface {}]interface {}{"a":[]interface {}{true, false}, "b":interface {}(nil)}'),
        ([1, 1.5, 'x"', [{}]], '[]interface {}{1, 1.5, "x\\"", []interface {}{map[interface {}]interface {}{}}}'),
    ],
)
def test_a_value_is_printed_as_go_does(value: JSONValue, text: str) -> None:
    assert yaml_scalars.go_syntax(value) == text


@pytest.mark.parametrize(
    ("text", "place", "kubectl"),
    [
        ("[1, ~]: 1", "1:6", "invalid map key: []interface {}{1, interface {}(nil)}"),
        ("b: 1\n? {a: x}\n: 1", "2:8", 'invalid map key: map[interface {}]interface {}{"a":"x"}'),
        ("a: !!float abc", "1:4", "cannot decode !!str `abc` as a !!float"),
        ("a: !!int 1.5", "1:4", "cannot decode !!float `1.5` as a !!int"),
        ("a: !!bool 1", "1:4", "cannot decode !!int `1` as a !!bool"),
        ("!!null x: 1", "1:1", "cannot decode !!str `x` as a !!null"),
        ("a: !!binary '?'", "1:4", "!!binary value contains invalid base64 data"),
    ],
)
def test_a_key_or_scalar_that_kubectl_cannot_use_is_told_in_its_words(text: str, place: str, kubectl: str) -> None:
    (issue,) = read_one(f"{text}\n").issues
    assert f"{issue.line}:{issue.column}" == place
    assert issue.kubectl == f"error converting YAML to JSON: yaml: {kubectl}"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("-0", 0),
        ("9223372036854775807", (1 << 63) - 1),
        ("9223372036854775808", 9223372036854775808.0),
        ("-9223372036854775808", -(1 << 63)),
        ("-9223372036854775809", -9223372036854775808.0),
        ("-18446744073709551616", -18446744073709551616.0),
        ("1" * 31, float("1" * 31)),
        ("1" * 5_000, None),
        ("1.0", 1.0),
        ("1e3", 1000.0),
        ("1e308", 1e308),
        ("1e309", None),
        ("-1e309", None),
    ],
)
def test_a_number_of_json_is_an_integer_of_64_bits_or_a_float(text: str, number: float | None) -> None:
    if number is None:
        with pytest.raises(NumberOverflowError) as caught:
            go_number(text)
        assert str(caught.value) == f"json: cannot unmarshal number {text} into Go value of type float64"
        return
    found = go_number(text)
    assert (found, type(found)) == (number, type(number))


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_json_is_nested_ten_thousand_times_at_most(opening: str, closing: str) -> None:
    inner = "0" if opening != "[" else ""
    deepest = read_json_text((opening * MAX_DEPTH + inner + closing * MAX_DEPTH).encode())
    assert isinstance(deepest, (dict, list))
    with pytest.raises(JSONSyntaxError, match=rf"^invalid character '\{opening[0]}' exceeded max depth$") as caught:
        read_json_text((opening * (MAX_DEPTH + 1)).encode())
    assert caught.value.offset == len(opening) * MAX_DEPTH + 1
