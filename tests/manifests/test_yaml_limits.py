"""YAML's limits: the depth for each way to write a collection, the integers for each sign, and the places of refused values."""

from __future__ import annotations

import math

import pytest

from tests.manifests.reading import messages, read_one
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.webhook.manifests import ABSENT
from weighbridge.webhook.texts import yaml_scalars

YAML_DEPTH = "error converting YAML to JSON: yaml: {}exceeded max depth of 10000"
JSON_DEPTH = "error unmarshaling JSON: while decoding JSON: invalid character '{}' exceeded max depth"


def _block(levels: int) -> str:
    return "- " * levels


def _flow(levels: int, inner: str = "", opening: str = "[", closing: str = "]") -> str:
    return opening * levels + inner + closing * levels


@pytest.mark.parametrize(
    ("text", "kubectl", "place"),
    [
        (_block(5_000) + _flow(5_000), "", ""),
        (_block(5_000) + _flow(5_001), JSON_DEPTH.format("["), "1:15001"),
        (_block(5_000) + _flow(5_000, "{a: 1}"), JSON_DEPTH.format("{"), "1:15001"),
        (_block(9_999) + _flow(2), JSON_DEPTH.format("["), "1:20000"),
        (_block(10_000) + "x", "", ""),
        (_block(10_001) + "x", YAML_DEPTH.format(""), "1:20001"),
        (_block(2) + _flow(10_001), YAML_DEPTH.format(""), "1:10005"),
        ("a: 1\nb:\n " + _block(10_000) + "x", YAML_DEPTH.format("line 3: "), "3:20000"),
        ("- " + _flow(20, "[], {}") + "\n- [[[]], []]\n- " + _flow(9_999), "", ""),
        ("- " + _flow(20, "[], {}") + "\n- [[[]], []]\n- " + _flow(10_000), JSON_DEPTH.format("["), "3:10002"),
        ("- - - - a\n" * 2 + "- " + _flow(10_000), JSON_DEPTH.format("["), "3:10002"),
    ],
)
def test_flow_and_block_are_counted_apart_and_together_for_json(text: str, kubectl: str, place: str) -> None:
    document = read_one(text + "\n")
    assert (document.value is ABSENT) is bool(kubectl)
    assert [issue.kubectl for issue in document.issues] == [kubectl][: bool(kubectl)]
    assert [f"{issue.line}:{issue.column}" for issue in document.issues] == [place][: bool(place)]


@pytest.mark.parametrize(
    ("text", "place", "kubectl_line"),
    [
        ('a: "x\\/y"\n', "1:6", ""),
        ('"\\/": 1\n', "1:2", ""),
        ('\na: 1\nb: ["é", "é\\\\\\/"]\n', "3:14", "line 3: "),
        ('x: 1\n---\ny: 1\nb: "é\n\n  é\\/"\n', "6:4", "line 4: "),
    ],
)
def test_a_slash_with_a_backslash_is_told_of_where_it_stands(text: str, place: str, kubectl_line: str) -> None:
    assert messages(text) == [f"error x.yaml:{place}: invalid YAML: found unknown escape character"]
    refused = [document for document in [read_one(text.rpartition("---\n")[2])] if document.value is ABSENT]
    assert [document.issues[0].kubectl for document in refused] == [
        f"error converting YAML to JSON: yaml: {kubectl_line}found unknown escape character"
    ]


@pytest.mark.parametrize("text", ['a: "x\\\\/y"\n', "a: '\\/'\nb: \\/\n"])
def test_a_slash_that_no_backslash_escapes_is_text(text: str) -> None:
    assert messages(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("9223372036854775807", (1 << 63) - 1),
        ("9223372036854775808", 1 << 63),
        ("18446744073709551615", (1 << 64) - 1),
        ("18446744073709551616", 18446744073709551616.0),
        ("+9223372036854775807", (1 << 63) - 1),
        ("+9223372036854775808", 9223372036854775808.0),
        ("-9223372036854775808", -(1 << 63)),
        ("-9223372036854775809", -9223372036854775809.0),
        ("0xFFFFFFFFFFFFFFFF", (1 << 64) - 1),
        ("0x10000000000000000", "0x10000000000000000"),
        ("0b" + "1" * 64, (1 << 64) - 1),
        ("0b" + "0" * 70 + "1" * 64, (1 << 64) - 1),
        ("0b" + "1" * 65, "0b" + "1" * 65),
        ("0b-" + "1" + "0" * 63, -(1 << 63)),
        ("0b+" + "1" * 64, "0b+" + "1" * 64),
        ("01777777777777777777777", (1 << 64) - 1),
        ("1" * 64, float("1" * 64)),
        ("1" * 65, float("1" * 65)),
    ],
)
def test_an_integer_has_64_bits_and_without_a_sign_one_more(text: str, value: JSONValue) -> None:
    found = yaml_scalars.resolve(text, None, plain=True)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("value", "as_json"),
    [
        ((1 << 63) - 1, (1 << 63) - 1),
        (1 << 63, 9223372036854775808.0),
        (-(1 << 63), -(1 << 63)),
        (1.5, 1.5),
        (2.0, 2),
        (-2.0, -2),
        (9223372036854774784.0, 9223372036854775000),
        (9223372036854775808.0, 9223372036854775808.0),
        (-9223372036854774784.0, -9223372036854775000),
        (1e21, 1e21),
        (True, True),
        (math.inf, math.inf),
    ],
)
def test_what_goes_through_json_is_an_integer_where_go_writes_no_fraction(value: JSONValue, as_json: JSONValue) -> None:
    found = yaml_scalars.as_json(value)
    assert (found, type(found)) == (as_json, type(as_json))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("9223372036854775807", "9223372036854775807"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("18446744073709551616", "1.8446744e+19"),
        ("1.5", "1.5"),
        ("0.1", "0.1"),
        ("16777217.0", "1.6777216e+07"),
        ("1e39", ".inf"),
        ("-1e39", "-.inf"),
        (".nan", ".nan"),
        ("yes", "true"),
    ],
)
def test_a_key_is_a_text_of_32_bits_where_it_is_a_float(text: str, key: str) -> None:
    assert yaml_scalars.as_key(yaml_scalars.resolve(text, None, plain=True)) == key


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("9223372036854775808", "unsupported map key of type: uint64, key: 0x8000000000000000, value: "),
        ("18446744073709551615", "unsupported map key of type: uint64, key: 0xffffffffffffffff, value: "),
        ("~", "unsupported map key of type: %!s(<nil>), key: <nil>, value: "),
    ],
)
def test_a_key_of_more_bits_is_refused(text: str, message: str) -> None:
    with pytest.raises(yaml_scalars.ScalarError) as raised:
        yaml_scalars.as_key(yaml_scalars.resolve(text, None, plain=True))
    assert str(raised.value) == message


def test_a_float_may_be_written_as_an_integer_of_63_bits() -> None:
    tag = "tag:yaml.org,2002:float"
    assert yaml_scalars.resolve("9223372036854775807", tag, plain=True) == 9223372036854775807.0
    with pytest.raises(yaml_scalars.ScalarError, match="cannot decode !!int `9223372036854775808` as a !!float"):
        yaml_scalars.resolve("9223372036854775808", tag, plain=True)


@pytest.mark.parametrize(
    ("number", "value"),
    [
        ("9223372036854775807", (1 << 63) - 1),
        ("-9223372036854775808", -(1 << 63)),
        ("-5", -5),
        ("9223372036854775808", 9223372036854775808.0),
        ("-9223372036854775809", -9223372036854775808.0),
        ("1" * 31, float("1" * 31)),
        ("1" * 32, float("1" * 32)),
    ],
)
def test_an_integer_of_json_has_64_bits_with_its_sign(number: str, value: JSONValue) -> None:
    found = read_one(f'{{"a": {number}}}').value["a"]
    assert (found, type(found)) == (value, type(value))


def test_each_object_of_a_list_has_its_own_hundred_duplicates() -> None:
    fields = "".join(f"    k{number}: 1\n    k{number}: 2\n" for number in range(120))
    inner = "".join(f"        k{number}: 1\n        k{number}: 2\n" for number in range(120))
    items = f"items:\n  - a: 1\n{fields}  - a: 1\n{fields}  - items:\n      - a: 1\n{inner}      - a: 1\n{inner}"
    found = read_one(items).duplicate_fields
    for prefix in (("items", 0), ("items", 1), ("items", 2, "items", 0), ("items", 2, "items", 1)):
        assert [path for path in found if path[:-1] == prefix] == [(*prefix, f"k{number}") for number in range(100)]
    assert len(found) == 400


@pytest.mark.parametrize("path", ["a", "items", "a.items"])
def test_lists_that_hold_no_objects_share_a_hundred_duplicates(path: str) -> None:
    opening = "".join(f"{'  ' * depth}{key}:\n" for depth, key in enumerate(path.split(".")))
    indent = "  " * len(path.split("."))
    text = f"b: 1\nb: 2\n{opening}" + "".join(f"{indent}k{number}: 1\n{indent}k{number}: 2\n" for number in range(120))
    assert len(read_one(text).duplicate_fields) == 100


def test_a_list_of_objects_may_itself_stand_twice() -> None:
    assert read_one("items: [1]\nitems: []\n").duplicate_fields == [("items",)]
    assert read_one("items:\n- items: [1]\n  items: []\n").duplicate_fields == [("items", 0, "items")]


@pytest.mark.parametrize("text", ['"YW\\rI="', '"YW\\nI="', "|\n  YW\n  I=\n", "YWI="])
def test_base64_may_be_broken_into_lines(text: str) -> None:
    assert read_one(f"a: !!binary {text}\n").value == {"a": "ab"}
