"""JSON Lines for tools that read along: a line for each result, as in the JSON report, and a last line with the summary."""

from __future__ import annotations

from typing import TextIO

from weighbridge.webhook.report.json import result_record, run_record
from weighbridge.webhook.report.parts.results import Result, Summary
from weighbridge.webhook.texts.json_text import readable
from weighbridge.webhook.texts.streams import in_utf_8
from weighbridge.webhook.texts.style import Style


class JSONLinesReport:
    """Writes one JSON object per line, and flushes each for a reader at the other end of a pipe."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        del style  # JSON doesn't depend on the style
        self._stream = in_utf_8(stream)

    def write(self, result: Result) -> None:
        """Write one result."""
        self._line(readable(result_record(result)))

    def finish(self, summary: Summary) -> None:
        """Write the version and the summary."""
        self._line(readable(run_record(summary)))

    def _line(self, text: str) -> None:
        self._stream.write(text + "\n")
        self._stream.flush()
