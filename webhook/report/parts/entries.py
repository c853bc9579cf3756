"""One entry for each finding and each issue of a text, for the formats that rank, count or cut what they show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.records import field as default_field
from weighbridge.webhook.manifests import InputIssue, IssueKind, Position, Span
from weighbridge.webhook.report.parts.results import Located, Result, notes_of, unchecked_text

#: Used in place of a rule's id for a fault of a text, not of an object in it.
INPUT: Final = "input"
#: The same for what wasn't checked, if that makes the exit code 1.
UNCHECKED: Final = "not-checked"
_OF_ISSUES: Final = {IssueKind.ERROR: Severity.ERROR, IssueKind.FINDING: Severity.WARNING}


@dataclass(frozen=True, slots=True)
class Entry:
    """A finding, an issue of a text, or what wasn't checked, with its place.

    `severity` is that of the finding; `level` is `error` also if it makes the exit code 1. `field` is empty for a text. `details` has
    everything else that is known, by its label. `exempted` is why it doesn't count, and `by` what decided that. `lines` is the text of the
    file.
    """

    source: str
    object: str
    rule: str
    severity: Severity
    level: Severity
    field: str
    message: str
    span: Span
    details: Mapping[str, str] = default_field(default_factory=dict)
    exempted: str = ""
    by: str = ""
    lines: Sequence[str] = ()

    @property
    def text(self) -> str:
        """The message with its field."""
        return f"{self.field}: {self.message}" if self.field else self.message

    @property
    def place(self) -> str:
        """The file, with line and column if they are known."""
        start = self.span.start
        return f"{self.source}:{start.line}:{start.column}" if start.line else self.source

    @property
    def rank(self) -> int:
        """The rank for sorting: lower is worse. Of the same severity, an entry that fails the run comes first."""
        order = list(Severity)
        return len(order) * order.index(self.level) + order.index(self.severity)


def entries_of(result: Result) -> Iterator[Entry]:
    """The entries of one result: first the issues of its text, then its findings in the order of the text.

    If something that wasn't checked makes the exit code 1, the last entry says so.
    """
    for issue in result.issues:
        yield _of_issue(issue, result)
    for located in result.findings:
        yield _of_finding(located, result)
    if result.fails.unchecked:
        yield _of_unchecked(result)


def _of_issue(issue: InputIssue, result: Result) -> Entry:
    severity = _OF_ISSUES[issue.kind]
    here = Position(issue.line, max(issue.column, 1) if issue.line else 0)
    details = {"kubectl": issue.kubectl} if issue.kubectl else {}
    level = result.fails.level_of_text(severity)
    return Entry(issue.source, result.object, INPUT, severity, level, "", issue.message, Span(here, here), details, lines=result.lines)


def _of_unchecked(result: Result) -> Entry:
    here = result.start or Position(0, 0)
    text = unchecked_text(result)
    return Entry(result.source, result.object, UNCHECKED, Severity.WARNING, Severity.ERROR, "", text, Span(here, here), lines=result.lines)


def _of_finding(located: Located, result: Result) -> Entry:
    finding = located.finding
    details = notes_of(finding)
    return Entry(
        result.source,
        result.object,
        finding.rule,
        finding.severity,
        result.fails.level(finding),
        finding.field,
        finding.message,
        located.span,
        details,
        finding.exempted,
        located.by,
        result.lines,
    )
