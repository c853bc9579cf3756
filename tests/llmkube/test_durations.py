"""Durations read and printed as Go does it."""

from __future__ import annotations

import pytest

from policies.families.llmkube.upstream.durations import MILLISECOND, MINUTE, SECOND, duration_text, nanoseconds, parse_problem


@pytest.mark.parametrize(
    ("text", "length"),
    [("30m", 30 * MINUTE), ("1h30m", 90 * MINUTE), ("-5s", -5 * SECOND), (".5s", 500 * MILLISECOND), ("0", 0), ("1.5h", 90 * MINUTE)],
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
