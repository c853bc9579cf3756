"""Durations read and printed as Go does it."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.durations import (
    HOUR,
    MILLISECOND,
    MINUTE,
    SECOND,
    duration_text,
    nanoseconds,
    parse_problem,
    wordy_nanoseconds,
)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("30m", 30 * MINUTE),
        ("1h30m", 90 * MINUTE),
        ("-5s", -5 * SECOND),
        (".5s", 500 * MILLISECOND),
        ("0", 0),
        ("1.5h", 90 * MINUTE),
        ("-2562047h47m16.854775808s", -(2**63)),
        ("0" * 30 + "1h", HOUR),
        (f"{2**63}ns" * 2, 0),
    ],
)
def test_a_duration_has_a_length_and_no_problem(text: str, length: int) -> None:
    assert nanoseconds(text) == length
    assert parse_problem(text) == ""


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("soon", 'time: invalid duration "soon"'),
        ("", 'time: invalid duration ""'),
        ("-", 'time: invalid duration "-"'),
        ("30", 'time: missing unit in duration "30"'),
        ("1h30", 'time: missing unit in duration "1h30"'),
        ("5 minutes", 'time: unknown unit " minutes" in duration "5 minutes"'),
        ("1d", 'time: unknown unit "d" in duration "1d"'),
        (".s", 'time: invalid duration ".s"'),
        ("9999999999999h", 'time: invalid duration "9999999999999h"'),
        ("2562047h47m16.854775808s", 'time: invalid duration "2562047h47m16.854775808s"'),
        ("a" * 5000 + ".", f'time: invalid duration "{"a" * 5000}."'),
    ],
)
def test_what_is_no_duration_is_refused_in_gos_words(text: str, problem: str) -> None:
    assert nanoseconds(text) is None
    assert parse_problem(text) == problem


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (0, "0s"),
        (1, "1ns"),
        (1_500, "1.5µs"),
        (100 * MILLISECOND, "100ms"),
        (1_500 * MILLISECOND, "1.5s"),
        (90 * SECOND, "1m30s"),
        (31 * MINUTE, "31m0s"),
        (60 * MINUTE, "1h0m0s"),
        (-5 * SECOND, "-5s"),
    ],
)
def test_a_length_prints_as_in_go(length: int, text: str) -> None:
    assert duration_text(length) == text


def test_what_is_no_text_has_no_length() -> None:
    assert nanoseconds(5) is None
    assert nanoseconds(None) is None


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("1h30m", 90 * MINUTE),
        ("3 weeks", 21 * 24 * HOUR),
        ("in 2 Hours, 5min", 2 * HOUR + 5 * MINUTE),
        ("P1D", 24 * HOUR),
        ("0" * 30 + "1 d", 24 * HOUR),
        ("213504 days", 213504 * 24 * HOUR - 2**64),
    ],
)
def test_the_format_duration_takes_words_too(text: str, length: int) -> None:
    assert wordy_nanoseconds(text) == length


@pytest.mark.parametrize("text", ["", "three weeks", "5", "1x", f"{2**63} days", "a" * 5000 + "."])
def test_what_names_no_number_of_a_unit_is_not_of_the_format(text: str) -> None:
    assert wordy_nanoseconds(text) is None
