"""Findings for people: with source lines on a terminal, without them in files and pipes.

The full form resembles that of compilers: the message, the place, the source with carets, and a suggestion. Files and pipes get
``path:line:column: severity[RULE] field: message (object)``, and below it, indented, the suggestion. The last line always has the counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, TextIO

from weighbridge.policies.ground.findings import Severity
from weighbridge.webhook.manifests import InputIssue, IssueKind, Position, Span
from weighbridge.webhook.report.parts.results import Located, Result, Summary, notes_of
from weighbridge.webhook.texts import cells
from weighbridge.webhook.texts.counts import bundled_releases, counted, older_forms, partly_checked
from weighbridge.webhook.texts.style import Role, Style

_SEVERITY: Final = {IssueKind.ERROR: Severity.ERROR, IssueKind.FINDING: Severity.WARNING}


class TextReport:
    """Writes text for people: with source and carets on a terminal, else one line per finding with the suggestion below."""

    def __init__(self, stream: TextIO, style: Style) -> None:
        self._stream = stream
        self._style = style
        self._unchecked: Counter[tuple[str, str]] = Counter()
        self._crds: dict[str, None] = {}
        self._older_forms: Counter[str] = Counter()
        self._kinds: set[str] = set()
        self._has_failed_unchecked = False

    def write(self, result: Result) -> None:
        """Write the findings and issues of one object or text; nothing if it passed."""
        for entry in result.unchecked:
            self._unchecked[entry.subject, entry.reason] += 1
        self._kinds.add(result.unknown_kind)
        self._has_failed_unchecked |= result.fails.unchecked
        if result.crd is not None:
            from weighbridge.policies.apiserver.demands import told_losses

            self._crds[told_losses(result.crd)] = None
        self._older_forms[result.source] += result.older_form
        for issue in result.issues:
            self._lines(self._full_issue(issue, result) if self._style.full else [_concise_issue(issue, result)])
        for located in result.findings:
            if located.finding.severity is Severity.NOTE and not self._style.verbose:
                continue  # only counted
            self._lines(self._full(located, result) if self._style.full else _concise(located, result))

    def finish(self, summary: Summary) -> None:
        """Write the objects to migrate, what installed CRDs lack, what wasn't checked, the bundled CRDs that were used, and the counts."""
        for text in older_forms(+self._older_forms):
            self._told(text)
        for text in self._crds:
            self._told(text)
        for text in self._not_checked():
            self._told(f"not checked: {text}")
        if summary.bundled:
            self._told(bundled_releases(summary.bundled))
        for entry in summary.passed_over if self._style.verbose else ():
            self._told(f"passed over: {entry}")
        if self._style.verbose and summary.settings:
            self._told(f"settings of {summary.settings}")
        if summary.chosen and (summary.failed or summary.warned):
            self._told(f"judged as Kubernetes {summary.kubernetes} does; name another with --kubernetes-version")
        elif self._style.verbose and summary.kubernetes:
            self._told(f"judged as Kubernetes {summary.kubernetes} does")
        self._told(count_line(summary, self._style))

    def _not_checked(self) -> Iterator[str]:
        """The objects that weren't fully checked, with the reasons; in one line if they neither fail the run nor -v is given."""
        entries = sorted(self._unchecked.items())
        if self._style.verbose or self._has_failed_unchecked or len(entries) < 2:
            yield from (f"{subject}: {reason} ({counted(count, 'object')})" for (subject, reason), count in entries)
            return
        kinds = sum(subject in self._kinds for (subject, _), _ in entries)
        parts = [f"{counted(kinds, 'kind')} without a known CRD"] if kinds else []
        parts += [counted(len(entries) - kinds, "check") + " for lack of facts"] if len(entries) > kinds else []
        yield f"{' and '.join(parts)} (-v lists them)"

    def _told(self, text: str) -> None:
        self._lines(self._wrapped(cells.one_line(text)) if self._style.full else [cells.one_line(text)])

    def _lines(self, lines: Iterator[str] | list[str]) -> None:
        for line in lines:
            self._stream.write(line + "\n")

    def _wrapped(self, text: str) -> list[str]:
        return cells.wrap(text, self._style.width)

    def _full(self, located: Located, result: Result) -> Iterator[str]:
        finding = located.finding
        role = Role(finding.severity)
        yield from self._headline(role, f"{finding.severity}[{finding.rule}]", finding.message)
        yield from self._place(located.span, role, result)
        yield from self._notes(located.span, {"field": finding.field, **notes_of(finding)})

    def _full_issue(self, issue: InputIssue, result: Result) -> Iterator[str]:
        role = Role(_SEVERITY[issue.kind])
        here = Position(issue.line, issue.column)
        span = Span(here, here)
        yield from self._headline(role, str(role), issue.message)
        yield from self._place(span, role, result)
        yield from self._notes(span, {"kubectl": issue.kubectl})

    def _headline(self, role: Role, title: str, message: str) -> Iterator[str]:
        text = cells.one_line(f"{title} {message}" if "[" in title else f"{title}: {message}")
        for number, line in enumerate(self._wrapped(text)):
            if number:
                yield self._style.paint(Role.HEADLINE, line)
            else:
                yield self._style.paint(role, line[: len(title)]) + self._style.paint(Role.HEADLINE, line[len(title) :])

    def _place(self, span: Span, role: Role, result: Result) -> Iterator[str]:
        where = cells.one_line(_where(result.source, span.start))
        label = cells.one_line(result.object)
        arrow = self._style.paint(Role.GUTTER, "  -->")
        if label and cells.width(where) + cells.width(label) + 8 > self._style.width:
            yield f"{arrow} {where}"
            yield f"      {label}"
        else:
            yield f"{arrow} {where}  {label}".rstrip()
        from weighbridge.webhook.report.parts.excerpt import excerpt

        yield from excerpt(result.lines, span, role, self._style)

    def _notes(self, span: Span, notes: dict[str, str]) -> Iterator[str]:
        """The lines with further details, their texts aligned, and the blank line that ends an entry."""
        told = {label: cells.one_line(text) for label, text in notes.items() if text}
        longest = max(map(len, told), default=0) + 1
        margin = len(str(span.start.line + 2))
        indent = margin + longest + 4
        for label, text in told.items():
            first, *others = cells.wrap(text, max(self._style.width - indent, 20))
            head = f"{'':{margin}} {self._style.paint(Role.GUTTER, '=')} {self._style.paint(Role.LABEL, f'{label}:')}"
            yield f"{head}{'':{longest - len(label)}}{first}"
            for line in others:
                yield f"{'':{indent}}{line}"
        yield ""


def _where(source: str, position: Position) -> str:
    return f"{source}:{position.line}:{position.column}" if position.line else source


def _concise(located: Located, result: Result) -> Iterator[str]:
    finding = located.finding
    exempted = f" (exempted: {finding.exempted})" if finding.exempted else ""
    where = _where(result.source, located.span.start)
    yield cells.one_line(f"{where}: {finding.severity}[{finding.rule}] {finding}{exempted}{_whose(result)}")
    nearest = "" if finding.nearest in finding.message else finding.nearest
    for label, text in (("nearest", nearest), ("help", finding.remedy), ("config", finding.configuration)):
        if text:
            yield f"    {label}: {cells.one_line(text)}"


def _concise_issue(issue: InputIssue, result: Result) -> str:
    where = _where(issue.source, Position(issue.line, issue.column))
    return cells.one_line(f"{where}: {_SEVERITY[issue.kind]}: {issue.message}{_whose(result)}")


def _whose(result: Result) -> str:
    return f" ({result.object})" if result.object else ""


def count_line(summary: Summary, style: Style) -> str:
    """The last line: the counts of each verdict. Rare verdicts are named only if there are any."""
    judged = summary.objects - summary.unknown - summary.skipped
    parts = [f"{summary.failed} failed", f"{summary.warned} warned"]
    rare = {
        f"{summary.never_runs} that no node can run": summary.never_runs,
        f"{summary.pods_refused} whose pods are refused": summary.pods_refused,
        partly_checked(summary.not_fully_checked, judged): summary.not_fully_checked,
        counted(summary.errors, "error"): summary.errors,
        f"{summary.unknown} not checked": summary.unknown,
        f"{summary.skipped} skipped": summary.skipped,
        f"{counted(summary.notes, 'note')}{'' if style.verbose else ' (-v shows them)'}": summary.notes,
        f"{summary.excepted} excepted": summary.excepted,
        f"{counted(summary.ignored, 'finding')} ignored": summary.ignored,
        f"{counted(summary.baselined, 'finding')} of the baseline": summary.baselined,
        f"{counted(summary.templates, 'template')} passed over": summary.templates,
        f"{counted(summary.others, 'other document')} passed over": summary.others,
        f"{counted(summary.left_out, 'path')} left out{'' if style.verbose else ' (-v lists them)'}": summary.left_out,
    }
    parts += [text for text, count in rare.items() if count]
    what = "" if judged == summary.objects else f"{judged} of "
    return f"checked {what}{counted(summary.objects, 'object')} in {counted(summary.files, 'file')}: {', '.join(parts)}"
