"""`jsonl`: one verdict per line, in the order of the requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO

from weighbridge.webhook.dry_run_report.parts.verdicts import Verdict
from weighbridge.webhook.texts.json_text import readable
from weighbridge.webhook.texts.streams import in_utf_8
from weighbridge.webhook.texts.style import Style


class JsonLinesFormat:
    """Writes and flushes line by line, so that a reader at the other end of a pipe can keep step."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        del style  # it looks the same everywhere
        self._stream = in_utf_8(stream)

    def write(self, verdict: Verdict) -> None:
        """One line."""
        self._stream.write(readable(verdict.record) + "\n")
        self._stream.flush()

    def finish(self, passed_over: Mapping[str, int]) -> None:
        """Nothing comes last."""
