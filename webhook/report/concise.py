"""One line per finding, for editors and `grep`: ``path:line:column: RULE field: message``. The last line has the counts."""

from __future__ import annotations

from typing import TextIO

from weighbridge.policies.ground.findings import Severity
from weighbridge.webhook.report.parts.entries import entries_of
from weighbridge.webhook.report.parts.results import Result, Summary
from weighbridge.webhook.report.text import count_line
from weighbridge.webhook.texts.cells import one_line
from weighbridge.webhook.texts.style import Style


class ConciseReport:
    """Writes one line per finding, and the counts."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        self._stream = stream
        self._style = style

    def write(self, result: Result) -> None:
        """Write a line for each finding and each issue of a text; notes only if they are asked for."""
        for entry in entries_of(result):
            if entry.severity is not Severity.NOTE or self._style.verbose:
                self._stream.write(one_line(f"{entry.place}: {entry.rule} {entry.text}") + "\n")

    def finish(self, summary: Summary) -> None:
        """Write the counts."""
        self._stream.write(f"{count_line(summary, self._style)}\n")
