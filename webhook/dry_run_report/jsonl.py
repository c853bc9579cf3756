"""`jsonl`: one verdict per line, in the order of the requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO

from weighbridge.webhook.dry_run_report.parts.verdicts import Verdict
from weighbridge.webhook.texts.json_text import readable
from weighbridge.webhook.texts.streams import in_utf_8
from weighbridge.webhook.texts.style import Style


class JsonLinesFormat:
    """Writes one line per verdict, and flushes each for a reader at the other end of a pipe."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        del style  # JSON doesn't depend on the style
        self._stream = in_utf_8(stream)

    def write(self, verdict: Verdict) -> None:
        """Write one line."""
        self._stream.write(readable(verdict.record) + "\n")
        self._stream.flush()

    def finish(self, passed_over: Mapping[str, int]) -> None:
        """Do nothing: the format has no end."""
