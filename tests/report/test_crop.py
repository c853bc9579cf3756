"""The window of a long line: the text around a place, and the position of the place in it."""

from __future__ import annotations

import pytest

from weighbridge.webhook.texts import cells

LETTERS = "abcdefghijklmnopqrstuvwxyz"
WIDE = "値" * 13
FIELD = "key: " + "x" * 30


@pytest.mark.parametrize(
    ("start", "end", "room", "expected"),
    [
        (0, 3, 10, ("abcdefgh…", 0, 3)),
        (1, 3, 10, ("abcdefgh…", 1, 3)),
        (2, 3, 10, ("abcdefgh…", 2, 3)),
        (3, 4, 10, ("…bcdefghi…", 3, 4)),
        (4, 5, 10, ("…cdefghij…", 3, 4)),
        (10, 12, 10, ("…ijklmnop…", 3, 5)),
        (10, 12, 12, ("…hijklmnopq…", 4, 6)),
        (10, 12, 16, ("…ghijklmnopqrst…", 5, 7)),
        (10, 12, 25, ("…defghijklmnopqrstuvwxyz", 8, 10)),
        (10, 12, 26, (LETTERS, 10, 12)),
        (22, 24, 10, ("…stuvwxyz", 5, 7)),
        (24, 26, 10, ("…stuvwxyz", 7, 9)),
        (25, 26, 10, ("…stuvwxyz", 8, 9)),
        (26, 26, 10, ("…tuvwxyz", 8, 8)),
        (10, 10, 10, ("…ijklmnop…", 3, 3)),
        (13, 26, 10, ("…lmnopqrs…", 3, 9)),
        (0, 26, 10, ("abcdefgh…", 0, 8)),
    ],
)
def test_a_quarter_of_the_room_goes_to_what_stands_before(start: int, end: int, room: int, expected: tuple[str, int, int]) -> None:
    assert cells.crop(LETTERS, start, end, room) == expected


@pytest.mark.parametrize(
    ("line", "start", "end", "room", "expected"),
    [
        (WIDE, 0, 1, 10, ("値値値値…", 0, 1)),
        (WIDE, 6, 8, 10, ("…値値値値…", 2, 4)),
        (WIDE, 12, 13, 10, ("…値値値値", 4, 5)),
        (FIELD, 5, 35, 20, ("key: xxxxxxxxxxxxx…", 5, 18)),
        (FIELD, 5, 35, 16, ("…ey: xxxxxxxxxx…", 5, 15)),
        ("e\u0301" * 20, 10, 12, 10, ("…" + "e\u0301" * 7 + "e…", 5, 7)),
    ],
)
def test_the_window_is_measured_in_cells(line: str, start: int, end: int, room: int, expected: tuple[str, int, int]) -> None:
    assert cells.crop(line, start, end, room) == expected
    assert cells.width(expected[0]) <= room


@pytest.mark.parametrize(
    ("text", "room", "lines"),
    [
        ("aa bb cc", 5, ["aa bb", "cc"]),
        ("aa bb cc", 4, ["aa", "bb", "cc"]),
        ("aa bb cc", 8, ["aa bb cc"]),
        ("aa  bb", 6, ["aa  bb"]),
        ("long aa bb", 3, ["long", "aa", "bb"]),
    ],
)
def test_a_line_is_as_full_as_its_room_allows(text: str, room: int, lines: list[str]) -> None:
    assert cells.wrap(text, room) == lines
