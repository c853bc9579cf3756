"""Durations at the bounds of their units and of 64 bits; every row was printed by Go 1.26 and kube-openapi."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.durations import HOUR, MINUTE, SECOND, duration_text, nanoseconds, parse_problem, wordy_nanoseconds

MOST = 2**63 - 1
DAY = 24 * HOUR


@pytest.mark.parametrize(
    ("text", "length", "printed"),
    [
        ("1ns", 1, "1ns"),
        ("1us", 1_000, "1µs"),
        ("1µs", 1_000, "1µs"),
        ("1μs", 1_000, "1µs"),
        ("1.25ms", 1_250_000, "1.25ms"),
        ("1s", SECOND, "1s"),
        ("1m", MINUTE, "1m0s"),
        ("+1h", HOUR, "1h0m0s"),
        ("-1h", -HOUR, "-1h0m0s"),
        ("-0", 0, "0s"),
        ("+0", 0, "0s"),
        ("0h", 0, "0s"),
        ("1.h", HOUR, "1h0m0s"),
        (".5h", 30 * MINUTE, "30m0s"),
        ("0.9ns", 0, "0s"),
        ("-1.9ns", -1, "-1ns"),
        ("0.3333333333333333333h", 20 * MINUTE, "20m0s"),
        ("0.9223372036854775807h", 3320413933267, "55m20.413933267s"),
        ("0.92233720368547758081h", 3320413933267, "55m20.413933267s"),
        ("0.99999999999999999999999h", HOUR, "1h0m0s"),
        ("0.8400000000000000000m", 50_400_000_000, "50.4s"),
        ("1h1h", 2 * HOUR, "2h0m0s"),
        ("1m1h", HOUR + MINUTE, "1h1m0s"),
        ("9223372036854775807ns", MOST, "2562047h47m16.854775807s"),
        ("-9223372036854775808ns", -MOST - 1, "-2562047h47m16.854775808s"),
        ("9223372036854775.807us", MOST, "2562047h47m16.854775807s"),
        ("-9223372036854775.808us", -MOST - 1, "-2562047h47m16.854775808s"),
        ("153722867m", 153722867 * MINUTE, "2562047h47m0s"),
        ("2562047h47m", 2562047 * HOUR + 47 * MINUTE, "2562047h47m0s"),
        ("9223372036854775808ns9223372036854775808ns", 0, "0s"),
    ],
)
def test_a_duration_is_read_and_printed(text: str, length: int, printed: str) -> None:
    assert nanoseconds(text) == wordy_nanoseconds(text) == length
    assert parse_problem(text) == ""
    assert duration_text(length) == printed


@pytest.mark.parametrize(
    ("text", "problem", "wordy"),
    [
        ("00", 'time: missing unit in duration "00"', None),
        ("1.", 'time: missing unit in duration "1."', None),
        ("1.h1", 'time: missing unit in duration "1.h1"', None),
        ("1.5.5h", 'time: missing unit in duration "1.5.5h"', 5 * HOUR),
        ("+", 'time: invalid duration "+"', None),
        ("+1", 'time: missing unit in duration "+1"', None),
        ("-1x", 'time: unknown unit "x" in duration "-1x"', None),
        ("--1h", 'time: invalid duration "--1h"', HOUR),
        (".", 'time: invalid duration "."', None),
        ("-.", 'time: invalid duration "-."', None),
        ("h", 'time: invalid duration "h"', None),
        (" 1h", 'time: invalid duration " 1h"', HOUR),
        ("1h ", 'time: unknown unit "h " in duration "1h "', HOUR),
        ("1h-1m", 'time: unknown unit "h-" in duration "1h-1m"', HOUR + MINUTE),
        ("1hh", 'time: unknown unit "hh" in duration "1hh"', None),
        ("1h1x", 'time: unknown unit "x" in duration "1h1x"', HOUR),
        ('1"\\\n\x7f', 'time: unknown unit "\\"\\\\\\x0a\x7f" in duration "1\\"\\\\\\x0a\x7f"', None),
        ("1 µs", 'time: unknown unit " \\xc2\\xb5s" in duration "1 \\xc2\\xb5s"', 1_000),
        ("1\ud800", 'time: unknown unit "\\xef\\xbf\\xbd" in duration "1\\xef\\xbf\\xbd"', None),
        ("9223372036854775808ns", 'time: invalid duration "9223372036854775808ns"', None),
        ("9223372036854775.808us", 'time: invalid duration "9223372036854775.808us"', 808_000),
        ("-9223372036854775809ns", 'time: invalid duration "-9223372036854775809ns"', None),
        ("18446744073709551615ns", 'time: invalid duration "18446744073709551615ns"', None),
        ("153722868m", 'time: invalid duration "153722868m"', 153722868 * MINUTE - 2**64),
        ("2562048h", 'time: invalid duration "2562048h"', 2562048 * HOUR - 2**64),
        ("2562047h48m", 'time: invalid duration "2562047h48m"', 2562047 * HOUR + 48 * MINUTE - 2**64),
    ],
)
def test_what_go_refuses_the_format_may_still_read(text: str, problem: str, wordy: int | None) -> None:
    assert nanoseconds(text) is None
    assert parse_problem(text) == problem
    assert wordy_nanoseconds(text) == wordy


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("1D", DAY),
        ("2 Weeks", 14 * DAY),
        ("1w", 7 * DAY),
        ("1wk", 7 * DAY),
        ("1 weekend", 7 * DAY),
        ("1 minute", MINUTE),
        ("5 M", 5 * MINUTE),
        ("1 hr", HOUR),
        ("1 hour", HOUR),
        ("6 s", 6 * SECOND),
        ("8 seconds", 8 * SECOND),
        ("4 millis", 4_000_000),
        ("1 MS", 1_000_000),
        ("3 microseconds", 3_000),
        ("2 ns 3 us", 3_002),
        ("5 nanos", 5),
        ("1day2h", DAY + 2 * HOUR),
        ("9223372036854775807 ns", MOST),
        ("106751 days", 106751 * DAY),
        ("106752 days", 106752 * DAY - 2**64),
        ("15251 weeks", 15251 * 7 * DAY - 2**64),
    ],
)
def test_words_for_units_are_read_with_their_abbreviations(text: str, length: int) -> None:
    assert wordy_nanoseconds(text) == length


@pytest.mark.parametrize("text", ["9223372036854775808 ns", "1 n", "1 mi", "1 he", "1 month", "d 1"])
def test_other_words_are_no_units(text: str) -> None:
    assert wordy_nanoseconds(text) is None


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (999, "999ns"),
        (1_000, "1µs"),
        (1_001, "1.001µs"),
        (999_999, "999.999µs"),
        (1_000_000, "1ms"),
        (1_000_001, "1.000001ms"),
        (999_999_999, "999.999999ms"),
        (1_000_000_000, "1s"),
        (1_000_000_001, "1.000000001s"),
        (10_000_000, "10ms"),
        (59_999_999_999, "59.999999999s"),
        (60_000_000_001, "1m0.000000001s"),
        (3_599_999_999_999, "59m59.999999999s"),
        (3_600_000_000_001, "1h0m0.000000001s"),
        (3_661_001_001_001, "1h1m1.001001001s"),
        (-1_500, "-1.5µs"),
        (-60 * SECOND, "-1m0s"),
        (-3661 * SECOND, "-1h1m1s"),
    ],
)
def test_a_length_prints_in_the_largest_unit_below_it(length: int, text: str) -> None:
    assert duration_text(length) == text
