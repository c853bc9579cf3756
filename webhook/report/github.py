"""Workflow commands, which GitHub shows as annotations at the lines of a change; the counts follow as one line of text."""

from __future__ import annotations

from typing import Final, TextIO

from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.webhook.manifests import InputIssue, IssueKind
from weighbridge.webhook.report.results import Located, Result, Summary
from weighbridge.webhook.report.text import count_line
from weighbridge.webhook.texts.counts import bundled_releases
from weighbridge.webhook.texts.escapes import shown
from weighbridge.webhook.texts.style import Style

_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_ISSUES: Final = {IssueKind.ERROR: "error", IssueKind.FINDING: "warning"}


class GitHubReport:
    """One workflow command a line, for annotations on GitHub."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        self._stream = stream
        self._style = style

    def write(self, result: Result) -> None:
        """Write what is said of one object or text."""
        for issue in result.issues:
            self._stream.write(_issue(issue))
        for located in result.findings:
            self._stream.write(_finding(result, located))

    def finish(self, summary: Summary) -> None:
        """Write whose CRDs were asked, and the counts."""
        if summary.bundled:
            self._stream.write(_command("notice", {"title": "bundled CRDs"}, bundled_releases(summary.bundled)))
        self._stream.write(f"{count_line(summary, self._style)}\n")


def _finding(result: Result, located: Located) -> str:
    finding, span = located.finding, located.span
    place = {"line": span.start.line, "endLine": span.end.line, "col": span.start.column, "endColumn": span.end.column}
    title = f"{finding.rule} {result.object}".strip()
    return _command(_LEVELS[finding.severity], {"file": result.source, **place, "title": title}, _text(finding))


def _issue(issue: InputIssue) -> str:
    place = {"line": issue.line, "col": issue.column} if issue.line else {}
    return _command(_ISSUES.get(issue.kind, "notice"), {"file": issue.source, **place}, issue.message)


def _text(finding: Finding) -> str:
    return f"{finding}\n{finding.hint}" if finding.hint else str(finding)


def _command(level: str, properties: dict[str, str | int], message: str) -> str:
    written = ",".join(f"{name}={_escaped(str(value)).replace(':', '%3A').replace(',', '%2C')}" for name, value in properties.items())
    return f"::{level} {written}::{_escaped(message)}\n"


def _escaped(text: str) -> str:
    """A text on one line, as GitHub reads it: the escapes are those that it undoes."""
    return "%0A".join(shown(line).replace("%", "%25") for line in text.splitlines())
