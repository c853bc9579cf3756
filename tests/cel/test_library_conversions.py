"""Conversions at the bounds of their types, as in Kubernetes 1.36."""

from __future__ import annotations

import math
from typing import Final

import pytest

from tests.cel.library_calls import said
from weighbridge.policies.cel.library.standard_conversions import (
    same,
    to_bool,
    to_bytes,
    to_double,
    to_duration,
    to_int,
    to_string,
    to_timestamp,
    to_uint,
    type_of_value,
)
from weighbridge.policies.cel.values.times import MAX_INT64, MAX_UNIX, MIN_UNIX, parse_timestamp
from weighbridge.policies.cel.values.values import NANOS_PER_SECOND, Duration, Timestamp, TypeValue, Uint, Value

_INT: Final = "integer overflow"
_UINT: Final = "unsigned integer overflow"


def _no(target: str, source: str = "string") -> str:
    return f"type conversion error from '{source}' to '{target}'"


def _is(found: Value, wanted: Value) -> bool:
    return bool((found == wanted or (found != found and wanted != wanted)) and found.__class__ is wanted.__class__)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("42", 42),
        ("-42", -42),
        ("+42", 42),
        ("9223372036854775807", MAX_INT64),
        ("-9223372036854775808", -MAX_INT64 - 1),
        ("0" * 63 + "1", 1),
        ("-" + "0" * 5000 + "19", -19),
        ("0" * 5000, 0),
        *((text, _no("int")) for text in ("4 2", "", "-", "1_0", "0-1", "٣", "9223372036854775808", "-9223372036854775809", "9" * 5000)),
        (1.9, 1),
        (-1.9, -1),
        (9223372036854774784.0, 9223372036854774784),
        (-9223372036854774784.0, -9223372036854774784),
        *((number, _INT) for number in (9223372036854775808.0, -9223372036854775808.0, math.nan, math.inf, -math.inf)),
        (Uint(MAX_INT64), MAX_INT64),
        (Uint(MAX_INT64 + 1), _INT),
        (Timestamp(-NANOS_PER_SECOND), -1),
        (Timestamp(-1), -1),
        (Duration(-1), -1),
        (7, 7),
    ],
)
def test_what_becomes_an_int(value: Value, found: Value) -> None:
    assert _is(said(to_int, value), found)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("42", Uint(42)),
        ("0", Uint(0)),
        ("18446744073709551615", Uint((1 << 64) - 1)),
        ("0" * 5000 + "1", Uint(1)),
        *((text, _no("uint")) for text in ("-42", "+42", "", "1.0", "18446744073709551616", "9" * 5000)),
        (1.9, Uint(1)),
        (-0.0, Uint(0)),
        (18446744073709549568.0, Uint(18446744073709549568)),
        *((number, _UINT) for number in (-0.5, -1.0, 18446744073709551616.0, math.nan, math.inf, -1)),
        (0, Uint(0)),
        (MAX_INT64, Uint(MAX_INT64)),
        (Uint(5), Uint(5)),
    ],
)
def test_what_becomes_a_uint(value: Value, found: Value) -> None:
    assert _is(said(to_uint, value), found)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("1.5", 1.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e5", 100000.0),
        ("+1", 1.0),
        ("inf", math.inf),
        ("-Inf", -math.inf),
        ("INFINITY", math.inf),
        ("nan", math.nan),
        ("1e-400", 0.0),
        ("1_0.5", 10.5),
        ("1e1_0", 1e10),
        ("0x1p4", 16.0),
        ("0x1.8p1", 3.0),
        ("0x.8p1", 1.0),
        ("-0X_1p1", -2.0),
        ("0x1p400", 2.5822498780869086e120),
        ("0x1p-2000", 0.0),
        *(
            (text, _no("double"))
            for text in (".", "1e", "--1", "infin", "1e400", "-1e400", "_1", "1_", "1__0", "1_e1", "0x1", "0xg", " 1", "")
        ),
        *((text, _no("double")) for text in ("0x1p2000", "-0x1p1024", "0x1p99999999999999999999", "0x1_p1", "0_x1p1")),
        (1, 1.0),
        (Uint((1 << 64) - 1), 1.8446744073709552e19),
        (2.5, 2.5),
    ],
)
def test_what_becomes_a_double(value: Value, found: Value) -> None:
    assert _is(said(to_double, value), found)


def test_what_becomes_a_bool() -> None:
    assert [to_bool(text) for text in ("1", "t", "T", "true", "TRUE", "True", True)] == [True] * 7
    assert [to_bool(text) for text in ("0", "f", "F", "false", "FALSE", "False", False)] == [False] * 7
    assert [said(to_bool, text) for text in ("tRUE", "", "yes", "2")] == [_no("bool")] * 4


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a", "a"),
        (True, "true"),
        (False, "false"),
        (-5, "-5"),
        (Uint(5), "5"),
        (1.0, "1"),
        (1e20, "1e+20"),
        (0.00001, "1e-05"),
        (1000000.0, "1e+06"),
        (123456.5, "123456.5"),
        (b"a\xc3\xa9", "aé"),
        (b"\xff", "invalid UTF-8 in bytes, cannot convert to string"),
        (parse_timestamp("2024-02-29T23:59:58.120Z"), "2024-02-29T23:59:58.12Z"),
        (parse_timestamp("2024-02-29T23:59:58+05:30"), "2024-02-29T23:59:58+05:30"),
        (parse_timestamp("2024-02-29T00:00:08-00:30"), "2024-02-29T00:00:08-00:30"),
        (parse_timestamp("0001-01-01T00:00:00-10:59"), "0001-01-01T00:00:00-10:59"),
        (Timestamp(1), "1970-01-01T00:00:00.000000001Z"),
        (Timestamp(-1), "1969-12-31T23:59:59.999999999Z"),
        (Duration(3600 * NANOS_PER_SECOND), "3600s"),
        (Duration(1_000_000), "0.001s"),
        (Duration(1), "0.000000001s"),
        (Duration(-1_500_000_000), "-1.5s"),
        (Duration(123456789012), "123.456789012s"),
        (Duration(2562047 * 3600 * NANOS_PER_SECOND), "9223369200s"),
        (Duration(0), "0s"),
    ],
)
def test_what_becomes_a_string(value: Value, text: str) -> None:
    assert said(to_string, value) == text


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (MAX_UNIX, Timestamp(253402300799 * NANOS_PER_SECOND)),
        (MIN_UNIX, Timestamp(-62135596800 * NANOS_PER_SECOND)),
        *((value, "timestamp overflow") for value in (MAX_UNIX + 1, MIN_UNIX - 1, "0000-12-31T23:59:59Z", "9999-12-31T23:59:59-00:01")),
        ("0001-01-01T00:00:00+00:01", "timestamp overflow"),
        ("0001-01-01T00:00:00-00:01", Timestamp(-62135596740 * NANOS_PER_SECOND, -60)),
        ("9999-12-31T23:59:59.999999999Z", Timestamp(253402300799_999999999)),
        ("2024-01-01T00:00:00.1234567891Z", Timestamp(1704067200_123456789)),
        ("2024-01-01T00:00:00,5+01:30", Timestamp(1704061800_500000000, 5400)),
        ("2024-01-01", _no("google.protobuf.Timestamp")),
        (Timestamp(5, 60), Timestamp(5, 60)),
    ],
)
def test_what_becomes_a_timestamp(value: Value, found: Value) -> None:
    converted = said(to_timestamp, value)
    assert converted == found
    assert getattr(converted, "offset", None) == getattr(found, "offset", None)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("1h", Duration(3600 * NANOS_PER_SECOND)),
        ("x", _no("google.protobuf.Duration")),
        ("", _no("google.protobuf.Duration")),
        (1, _no("google.protobuf.Duration", "int")),
        (Duration(5), Duration(5)),
    ],
)
def test_what_becomes_a_duration(value: Value, found: Value) -> None:
    assert said(to_duration, value) == found


def test_bytes_types_and_the_value_itself() -> None:
    assert [to_bytes(value) for value in ("aé", b"a", "")] == [b"a\xc3\xa9", b"a", b""]
    assert [type_of_value(value) for value in (1, Uint(1), None, [1])] == [TypeValue(name) for name in ("int", "uint", "null_type", "list")]
    assert same([1]) == [1]
