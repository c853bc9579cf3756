"""`json`: one JSON document with all verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO

from weighbridge.webhook.dry_run_report.parts.record import VERSION
from weighbridge.webhook.dry_run_report.parts.verdicts import Verdict
from weighbridge.webhook.texts.json_text import readable
from weighbridge.webhook.texts.streams import in_utf_8
from weighbridge.webhook.texts.style import Style


class JsonFormat:
    """Writes ``{"version": 1, "verdicts": [...]}``, each verdict at once."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        del style  # JSON doesn't depend on the style
        self._stream = in_utf_8(stream)
        self._opening = f'{{"version": {VERSION}, "verdicts": [\n'

    def write(self, verdict: Verdict) -> None:
        """Write one element of the list."""
        self._stream.write(self._opening + readable(verdict.record, indent=True))
        self._opening = ",\n"

    def finish(self, passed_over: Mapping[str, int]) -> None:
        """Close the list."""
        self._stream.write("\n]}\n" if self._opening == ",\n" else self._opening + "]}\n")
