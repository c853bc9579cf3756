"""GitLab's code quality report: a JSON array with an entry for each finding, each written at once.

GitLab shows entries in the widget of a merge request and at their lines, and recognizes them by their fingerprints. It reads paths relative
to the repository's root, and of the place only the line. Source: GitLab 18, "Code Quality", report format.
"""

from __future__ import annotations

from typing import Final, TextIO

from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.report.parts.entries import Entry, entries_of
from weighbridge.webhook.report.parts.fingerprints import Identities
from weighbridge.webhook.report.parts.opening import Opening
from weighbridge.webhook.report.parts.repository import Repository
from weighbridge.webhook.report.parts.results import Result, Summary
from weighbridge.webhook.texts.json_text import readable
from weighbridge.webhook.texts.streams import in_utf_8
from weighbridge.webhook.texts.style import Style

#: By level and severity: a finding that only makes the exit code 1 is less severe than a refusal.
_SEVERITIES: Final = {
    (Severity.ERROR, Severity.ERROR): "critical",
    (Severity.ERROR, Severity.WARNING): "major",
    (Severity.ERROR, Severity.NOTE): "major",
    (Severity.WARNING, Severity.WARNING): "minor",
}


class GitLabReport:
    """Writes GitLab's code quality report. Notes are left out unless they are asked for; excepted findings always are."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        self._stream = in_utf_8(stream)
        self._with_notes = style.verbose
        self._repository, self._identities = Repository(), Identities()
        self._opening, self._separator = Opening("["), ""

    def write(self, result: Result) -> None:
        """Write the findings and issues of one object or text."""
        for entry in entries_of(result):
            if entry.exempted or (entry.severity is Severity.NOTE and not self._with_notes):
                continue
            self._stream.write(f"{self._opening.take()}{self._separator}\n{readable(self._record(entry))}")
            self._separator = ","

    def finish(self, summary: Summary) -> None:
        """Close the array. The format has no counts."""
        del summary
        self._stream.write(f"{self._opening.take()}\n]\n")

    def _record(self, entry: Entry) -> JSONObject:
        path = self._repository.path(entry.source).removeprefix("./")
        description = f"{entry.object}: {entry.text}" if entry.object else entry.text
        help_text = "\n".join(f"{label}: {text}" for label, text in entry.details.items())
        return {
            "description": description,
            "check_name": entry.rule,
            "fingerprint": self._identities.of(entry, path),
            "severity": _SEVERITIES.get((entry.level, entry.severity), "info"),
            "location": {"path": path, "lines": {"begin": max(entry.span.start.line, 1), "end": max(entry.span.end.line, 1)}},
            **({"content": {"body": help_text}} if help_text else {}),
        }
