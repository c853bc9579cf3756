"""Texts in terminal cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weighbridge.webhook.texts import cells
from weighbridge.webhook.texts.escapes import shown


@pytest.mark.parametrize(("text", "width"), [("", 0), ("abc", 3), ("é", 1), ("e\u0301", 1), ("値x", 3), ("😀", 2), ("a\u200bb", 2)])
def test_width_counts_cells(text: str, width: int) -> None:
    assert cells.width(text) == width


@pytest.mark.parametrize(
    ("text", "room", "lines"),
    [
        ("", 5, [""]),
        ("one  two", 10, ["one two"]),
        ("a longer one", 5, ["a", "longe", "r one"]),
        ("longest", 3, ["lon", "ges", "t"]),
        ("値段値 a", 4, ["値段", "値 a"]),
        ("値段", 1, ["値", "段"]),
        ("e\u0301e\u0301", 1, ["e\u0301", "e\u0301"]),
    ],
)
def test_fold_breaks_words_that_are_longer_than_a_line(text: str, room: int, lines: list[str]) -> None:
    assert cells.fold(text, room) == lines


@pytest.mark.parametrize(
    ("text", "room", "lines"),
    [
        ("", 10, [""]),
        ("one two", 10, ["one two"]),
        ("one two three", 7, ["one two", "three"]),
        ("averylongword and", 5, ["averylongword", "and"]),
        ("値段 値段", 8, ["値段", "値段"]),
    ],
)
def test_wrap_breaks_at_spaces(text: str, room: int, lines: list[str]) -> None:
    assert cells.wrap(text, room) == lines


@pytest.mark.parametrize(
    ("line", "start", "end", "room", "expected"),
    [
        ("abcdef", 2, 4, 6, ("abcdef", 2, 4)),
        ("abcdefghij", 0, 2, 6, ("abcd…", 0, 2)),
        ("abcdefghij", 8, 10, 6, ("…ghij", 3, 5)),
        ("a" * 50 + "XY" + "b" * 50, 50, 52, 12, ("…aaaXYbbbbb…", 4, 6)),
        ("a" * 5 + "X" * 50, 5, 55, 12, ("…aaaXXXXXXX…", 4, 11)),
    ],
)
def test_crop_keeps_what_the_carets_stand_under(line: str, start: int, end: int, room: int, expected: tuple[str, int, int]) -> None:
    assert cells.crop(line, start, end, room) == expected


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60), st.integers(10, 40))
def test_crop_fits_and_keeps_the_first_character(text: str, start: int, length: int, room: int) -> None:
    line = shown(text)
    start = min(start, len(line))
    end = min(start + length, len(line))
    part, first, last = cells.crop(line, start, end, room)
    assert cells.width(part) <= room + 1
    assert 0 <= first <= last <= len(part)
    assert part[first : first + 1] == line[start : start + 1]
