"""How wide a table's columns are, and on which line of YAML each field begins."""

from __future__ import annotations

import pytest

from weighbridge.policies.ground.objects import JSONValue
from weighbridge.webhook.dry_run_report.parts.shapes import TableRecord
from weighbridge.webhook.dry_run_report.parts.tables import table_lines
from weighbridge.webhook.dry_run_report.parts.yaml_lines import lines_of

TABLE: TableRecord = {
    "title": "the title of it is long",
    "columns": ["aa", "bbbbb", "c"],
    "rows": [["one two three", "x", "four five"], ["a-much-longer-name", "v w vvvvvv", "fin"]],
}
#: The width of each column for whole texts, for texts broken at spaces, and for texts broken within words.
WHOLE = ["aa                  bbbbb       c", "one two three       x           four five", "a-much-longer-name  v w vvvvvv  fin"]


@pytest.mark.parametrize(
    ("room", "rows"),
    [
        (42, WHOLE),
        (41, WHOLE),
        (
            40,
            [
                "aa                  bbbbb      c",
                "one two three       x          four five",
                "a-much-longer-name  v w        fin",
                "                    vvvvvv",
            ],
        ),
        (
            32,
            [
                "aa                  bbbbb   c",
                "one two three       x       four",
                "                            five",
                "a-much-longer-name  v w     fin",
                "                    vvvvvv",
            ],
        ),
        (
            31,
            [
                "aa                 bbbbb   c",
                "one two three      x       four",
                "                           five",
                "a-much-longer-nam  v w     fin",
                "e                  vvvvvv",
            ],
        ),
        (
            22,
            [
                "aa        bbbbb   c",
                "one two   x       four",
                "three             five",
                "a-much-l  v w     fin",
                "onger-na  vvvvvv",
                "me",
            ],
        ),
    ],
)
def test_the_widest_column_gives_way_until_the_table_fits(room: int, rows: list[str]) -> None:
    lines = list(table_lines(TABLE, room))
    assert lines[-len(rows) :] == rows
    assert " ".join(line.strip() for line in lines[: -len(rows)]) == TABLE["title"]
    assert max(map(len, lines)) <= room


def test_a_column_is_never_narrower_than_eight_cells_for_want_of_room() -> None:
    assert list(table_lines(TABLE, 5)) == ["the", "  title", "  of it", "  is", "  long", *list(table_lines(TABLE, 22))[2:]]


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        (1, [("1", "")]),
        ([], [("[]", "")]),
        ({"b": 1, "a": "x\ny"}, [('a: "x\\ny"', "a"), ("b: 1", "b")]),
        (
            {"z": 1, "name": "n", "kind": "K", "metadata": {"q": {}, "name": "m"}, "apiVersion": "v1"},
            [
                ("apiVersion: v1", "apiVersion"),
                ("kind: K", "kind"),
                ("metadata:", "metadata"),
                ("  name: m", "metadata.name"),
                ("  q: {}", "metadata.q"),
                ("name: 'n'", "name"),
                ("z: 1", "z"),
            ],
        ),
        (
            {"a": [{"b": [1, [2, 3], {"c": {"d": 4}}]}, [], {}, "t"]},
            [
                ("a:", "a"),
                ("- b:", "a[0].b"),
                ("  - 1", "a[0].b[0]"),
                ("  - - 2", "a[0].b[1][0]"),
                ("    - 3", "a[0].b[1][1]"),
                ("  - c:", "a[0].b[2].c"),
                ("      d: 4", "a[0].b[2].c.d"),
                ("- []", "a[1]"),
                ("- {}", "a[2]"),
                ("- t", "a[3]"),
            ],
        ),
    ],
)
def test_each_line_of_yaml_is_known_by_the_field_that_begins_on_it(value: JSONValue, lines: list[tuple[str, str]]) -> None:
    assert list(lines_of(value)) == lines


def test_what_nests_deeper_than_a_hundred_levels_is_shown_on_one_line() -> None:
    value: JSONValue = {"deep": 1, "deeper": 2}
    for _ in range(100):
        value = {"a": value}
    lines = list(lines_of(value))
    assert [line.strip() for line, _ in lines[100:]] == ["deep: 1", "deeper: 2"]
    assert lines[100][0] == " " * 200 + "deep: 1"
    *keys, (last, field) = lines_of({"a": value})
    assert [line.strip() for line, _ in keys] == ["a:"] * 101
    assert (last, field) == (" " * 202 + '{"deep":1,"deeper":2}', ".".join("a" * 101))
