"""`yaml`: the objects as they would be stored, to be read or piped on. For a refused one there is only a comment with the reasons.

If configurations apply to an object, the merged one follows as a comment, with the origin of each value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO

from weighbridge.webhook.dry_run_report.effective import merged_lines
from weighbridge.webhook.dry_run_report.parts.verdicts import Verdict
from weighbridge.webhook.texts.escapes import comment, shown
from weighbridge.webhook.texts.streams import in_utf_8
from weighbridge.webhook.texts.style import Style
from weighbridge.webhook.texts.yaml_text import yaml_text


class YamlFormat:
    """Writes one YAML document per request."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        del style  # YAML doesn't depend on the style
        self._stream = in_utf_8(stream)

    def write(self, verdict: Verdict) -> None:
        """Write the stored object, or comments."""
        record = verdict.record
        told = [f"{shown(verdict.place or record['id'])}: {verdict.outcome}", *filter(None, [record["message"]])]
        told += [f"warning: {warning}" for warning in record["warnings"]]
        comments = (line for text in told for line in comment(text))
        self._stream.write("---\n" + "\n".join(comments) + "\n")
        if record["allowed"] and record["object"] is not None:
            self._stream.write(yaml_text(record["object"]))
            effective = record.get("effective")
            for line in merged_lines(effective) if effective is not None else ():
                self._stream.write("\n".join(comment(line)) + "\n")

    def finish(self, passed_over: Mapping[str, int]) -> None:
        """Do nothing: the format has no end."""
