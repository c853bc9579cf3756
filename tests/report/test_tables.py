"""Tables of predictions as text."""

from __future__ import annotations

from weighbridge.webhook.dry_run_report.parts.shapes import TableRecord
from weighbridge.webhook.dry_run_report.parts.tables import table_lines
from weighbridge.webhook.texts.cells import width
from weighbridge.webhook.texts.style import UNBROKEN

TABLE: TableRecord = {
    "title": "templates:",
    "columns": ["template", "GPU", "outcome"],
    "rows": [["fast", "1 x MI300X", "chosen"], ["a-much-longer-name", "", "left out: the cluster doesn't have its GPU"]],
}


def test_columns_are_as_wide_as_their_texts() -> None:
    assert list(table_lines(TABLE, 100)) == [
        "templates:",
        "template            GPU         outcome",
        "fast                1 x MI300X  chosen",
        "a-much-longer-name              left out: the cluster doesn't have its GPU",
    ]


def test_a_narrow_table_breaks_at_spaces_and_words_stay_whole() -> None:
    lines = list(table_lines(TABLE, 50))
    assert max(map(width, lines)) <= 50
    assert len(lines) > 4
    assert {word for line in lines for word in line.split()} == {
        word for row in [TABLE["columns"], *TABLE["rows"]] for cell in row for word in cell.split()
    } | {"templates:"}


def test_words_are_broken_where_nothing_else_fits() -> None:
    lines = list(table_lines(TABLE, 30))
    assert max(map(width, lines)) <= 30
    assert "".join(line[:8].strip() for line in lines[3:]).startswith("a-much-")


def test_lines_of_wide_characters_are_no_wider_than_the_room() -> None:
    table: TableRecord = {"title": "名" * 30, "columns": ["a", "b"], "rows": [["模型 " * 10, "名" * 20], ["é" * 5, "x"]]}
    lines = list(table_lines(table, 30))
    assert max(map(width, lines)) <= 30
    assert "".join(lines).count("名") == 50
    assert "".join(lines).count("模型") == 10


def test_wide_characters_take_two_cells_and_orders_to_a_terminal_are_shown() -> None:
    table: TableRecord = {"title": "t\x1b[0m", "columns": ["名", "b"], "rows": [["a", "\u202e"]]}
    assert list(table_lines(table, 80)) == ["t\\x1b[0m", "名  b", "a   \\u202e"]


NAMES: TableRecord = {
    "title": "runtime config:",
    "columns": ["field", "value"],
    "rows": [["env.VLLM_LOGGING_LEVEL_OF_THE_ENGINE", '"/models/{.metadata.namespace}/{.metadata.name}"']],
}


def test_a_name_that_is_too_long_breaks_where_a_part_of_it_ends() -> None:
    assert list(table_lines(NAMES, 60)) == [
        "runtime config:",
        "field                             value",
        'env.                              "/models/{.metadata.',
        "VLLM_LOGGING_LEVEL_OF_THE_ENGINE  namespace}/{.metadata.",
        '                                  name}"',
    ]


def test_where_there_is_no_width_nothing_is_broken() -> None:
    assert [line.split() for line in table_lines(NAMES, UNBROKEN)][2] == NAMES["rows"][0]
