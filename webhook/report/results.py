"""What every report format is given: one result for each object or file, and the counts at the end.

A result with the status `not checked` is no pass: some rule had no facts to judge by, and reports count it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Protocol

from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.webhook.manifests import Document, InputIssue, IssueKind, Manifest, PassedOver, Span, Standing
from weighbridge.webhook.manifests.yaml_words import with_word, yaml_word

if TYPE_CHECKING:
    from weighbridge.policies.config.policies import Policy

#: What ignores a finding that was there before.
BASELINE: Final = "baseline"


class Status(StrEnum):
    """The outcome for an object; of several the worst.

    `skipped` is an object that is none of ours to judge, such as one of a built-in kind; `error` is what holds no object at all, or an
    object whose result was lost.
    """

    PASSED = "passed"
    FAILED = "failed"
    WARNED = "warned"
    NOT_CHECKED = "not checked"
    SKIPPED = "skipped"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Located:
    """A finding and the place of the field it speaks of.

    `by` is what ignores it: comment, annotation, setting or baseline; empty if nothing does, or an exception of the configuration.
    `source` is the file that it leads to, if the object was rendered from that one.
    """

    finding: Finding
    span: Span
    by: str = ""
    source: str = ""

    @classmethod
    def of(cls, finding: Finding, manifest: Manifest) -> Located:
        """A finding in the text of its object; its hint says how YAML reads what is written there, where that is the fault."""
        return cls(with_word(finding, yaml_word(finding, manifest)), manifest.span(finding.path))


def notes_of(finding: Finding) -> dict[str, str]:
    """What a finding says besides its message, by the label under which people read it."""
    told = {
        "found": finding.found,
        "expected": finding.expected,
        "nearest": finding.nearest,
        "help": finding.hint,
        "config": finding.configuration,
        "exempted": finding.exempted,
    }
    return {label: text for label, text in told.items() if text}


def _status(findings: Sequence[Finding], issues: Sequence[InputIssue], unchecked: Sequence[Unchecked], skipped: str) -> Status:
    severities = {finding.severity for finding in findings}
    kinds = {issue.kind for issue in issues}
    if Severity.ERROR in severities or IssueKind.ERROR in kinds:
        return Status.FAILED
    if Severity.WARNING in severities or IssueKind.FINDING in kinds:
        return Status.WARNED
    if skipped:
        return Status.SKIPPED
    return Status.NOT_CHECKED if unchecked else Status.PASSED


@dataclass(frozen=True, slots=True)
class Result:
    """One judged object, or one file or document that couldn't be read.

    `index` is the document's number in its file from 0; `object` its kind, namespace and name, empty where there is no object. `lines` is
    the text of the file, there only if something is said about it. `never_runs` says that none of its pods will ever run; `skipped` why
    it is none of ours to judge, and `unknown` that no CRD of its kind is known. `crd` is what the installed CRD of the object lacks,
    `None` where that is nothing. `older_form` says that it was refused and `weighbridge migrate` rewrites it. With `pods_refused` it is the
    API server that takes none of its pods, not the nodes. `fails` says that it makes the exit code 1. `unknown_kind` is the
    kind if no CRD of it is known, whatever else was found. `seconds` is how long it took to judge. `earlier` is there of an
    object that is judged only for what is new: what was found before. `is_part` says that it has further findings on the object of the
    result before it, in another file. `bundled` names the release whose bundled CRD
    findings come from, empty where none does. `groups` are the pods that the object runs at a time (`policies/pods/groups.py`).
    """

    source: str
    index: int
    object: str
    status: Status
    findings: Sequence[Located] = ()
    issues: Sequence[InputIssue] = ()
    unchecked: Sequence[Unchecked] = ()
    lines: Sequence[str] = ()
    never_runs: bool = False
    skipped: str = ""
    crd: JSONObject | None = None
    unknown: bool = False
    older_form: bool = False
    pods_refused: bool = False
    fails: bool = False
    unknown_kind: str = ""
    seconds: float = 0.0
    earlier: Sequence[Located] | None = None
    is_part: bool = False
    bundled: str = ""
    groups: Sequence[Any] = ()

    @property
    def is_partly_checked(self) -> bool:
        """Whether some rule or policy had no facts to judge it by."""
        return bool(self.unchecked) and not self.unknown

    @property
    def notes(self) -> int:
        """The number of notes. Findings that an exception turned into notes don't count."""
        return sum(located.finding.severity is Severity.NOTE and not located.finding.exempted for located in self.findings)

    @property
    def waits(self) -> bool:
        """Whether no node has room for its pods with what runs today, unless that is ignored or excepted."""
        if not self.findings:
            return False
        from weighbridge.policies.verdict.judgement import NO_ROOM

        return any(located.finding.rule == NO_ROOM and not (located.finding.exempted or located.by) for located in self.findings)

    @classmethod
    def judged(
        cls,
        manifest: Manifest,
        findings: Iterable[Finding] = (),
        *,
        issues: Sequence[InputIssue] = (),
        unchecked: Sequence[Unchecked] = (),
        never_runs: bool = False,
        skipped: str = "",
        crd: JSONObject | None = None,
        older_form: bool = False,
        pods_refused: bool = False,
        bundled: str = "",
        groups: Sequence[Any] = (),
    ) -> Result:
        """The result of an object, its findings in the order of the text.

        `issues` are those of its document, to be given with one of the document's objects only.
        """
        found = list(findings)
        located = sorted((Located.of(finding, manifest) for finding in found), key=_order)
        document = manifest.document
        status = _status(found, issues, unchecked, skipped)
        # The engine names the kind itself where it couldn't judge anything of it.
        kind = str(GroupVersionKind.from_object(manifest.value))
        unknown_kind = kind if any(entry.subject == kind for entry in unchecked) else ""
        return cls(
            document.source,
            document.index,
            manifest.label,
            status,
            located,
            issues,
            unchecked,
            document.text_lines if found or issues else (),
            never_runs,
            skipped,
            crd,
            older_form=older_form,
            pods_refused=pods_refused,
            bundled=bundled,
            groups=groups,
            unknown=status is Status.NOT_CHECKED and bool(unknown_kind),
            unknown_kind=unknown_kind,
        )

    def with_findings(
        self, findings: Sequence[Located], unchecked: Sequence[Unchecked], lines: Sequence[str] | None = None, *, never_runs: bool
    ) -> Result:
        """The result with other findings, such as ones that are ignored; `lines` is the text of the file if it isn't there yet."""
        status = _status([located.finding for located in findings], self.issues, unchecked, self.skipped)
        return replace(
            self,
            status=status,
            findings=sorted(findings, key=_order),
            unchecked=unchecked,
            lines=self.lines if lines is None else lines,
            never_runs=never_runs,
            unknown=status is Status.NOT_CHECKED and bool(self.unknown_kind),
            older_form=self.older_form and status is Status.FAILED,
        )

    @classmethod
    def unread(cls, issue: InputIssue, document: Document | None = None) -> Result:
        """The result of something that holds no object that could be judged."""
        index, lines = (document.index, document.text_lines) if document is not None else (0, ())
        return cls(issue.source, index, "", Status.ERROR, issues=[issue], lines=lines)

    @classmethod
    def lost(cls, manifest: Manifest, why: str) -> Result:
        """The result of an object whose result was lost."""
        document, place = manifest.document, manifest.position()
        issue = InputIssue(document.source, place.line, place.column, why)
        return cls(document.source, document.index, manifest.label, Status.ERROR, issues=[issue], lines=document.text_lines)


def _order(located: Located) -> tuple[int, int, str]:
    start = located.span.start
    return start.line, start.column, located.finding.rule


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts of a run; `errors` counts results that are errors, `templates` and `others` documents that were passed over.

    `never_runs` counts objects whose pods no node will ever run, and `pods_refused` those whose pods the API server refuses; both are among
    the failed and warned. `skipped` counts those that are none of ours to judge. `not_checked` are those that passed, but not every rule
    could be asked; of these `unknown` are those of a kind without a known CRD. `not_fully_checked` counts what was judged, with whatever
    outcome, without every rule. `notes` counts notes, `excepted` objects for which an exception made a note of a finding. `kubernetes` is
    the release of Kubernetes that they were judged by, and `settings` the file of settings. `left_out` counts files and folders that
    weren't judged; `passed_over` names them, and the documents that were passed over. `ignored` and `baselined` count findings that
    comments, annotations and settings ignore, and that were there before. `chosen` says that no release was
    given or known. `bundled` are the releases whose bundled CRDs findings come from, and `policies` those of the
    configuration. `picture` shows where the pods could go, if a report wants it.
    """

    files: int = 0
    objects: int = 0
    passed: int = 0
    failed: int = 0
    warned: int = 0
    not_checked: int = 0
    errors: int = 0
    never_runs: int = 0
    skipped: int = 0
    notes: int = 0
    excepted: int = 0
    templates: int = 0
    others: int = 0
    unknown: int = 0
    pods_refused: int = 0
    not_fully_checked: int = 0
    kubernetes: str = ""
    left_out: int = 0
    passed_over: Sequence[PassedOver] = ()
    ignored: int = 0
    baselined: int = 0
    settings: str = ""
    chosen: bool = False
    bundled: Sequence[str] = ()
    policies: Sequence[Policy] = ()
    picture: str = ""


class Tally:
    """Counts a run while its results are written."""

    __slots__ = (
        "_bundled", "_objects", "_standings", "_statuses", "baselined", "chosen", "excepted", "files", "ignored", "kubernetes",
        "never_runs", "notes", "partly", "passed_over", "picture", "pods_refused", "policies", "settings", "unknown",
    )  # fmt: skip

    def __init__(self) -> None:
        self.files = 0
        self.kubernetes = self.picture = self.settings = ""
        self.baselined = self.ignored = 0
        self.chosen = False
        self.excepted = self.never_runs = self.notes = self.partly = self.pods_refused = self.unknown = 0
        self.passed_over: Sequence[PassedOver] = ()
        self.policies: Sequence[Policy] = ()
        self._objects = 0
        self._bundled: dict[str, None] = {}
        self._statuses: Counter[Status] = Counter()
        self._standings: Counter[Standing] = Counter()

    def add(self, result: Result) -> None:
        """Count a result, as an object if it is one."""
        if result.is_part:
            self.notes += result.notes
            return
        self._objects += bool(result.object)
        self.excepted += any(located.finding.exempted and not located.by for located in result.findings)
        self.baselined += sum(located.by == BASELINE for located in result.findings)
        self.ignored += sum(located.by not in {"", BASELINE} for located in result.findings)
        self.notes += result.notes
        self.never_runs += result.never_runs and not result.pods_refused
        self.pods_refused += result.never_runs and result.pods_refused
        self.partly += result.is_partly_checked and result.status is not Status.SKIPPED
        self.unknown += result.unknown
        self._statuses[result.status] += 1
        if result.bundled:
            self._bundled[result.bundled] = None

    def pass_over(self, standing: Standing) -> None:
        """Count a document that isn't judged."""
        self._standings[standing] += 1

    def summary(self) -> Summary:
        """The counts so far."""
        statuses, standings = self._statuses, self._standings
        return Summary(
            files=self.files,
            objects=self._objects,
            passed=statuses[Status.PASSED],
            failed=statuses[Status.FAILED],
            warned=statuses[Status.WARNED],
            not_checked=statuses[Status.NOT_CHECKED],
            errors=statuses[Status.ERROR],
            never_runs=self.never_runs,
            skipped=statuses[Status.SKIPPED],
            notes=self.notes,
            excepted=self.excepted,
            templates=standings[Standing.TEMPLATE],
            others=standings[Standing.OTHER],
            unknown=self.unknown,
            pods_refused=self.pods_refused,
            not_fully_checked=self.partly,
            kubernetes=self.kubernetes,
            left_out=sum(not (entry.line or entry.is_judged) for entry in self.passed_over),
            passed_over=self.passed_over,
            ignored=self.ignored,
            baselined=self.baselined,
            settings=self.settings,
            chosen=self.chosen,
            bundled=tuple(sorted(self._bundled)),
            policies=self.policies,
            picture=self.picture,
        )


def failing(result: Result) -> set[Severity]:
    """The severities of the findings that make a result fail; errors do, whatever the exit code."""
    if not result.fails:
        return {Severity.ERROR}
    return {Status.FAILED: {Severity.ERROR}, Status.WARNED: {Severity.ERROR, Severity.WARNING}}.get(result.status, set(Severity))


class Report(Protocol):
    """One format. Results are written as they come where its grammar allows, the rest at the end.

    A format whose fields have an unprintable character between them, such as a tab, names it in an attribute `separators`.
    """

    def write(self, result: Result) -> None:
        """Take one result."""

    def finish(self, summary: Summary) -> None:
        """Take the counts and complete the output; nothing may follow."""
