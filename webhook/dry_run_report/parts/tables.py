"""A table as lines of text. Columns are as wide as their texts; if that is too wide, texts take several lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from weighbridge.webhook.texts.cells import fold, parts, width
from weighbridge.webhook.texts.escapes import shown

if TYPE_CHECKING:
    from weighbridge.webhook.dry_run_report.parts.shapes import TableRecord

_GAP: Final = 2
#: The least width to which a column is narrowed.
_LEAST: Final = 8


def shortened(table: TableRecord, most: int = 0) -> tuple[TableRecord, str]:
    """A table with only the rows that are shown by default, and the remark on the others; with all rows if `most` is 0."""
    if rest := table.get("rest", ""):
        return {**table, "rows": table["rows"][: table.get("first", 0)]}, rest
    more = len(table["rows"]) - most if most else 0
    return ({**table, "rows": table["rows"][:most]}, f"and {more} more") if more > 0 else (table, "")


def table_lines(table: TableRecord, room: int) -> Iterator[str]:
    """The title, the columns' names and the rows, in lines of at most `room` cells if that leaves eight for each column."""
    first, *others = fold(shown(table["title"]), max(room, _LEAST) - _GAP)
    yield first
    yield from (" " * _GAP + line for line in others)
    rows = [[shown(text) for text in row] for row in (table["columns"], *table["rows"])]
    widths = _widths(rows, room)
    for row in rows:
        yield from _row_lines(row, widths)


def _widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """The widths of the columns: those of their widest texts.

    If that is too wide, the widest columns are narrowed, first to their longest words, then to the parts of these.
    """
    columns = list(zip(*rows, strict=True))
    widths = [max(map(width, column)) for column in columns]
    words = [{word for text in column for word in text.split()} | {""} for column in columns]
    longest = [max(map(width, column)) for column in words]
    longest_parts = [max(width(part) for word in column for part in [*parts(word), ""]) for column in words]
    for least in (longest, longest_parts, [_LEAST] * len(columns)):
        while sum(widths) + _GAP * (len(widths) - 1) > room:
            spare = [size - floor for size, floor in zip(widths, least, strict=True)]
            if max(spare) <= 0:
                break
            widths[max(range(len(widths)), key=partial(_rank, widths, spare))] -= 1
    return widths


def _rank(widths: Sequence[int], spare: Sequence[int], column: int) -> tuple[bool, int]:
    return spare[column] > 0, widths[column]


def _row_lines(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    cells = [fold(text, size) for text, size in zip(row, widths, strict=True)]
    for line in zip_longest(*cells, fillvalue=""):
        padded = [part + " " * (size - width(part)) for part, size in zip(line, widths, strict=True)]
        yield (" " * _GAP).join(padded).rstrip()
