"""Warnings within the limits of what the API server passes on."""

from __future__ import annotations

import pytest

from weighbridge.webhook.server.user_warnings import ITEM_CHARACTERS, TOTAL_CHARACTERS, fit


@pytest.mark.parametrize(
    ("warning", "line"),
    [
        ("plain", "plain"),
        ("two\nlines", "two lines"),
        ("a \r\n\t b", "a b"),
        ("bell\x07and\x9fmore", "bell and more"),
        (" \n edges\n", "edges"),
        ("ünïcode ✓", "ünïcode ✓"),
    ],
)
def test_warning_becomes_one_line_without_control_characters(warning: str, line: str) -> None:
    assert fit([warning]) == [line]


def test_empty_and_repeated_warnings_are_left_out() -> None:
    assert fit(["", "\n", "a", "b", "a", "a\n"]) == ["a", "b"]


def test_long_warning_is_whole_as_long_as_all_fit() -> None:
    warnings = ["x" * (TOTAL_CHARACTERS - 10), "y" * 10]
    assert fit(warnings) == warnings


def test_warnings_that_do_not_fit_are_cut_and_the_rest_is_counted() -> None:
    fitted = fit(f"{number:03} {'x' * 400}" for number in range(40))
    assert all(len(line) == ITEM_CHARACTERS and line.endswith("...") for line in fitted[:-1])
    assert fitted[-1] == f"{40 - len(fitted) + 1} more warning(s) not shown"
    assert sum(map(len, fitted)) <= TOTAL_CHARACTERS


def test_only_what_is_too_long_is_cut() -> None:
    assert fit(["short", "x" * (TOTAL_CHARACTERS + 1)]) == ["short", "x" * (ITEM_CHARACTERS - 3) + "..."]
