"""Places in the text of an expression, and how an error there is shown: line, column, the line itself and a caret under it."""

from __future__ import annotations

import pytest

from weighbridge.policies.cel.syntax.errors import Issue, Issues
from weighbridge.policies.cel.syntax.source import NO_LOCATION, Location, Source

TEXT = "ab\n\ncdé\nf"


@pytest.mark.parametrize(
    ("text", "offset", "line", "column"),
    [
        (TEXT, 0, 1, 0),
        (TEXT, 2, 1, 2),
        (TEXT, 3, 2, 0),
        (TEXT, 4, 3, 0),
        (TEXT, 6, 3, 2),
        (TEXT, 7, 3, 3),
        (TEXT, 8, 4, 0),
        (TEXT, 9, 4, 1),
        (TEXT, 20, 4, 12),
        (TEXT, -1, 1, -1),
        ("", 0, 1, -1),
        ("a\n", 2, 2, 0),
        ("\na", 0, 1, 0),
    ],
)
def test_a_code_point_has_a_line_and_a_column(text: str, offset: int, line: int, column: int) -> None:
    assert Source(text).location(offset) == Location(line, column)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (TEXT, [None, "ab", "", "cdé", "f", None]),
        ("a\n", [None, "a", "", None]),
        ("a", [None, "a", None]),
        ("", [None, None, None]),
    ],
)
def test_a_text_has_the_lines_between_its_line_breaks(text: str, lines: list[str | None]) -> None:
    assert [Source(text).line(number) for number in range(len(lines))] == lines
    assert Source(text).line(-1) is None


@pytest.mark.parametrize(
    ("text", "line", "column", "shown"),
    [
        ("a + b", 1, 0, "1:1: wrong\n | a + b\n | ^"),
        ("a + b", 1, 4, "1:5: wrong\n | a + b\n | ....^"),
        ("a + b", 1, 5, "1:6: wrong\n | a + b\n | .....^"),
        ("a + b", 1, -1, "1:0: wrong\n | a + b\n | ^"),
        ("é + b", 1, -1, "1:0: wrong\n | é + b\n | \uff3e"),
        ("日 + é", 1, 4, "1:5: wrong\n | 日 + é\n | \uff0e...\uff3e"),
        ("a\x7f\x80b", 1, 3, "1:4: wrong\n | a\x7f\x80b\n | ..\uff0e^"),
        ("a\x7fb", 1, 1, "1:2: wrong\n | a\x7fb\n | .^"),
        ("a\x80b", 1, 1, "1:2: wrong\n | a\x80b\n | .\uff3e"),
        ("\ta\tb", 1, 3, "1:4: wrong\n |  a b\n | ...^"),
        ("a\n+ b", 2, 2, "2:3: wrong\n | + b\n | ..^"),
        ("a", 2, 0, "2:1: wrong"),
        ("", 1, -1, "1:0: wrong"),
    ],
)
def test_an_error_shows_its_line_and_points_at_its_place(text: str, line: int, column: int, shown: str) -> None:
    assert Issue(Location(line, column), "wrong").display(Source(text)) == f"ERROR: <input>:{shown}"


@pytest.mark.parametrize(("text", "is_shown"), [("a" * 16384, True), ("a" * 16385, False), ("é" * 8192, True), ("é" * 8193, False)])
def test_a_line_of_more_than_16384_bytes_is_not_shown(text: str, is_shown: bool) -> None:
    shown = Issue(Location(1, 0), "wrong").display(Source(text))
    assert (shown.splitlines()[1:2] == [f" | {text}"]) is is_shown
    assert shown.startswith("ERROR: <input>:1:1: wrong")


def test_errors_stand_in_the_order_of_their_places() -> None:
    issues = Issues(Source("ab\ncd"))
    assert not issues
    for offset, message in ((3, "third"), (1, "second"), (1, "and more"), (0, "first")):
        issues.report(offset, message)
    issues.report_whole("nowhere")
    issues.report_at(Location(1, 0), "again")
    assert bool(issues)
    assert [issue.message for issue in issues.sorted()] == ["nowhere", "first", "again", "second", "and more", "third"]
    assert issues.sorted()[0].location == NO_LOCATION == Location(-1, -1)
    assert issues.display().splitlines()[:4] == ["ERROR: <input>:-1:0: nowhere", "ERROR: <input>:1:1: first", " | ab", " | ^"]


@pytest.mark.parametrize(("count", "last"), [(100, " | ^"), (101, "1 more errors were truncated"), (103, "3 more errors were truncated")])
def test_after_a_hundred_errors_the_others_are_counted(count: int, last: str) -> None:
    issues = Issues(Source("a"))
    for number in range(count):
        issues.report(0, f"error {number}")
    shown = issues.display().splitlines()
    assert shown[-1] == last
    assert [line for line in shown if line.startswith("ERROR")] == [f"ERROR: <input>:1:1: error {number}" for number in range(100)]
