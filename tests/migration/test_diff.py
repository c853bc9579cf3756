"""The diff of a migrated file: its line numbers, its contexts, and which lines count as changed."""

from __future__ import annotations

import difflib

import pytest

from weighbridge.webhook.migration.diff import Lines, changed_lines, unified
from weighbridge.webhook.migration.editor import Piece, exchanged

TEXT = "".join(f"{number}\n" for number in range(1, 31))


def _at(line: int) -> int:
    """Where a line of the text begins; lines count from 1."""
    return len("".join(f"{number}\n" for number in range(1, line)))


def _replaced(line: int, text: str, lines: int = 1) -> Piece:
    return Piece(_at(line), _at(line + lines), text)


@pytest.mark.parametrize(
    ("pieces", "changed"),
    [
        ([], []),
        ([Piece(0, 1, "one")], [Lines(0, 1, 0, 1)]),
        ([Piece(_at(5), _at(5) + 1, "five")], [Lines(4, 5, 4, 5)]),
        ([Piece(_at(5) + 1, _at(5) + 1, "\nnew")], [Lines(4, 5, 4, 6)]),
        ([Piece(_at(5) + 1, _at(5) + 1, "\na\nb\nc")], [Lines(4, 5, 4, 8)]),
        ([_replaced(5, "")], [Lines(4, 6, 4, 5)]),
        ([_replaced(5, "", 3)], [Lines(4, 8, 4, 5)]),
        ([_replaced(5, "a\nb\n")], [Lines(4, 6, 4, 7)]),
        ([_replaced(5, "a\nb\n"), Piece(_at(9), _at(9) + 1, "nine")], [Lines(4, 6, 4, 7), Lines(8, 9, 9, 10)]),
        ([_replaced(5, "", 2), Piece(_at(20), _at(20) + 2, "x")], [Lines(4, 7, 4, 5), Lines(19, 20, 17, 18)]),
        (
            [_replaced(2, "a\nb\n"), _replaced(10, "", 2), Piece(_at(20), _at(20), "x\n")],
            [Lines(1, 3, 1, 4), Lines(9, 12, 10, 11), Lines(19, 20, 18, 20)],
        ),
        ([Piece(_at(5), _at(5) + 1, "x"), Piece(_at(6), _at(6) + 1, "y")], [Lines(4, 6, 4, 6)]),
        ([Piece(_at(5), _at(5) + 1, "x"), Piece(_at(7), _at(7) + 1, "y")], [Lines(4, 5, 4, 5), Lines(6, 7, 6, 7)]),
        ([Piece(_at(5), _at(5), "x\n"), Piece(_at(5), _at(5) + 1, "y"), Piece(_at(6), _at(7), "")], [Lines(4, 7, 4, 7)]),
    ],
)
def test_the_changed_lines_are_those_that_pieces_touch(pieces: list[Piece], changed: list[Lines]) -> None:
    assert changed_lines(TEXT, pieces) == changed


@pytest.mark.parametrize(
    ("pieces", "hunks"),
    [
        ([_replaced(1, "one\n")], ["@@ -1,4 +1,4 @@"]),
        ([_replaced(1, "")], ["@@ -1,4 +1,3 @@"]),
        ([Piece(0, 0, "zero\n")], ["@@ -1,3 +1,4 @@"]),
        ([_replaced(30, "")], ["@@ -27,4 +27,3 @@"]),
        ([Piece(len(TEXT), len(TEXT), "31\n32\n")], ["@@ -28,3 +28,5 @@"]),
        ([_replaced(15, "x\ny\nz\n")], ["@@ -12,7 +12,9 @@"]),
        ([_replaced(15, "", 4)], ["@@ -12,10 +12,6 @@"]),
        ([_replaced(8, "x\n"), _replaced(15, "y\n")], ["@@ -5,14 +5,14 @@"]),
        ([_replaced(8, "x\n"), _replaced(16, "y\n")], ["@@ -5,7 +5,7 @@", "@@ -13,7 +13,7 @@"]),
        ([_replaced(4, "", 2), _replaced(25, "a\nb\n")], ["@@ -1,8 +1,6 @@", "@@ -22,7 +20,8 @@"]),
        ([_replaced(1, "", 30)], ["@@ -1,30 +0,0 @@"]),
    ],
)
def test_the_diff_is_that_of_the_whole_texts(pieces: list[Piece], hunks: list[str]) -> None:
    after = exchanged(TEXT, pieces)
    found = list(unified(TEXT, after, "folder/none.yaml", changed_lines(TEXT, pieces)))
    assert [line.rstrip() for line in found if line.startswith("@@")] == hunks
    whole = difflib.unified_diff(TEXT.splitlines(True), after.splitlines(True), "a/folder/none.yaml", "b/folder/none.yaml")
    assert found == list(whole)


def test_one_line_has_no_count_and_an_empty_stretch_the_line_before() -> None:
    assert list(unified("a\n", "b\n", "none.yaml", [Lines(0, 1, 0, 1)]))[2:] == ["@@ -1 +1 @@\n", "-a\n", "+b\n"]
    assert list(unified("", "b\n", "none.yaml", [Lines(0, 0, 0, 1)]))[2:] == ["@@ -0,0 +1 @@\n", "+b\n"]
    assert list(unified("a\nb\n", "", "none.yaml", [Lines(0, 2, 0, 0)]))[2:] == ["@@ -1,2 +0,0 @@\n", "-a\n", "-b\n"]


def test_a_last_line_without_a_line_feed_says_so_on_both_sides() -> None:
    unended = "\n\\ No newline at end of file\n"
    assert list(unified("a\nb", "a\nc", "none.yaml", [Lines(1, 2, 1, 2)])) == [
        "--- a/none.yaml\n",
        "+++ b/none.yaml\n",
        "@@ -1,2 +1,2 @@\n",
        " a\n",
        f"-b{unended}",
        f"+c{unended}",
    ]
    assert list(unified("a\nb", "c\nb", "none.yaml", [Lines(0, 1, 0, 1)]))[3:] == ["-a\n", "+c\n", f" b{unended}"]


def test_equal_lines_among_the_changed_ones_are_context() -> None:
    before, after = "a\nb\nc\nd\n", "x\nb\nc\ny\n"
    assert list(unified(before, after, "none.yaml", [Lines(0, 4, 0, 4)]))[3:] == ["-a\n", "+x\n", " b\n", " c\n", "-d\n", "+y\n"]


@pytest.mark.parametrize(
    ("path", "header"),
    [
        ("plain.yaml", "a/plain.yaml"),
        ("/root/plain.yaml", "a/root/plain.yaml"),
        ("with space.yaml", "a/with space.yaml\t"),
        ("with\ttab.yaml", '"a/with\\ttab.yaml"'),
        ('a"b\\c', '"a/a\\"b\\\\c"'),
        ("line\nfeed\r", '"a/line\\nfeed\\r"'),
        ("\x01\x1f\x7f~ ", '"a/\\001\\037\\177~ "'),
        ("é.yaml", "a/é.yaml"),
        ("é\x02", '"a/\\303\\251\\002"'),
        ("\udcff.yaml", '"a/\\377.yaml"'),
    ],
)
def test_a_name_is_quoted_as_git_does(path: str, header: str) -> None:
    assert next(unified("a\n", "b\n", path, [Lines(0, 1, 0, 1)])) == f"--- {header}\n"
