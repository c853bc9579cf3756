"""Scalars as kubectl 1.36 reads them, measured with its own libraries."""

from __future__ import annotations

import pytest

from tests.manifests.reading import messages, read_one, value_of
from weighbridge.policies.ground.objects import JSONValue

_VALUES: list[tuple[str, JSONValue]] = [
    ("y", True),
    ("N", False),
    ("On", True),
    ("oFF", "oFF"),
    ("~", None),
    ("", None),
    ("=", "="),
    ("<<", "<<"),
    ("08", 8),
    ("0777", 511),
    ("0O7", 7),
    ("0B11", 3),
    ("-0b11", -3),
    ("0b+1", 1),
    ("0b", "0b"),
    ("-0x1F", -31),
    ("1__0", 10),
    ("_1", "_1"),
    ("5.", 5),
    ("1.0", 1),
    ("-0.0", 0),
    (".5_0", 0.5),
    ("._5", "._5"),
    (".5__0", ".5__0"),
    ("0.1_", 0.1),
    ("1e-3", 0.001),
    ("1e", "1e"),
    ("1e400", "1e400"),
    ("0x1p3", "0x1p3"),
    ("1e20", 100000000000000000000.0),
    ("1e18", 1000000000000000000),
    ("9223372036854774784.0", 9223372036854775000),
    ("18446744073709551615", 18446744073709551615.0),
    ("99999999999999999999", 99999999999999999999.0),
    ("0x10000000000000000", "0x10000000000000000"),
    ("9" * 5000, "9" * 5000),
    ("2026-02-30", "2026-02-30"),
    ("1:30", "1:30"),
    ("'1'", "1"),
    ("! 12", "12"),
    ("!foo 12", "12"),
    ("!!float 1", 1),
    ("!!str y", "y"),
    ("!!str", ""),
    ("!!timestamp 2026-01-02", "2026-01-02"),
    ("!!binary YQ==", "a"),
    ('!!binary "/w=="', "\ufffd"),
    ("|\n  x", "x\n"),
]


@pytest.mark.parametrize(("text", "expected"), _VALUES)
def test_scalar_has_kubectls_value_and_kind(text: str, expected: JSONValue) -> None:
    value = value_of(f"a: {text}")["a"]
    assert (value, type(value)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("y", "true"),
        ("1", "1"),
        ("0x10", "16"),
        ("1.5", "1.5"),
        ("1e3", "1000"),
        ("1234567.5", "1.2345675e+06"),
        ("0.30000000000000004", "0.3"),
        ("1e300", ".inf"),
        ("-.inf", "-.inf"),
        (".nan", ".nan"),
        ("2026-01-02", "2026-01-02"),
        ('"1"', "1"),
        ("!!str 1", "1"),
        ('"<<"', "<<"),
    ],
)
def test_key_becomes_the_string_that_kubectl_makes(key: str, expected: str) -> None:
    assert value_of(f"{key}: x") == {expected: "x"}


@pytest.mark.parametrize(
    ("text", "kubectl"),
    [
        ("a: !!int 1.5", "yaml: cannot decode !!float `1.5` as a !!int"),
        ("a: !!bool maybe", "yaml: cannot decode !!str `maybe` as a !!bool"),
        ("a: !!timestamp 2026-01-02T25:00:00Z", "yaml: cannot decode !!str `2026-01-02T25:00:00Z` as a !!timestamp"),
        ("a: !!binary YQ", "yaml: !!binary value contains invalid base64 data"),
        ("18446744073709551615: x", 'unsupported map key of type: uint64, key: 0xffffffffffffffff, value: "x"'),
        ("null: [1]", "unsupported map key of type: %!s(<nil>), key: <nil>, value: []interface {}{...}"),
        ("? [a]\n: b", 'yaml: invalid map key: []interface {}{"a"}'),
        ("a: .NaN", "json: unsupported value: NaN"),
        ('a: "x\\/y"', "yaml: found unknown escape character"),
        ("a: x\x01", "yaml: control characters are not allowed"),
        ("a: *b", "yaml: unknown anchor 'b' referenced"),
    ],
)
def test_scalar_is_refused_as_kubectl_refuses_it(text: str, kubectl: str) -> None:
    assert [issue.kubectl for issue in read_one(text).issues] == [f"error converting YAML to JSON: {kubectl}"]


def test_infinity_that_a_later_key_replaces_is_no_error() -> None:
    assert read_one("a: .inf\na: 1").value == {"a": 1}


def test_refused_scalar_has_its_own_place() -> None:
    assert messages("a:\n  b: !!int x\n") == ["error x.yaml:2:6: cannot decode !!str `x` as a !!int"]
