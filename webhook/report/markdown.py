"""A comment for a pull request, or the summary of a job: a table in GitHub's Markdown, the worst findings first.

A comment has 65,536 characters at most. Rows that don't fit are left out whole, and counted. No shown text can become an image, a mention,
a reference or a cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TextIO

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.findings import Severity
from weighbridge.webhook.report.parts.entries import Entry, entries_of
from weighbridge.webhook.report.parts.repository import Repository
from weighbridge.webhook.report.parts.results import Result, Summary
from weighbridge.webhook.report.text import count_line
from weighbridge.webhook.texts.counts import counted
from weighbridge.webhook.texts.escapes import shown
from weighbridge.webhook.texts.streams import in_utf_8
from weighbridge.webhook.texts.style import Style

#: Fewer characters than a comment may have, since some tools count bytes.
MOST: Final = 65_000
_LONGEST_CELL: Final = 4000
_LARGEST_PICTURE: Final = 16_000
_HEAD: Final = "| | place | object | finding |\n|---|---|---|---|\n"
#: Characters with a meaning in Markdown or in HTML.
_SPECIAL: Final = expression(r"[\\`*_\[\]<>|~&]")
#: Texts that become a mention or a reference on GitHub, together with the word that follows.
_MENTIONING: Final = expression(r"[@#](?=\w)")
_PLAIN_CODE: Final = expression(r"[^`|\\]+")


class MarkdownReport:
    """Writes a table for a pull request, the worst findings first."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        self._stream = in_utf_8(stream)
        self._style = style
        self._repository = Repository()
        self._entries: list[Entry] = []

    def write(self, result: Result) -> None:
        """Take the findings and issues of one object or text."""
        for entry in entries_of(result):
            if entry.severity is not Severity.NOTE or self._style.verbose:
                self._entries.append(entry)

    def finish(self, summary: Summary) -> None:
        """Write the heading, the table and the counts."""
        errors = sum(entry.level is Severity.ERROR for entry in self._entries)
        found = f"{counted(errors, 'error')}, {counted(len(self._entries) - errors, 'warning')}" if self._entries else "nothing found"
        opening = f"### Weighbridge: {found}\n\n"
        ending = f"\n{_escaped(count_line(summary, self._style))}\n{_pictured(summary.picture)}"
        room = MOST - len((opening + _HEAD + ending).encode())
        rows, left = [], 0
        for entry in sorted(self._entries, key=lambda entry: entry.rank):
            row = self._row(entry)
            room -= len(row.encode(errors="replace"))
            if left or room < 0:
                left += 1
            else:
                rows.append(row)
        more = f"\n{counted(left, 'more finding')} didn't fit; the job's log has them all.\n" if left else ""
        self._stream.write(opening + (_HEAD + "".join(rows) if rows else "") + more + ending)

    def _row(self, entry: Entry) -> str:
        place = self._repository.path(entry.place)
        cells = (str(entry.level), _code(place), _code(entry.object), "<br>".join(_said(entry)))
        return f"| {' | '.join(cells)} |\n"


def _pictured(picture: str) -> str:
    """The picture of the nodes, folded up; if it is too large, a hint at the command that shows it."""
    if not picture:
        return ""
    if len(picture.encode(errors="replace")) > _LARGEST_PICTURE:
        return "\nThe picture of the nodes is too large for a comment; `weighbridge fit` shows it.\n"
    text = "\n".join(shown(line).replace("`", "'") for line in picture.splitlines())
    return f"\n<details><summary>Where the pods could go</summary>\n\n```text\n{text}\n```\n\n</details>\n"


def _said(entry: Entry) -> Iterator[str]:
    field = f"{_code(entry.field)}: " if entry.field else ""
    yield f"**{_escaped(entry.rule)}** {field}{_escaped(entry.message)}"
    for label in ("nearest", "help", "config", "exempted"):
        if text := entry.details.get(label):
            yield f"{label}: {_code(text) if label == 'config' else _escaped(text)}"


def _escaped(text: str) -> str:
    """The text, escaped so that it is shown as written."""
    return _MENTIONING.sub(r"<span>\g<0></span>", _SPECIAL.sub(r"\\\g<0>", _one_line(text)))


def _code(text: str) -> str:
    """The text as code, in which GitHub finds no mentions."""
    if not text:
        return ""
    line = _one_line(text)
    if _PLAIN_CODE.fullmatch(line) and line == line.strip():
        return f"`{line}`"
    return "<code>" + _SPECIAL.sub(r"\\\g<0>", line) + "</code>"


def _one_line(text: str) -> str:
    line = " ".join(shown(part) for part in text.splitlines())
    return line if len(line) <= _LONGEST_CELL else f"{line[:_LONGEST_CELL]}…"
