"""The test points that JUnit and TAP count: one for each finding of an object, or a single one for an object without findings.

A point fails if its finding is an error. A warning or a note fails if it makes the exit code 1 (`--fail-on`); else it passes, and its text
is written. An unchecked object is skipped, since it hasn't passed. Notes are left out unless they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from weighbridge.policies.ground.findings import Severity
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.webhook.manifests import InputIssue, IssueKind
from weighbridge.webhook.report.parts.results import Located, Result, Status, notes_of, unchecked_text
from weighbridge.webhook.texts.escapes import shown


class PointOutcome(StrEnum):
    """The outcome of a point. `error` means that the text couldn't be read as an object, or that the object's result was lost."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Point:
    """One test point.

    `name`, `message` and each text of `details` are one line. `rule` is empty if the point isn't from a rule. `place` is the file, with
    line and column if they are known.
    """

    name: str
    outcome: PointOutcome
    place: str
    rule: str = ""
    message: str = ""
    details: Mapping[str, str] = field(default_factory=dict)


def points_of(result: Result, *, with_notes: bool) -> Iterator[Point]:
    """The points of a result, at least one."""
    label, place, told = shown(result.object), shown(result.source), False
    for issue in result.issues:
        yield _of_issue(issue, label, result)
        told = True
    for located in result.findings:
        if located.finding.severity is not Severity.NOTE or with_notes:
            yield _of_finding(located, label, result)
            told = True
    if result.skipped:
        yield Point(label, PointOutcome.SKIPPED, place, message=shown(result.skipped))
    elif result.unchecked:
        # With `--fail-on unchecked` or `unknown` this point fails the run.
        outcome = PointOutcome.FAILED if result.fails.unchecked else PointOutcome.SKIPPED
        yield Point(label, outcome, place, message=shown(unchecked_text(result)))
    elif not told:
        yield Point(label, PointOutcome.PASSED, place)


def _of_issue(issue: InputIssue, label: str, result: Result) -> Point:
    place = _place(issue.source, issue.line, issue.column)
    details = {"kubectl": shown(issue.kubectl)} if issue.kubectl else {}
    if result.status is Status.ERROR:
        what = f"{label}: judged" if label else f"document {result.index + 1} can be read" if issue.line else "file can be read"
        return Point(what, PointOutcome.ERROR, place, message=shown(issue.message), details=details)
    severity = Severity.ERROR if issue.kind is IssueKind.ERROR else Severity.WARNING
    outcome = _outcome(result.fails.level_of_text(severity))
    return Point(f"{label}: text", outcome, place, message=shown(issue.message), details={"severity": severity} | details)


def _of_finding(located: Located, label: str, result: Result) -> Point:
    finding, start = located.finding, located.span.start
    return Point(
        f"{label}: {finding.rule} {shown(finding.field)}".rstrip(),
        _outcome(result.fails.level(finding)),
        _place(result.source, start.line, start.column),
        finding.rule,
        shown(finding.message),
        {"severity": finding.severity} | {name: shown(text) for name, text in notes_of(finding).items()},
    )


def _outcome(level: Severity) -> PointOutcome:
    return PointOutcome.FAILED if level is Severity.ERROR else PointOutcome.PASSED


def _place(source: str, line: int, column: int) -> str:
    return shown(f"{source}:{line}:{column}" if line else source)
