"""Workflow commands, which GitHub shows as annotations at the lines of a change; the counts follow as one line of text.

For one step, GitHub shows ten errors, ten warnings and ten notices, and silently drops the rest. So no more are written, the worst first,
and a line says how many were left out. Source: GitHub's "Workflow commands" and the limits of its annotations.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, TextIO

from weighbridge.policies.ground.findings import Severity
from weighbridge.webhook.report.parts.entries import INPUT, Entry, entries_of
from weighbridge.webhook.report.parts.repository import Repository
from weighbridge.webhook.report.parts.results import Result, Summary
from weighbridge.webhook.report.text import count_line
from weighbridge.webhook.texts.counts import bundled_releases, counted
from weighbridge.webhook.texts.escapes import shown
from weighbridge.webhook.texts.style import Style

MOST_SHOWN: Final = 10
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


class GitHubReport:
    """Writes one workflow command per line, for annotations on GitHub. Notes are left out unless they are asked for."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        self._stream = stream
        self._style = style
        self._repository = Repository()
        self._entries: list[Entry] = []

    def write(self, result: Result) -> None:
        """Take the findings and issues of one object or text."""
        for entry in entries_of(result):
            if entry.severity is not Severity.NOTE or self._style.verbose:
                self._entries.append(entry)

    def finish(self, summary: Summary) -> None:
        """Write the annotations, how many were left out, the releases whose bundled CRDs were used, and the counts."""
        written: Counter[Severity] = Counter()
        for entry in sorted(self._entries, key=lambda entry: entry.rank):
            written[entry.level] += 1
            if written[entry.level] <= MOST_SHOWN:
                self._stream.write(self._annotation(entry))
        left = [counted(count - MOST_SHOWN, _LEVELS[level]) for level, count in written.items() if count > MOST_SHOWN]
        if left:
            self._stream.write(f"not annotated: {', '.join(left)}; GitHub shows {MOST_SHOWN} of a kind in a step\n")
        if summary.bundled:
            self._stream.write(_command("notice", {"title": "bundled CRDs"}, bundled_releases(summary.bundled)))
        self._stream.write(f"{count_line(summary, self._style)}\n")

    def _annotation(self, entry: Entry) -> str:
        start, end = entry.span.start, entry.span.end
        place: dict[str, str | int] = {"file": self._repository.path(entry.source)}
        if start.line:
            place |= {"line": start.line, "endLine": end.line, "col": start.column, "endColumn": end.column}
        title = " ".join(filter(None, (entry.rule if entry.rule != INPUT else "", entry.object)))
        text = "\n".join([entry.text, *(entry.details[label] for label in ("help",) if label in entry.details)])
        return _command(_LEVELS[entry.level], place | ({"title": title} if title else {}), text)


def _command(level: str, properties: dict[str, str | int], message: str) -> str:
    written = ",".join(f"{name}={_escaped(str(value)).replace(':', '%3A').replace(',', '%2C')}" for name, value in properties.items())
    return f"::{level} {written}::{_escaped(message)}\n"


def _escaped(text: str) -> str:
    """The text on one line, with the escapes that GitHub decodes."""
    return "%0A".join(shown(line).replace("%", "%25") for line in text.splitlines())
