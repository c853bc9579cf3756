"""The input of every report format: one result for each object or file, and the counts at the end.

A result with the status `not checked` hasn't passed: some rule lacked facts. Reports count such results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Protocol

from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.webhook.manifests import Document, InputIssue, IssueKind, Manifest, PassedOver, Position, Span, Standing

if TYPE_CHECKING:
    from weighbridge.policies.config.policies import Policy

#: The `by` of findings that the baseline ignores.
BASELINE: Final = "baseline"


class Status(StrEnum):
    """The outcome for an object: the worst of its findings.

    `skipped` is for an object that Weighbridge doesn't judge, such as one of a built-in kind; `error` is for a text that couldn't be read
    as an object, or an object whose result was lost.
    """

    PASSED = "passed"
    FAILED = "failed"
    WARNED = "warned"
    NOT_CHECKED = "not checked"
    SKIPPED = "skipped"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Failures:
    """What of a result makes the exit code 1: findings of these severities or rules, and that something wasn't checked.

    Errors are reported as errors, whatever the exit code. A finding that doesn't count keeps its severity.
    """

    severities: frozenset[Severity] = frozenset()
    rules: frozenset[str] = frozenset()
    unchecked: bool = False

    def __bool__(self) -> bool:
        return bool(self.severities or self.rules or self.unchecked)

    def level(self, finding: Finding) -> Severity:
        """The level at which a finding is reported."""
        if not finding.exempted and (finding.severity in self.severities or finding.rule in self.rules):
            return Severity.ERROR
        return finding.severity

    def level_of_text(self, severity: Severity) -> Severity:
        """The level at which an issue of a text is reported."""
        return Severity.ERROR if severity in self.severities else severity


#: For a result that doesn't make the exit code 1.
COUNTS_NOT: Final = Failures()


@dataclass(frozen=True, slots=True)
class Located:
    """A finding and the place of its field.

    `by` is what ignores the finding: comment, annotation, setting or baseline; empty if nothing does, or if an exception of the
    configuration covers it. `source` is the file to change, if the object was rendered from one.
    """

    finding: Finding
    span: Span
    by: str = ""
    source: str = ""

    @classmethod
    def of(cls, finding: Finding, manifest: Manifest) -> Located:
        """Find the place of a finding in the text of its object. If the cause is how YAML reads the value, the hint says so."""
        # Most runs find nothing.
        from weighbridge.webhook.manifests.yaml_words import with_word, yaml_word

        return cls(with_word(finding, yaml_word(finding, manifest)), manifest.span(finding.path))


def notes_of(finding: Finding) -> dict[str, str]:
    """The other facts of a finding, by their labels in reports."""
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
    """The result of one object, or of a file or document that couldn't be read.

    `index` is the document's number in its file, from 0. `object` has its kind, namespace and name; it is empty if there is no object.
    `lines` is the text of the file, only if there are findings or issues. `never_runs` says that none of its pods will ever run,
    `pods_refused` that this is because the API server refuses them, not because of the nodes. `skipped` is why Weighbridge doesn't judge
    it; `unknown` says that no CRD of its kind is known. `crd` has the checks that the installed CRD lacks, `None` if it has all.
    `older_form` says that the object was refused and `weighbridge migrate` rewrites it. `fails` says what makes the exit code 1.
    `unknown_kind` is the kind if no CRD of it is known, whatever else was found. `seconds` is how long judging it took. `earlier` has the
    findings from before, if only new ones count. `is_part` says that these are further findings of the previous result's object, in another
    file. `bundled` names the release whose bundled CRD was used for findings; it is empty if none was. `groups` are the pods that the
    object runs at a time (`policies/pods/groups.py`). `start` is where the document begins, if something wasn't checked.
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
    fails: Failures = COUNTS_NOT
    unknown_kind: str = ""
    seconds: float = 0.0
    earlier: Sequence[Located] | None = None
    is_part: bool = False
    bundled: str = ""
    groups: Sequence[Any] = ()
    start: Position | None = None

    @property
    def is_partly_checked(self) -> bool:
        """Whether some rule or policy lacked facts."""
        return bool(self.unchecked) and not self.unknown

    @property
    def notes(self) -> int:
        """The number of notes, without findings that an exception turned into notes."""
        return sum(located.finding.severity is Severity.NOTE and not located.finding.exempted for located in self.findings)

    @property
    def waits(self) -> bool:
        """Whether no node has room for its pods as long as today's pods run, unless that finding is ignored or excepted."""
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
        """The result of a judged object, with its findings in the order of the text.

        `issues` are those of its document; of several objects in a document, only one may get them.
        """
        found = list(findings)
        located = sorted((Located.of(finding, manifest) for finding in found), key=_order)
        document = manifest.document
        status = _status(found, issues, unchecked, skipped)
        # The engine names the kind itself if it couldn't judge the object at all.
        kind = str(GroupVersionKind.from_object(manifest.value)) if unchecked else ""
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
            start=document.begins if unchecked else None,
        )

    def with_findings(
        self, findings: Sequence[Located], unchecked: Sequence[Unchecked], lines: Sequence[str] | None = None, *, never_runs: bool
    ) -> Result:
        """Replace the findings, for example by ignored ones; `lines` is the text of the file, used if it isn't there yet."""
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
        """The result of a text from which no object could be read."""
        index, lines = (document.index, document.text_lines) if document is not None else (0, ())
        return cls(issue.source, index, "", Status.ERROR, issues=[issue], lines=lines)

    @classmethod
    def lost(cls, manifest: Manifest, why: str) -> Result:
        """The result of an object whose own result was lost, and why."""
        document, place = manifest.document, manifest.position()
        issue = InputIssue(document.source, place.line, place.column, why)
        return cls(document.source, document.index, manifest.label, Status.ERROR, issues=[issue], lines=document.text_lines)


def _order(located: Located) -> tuple[int, int, str]:
    start = located.span.start
    return start.line, start.column, located.finding.rule


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts of a run. `errors` counts results with the status `error`, `templates` and `others` documents that were passed over.

    `never_runs` counts objects whose pods no node will ever run, and `pods_refused` those whose pods the API server refuses; both are also
    counted as failed or warned. `skipped` counts objects that Weighbridge doesn't judge. `not_checked` counts objects that would have
    passed if no rule had lacked facts; of these, `unknown` counts those of a kind without a known CRD. `not_fully_checked` counts all
    objects for which some rule lacked facts, whatever the outcome. `notes` counts notes, `excepted` the objects with a finding that an
    exception turned into a note. `kubernetes` is the release of Kubernetes used for judging, `chosen` says that it was neither given nor
    known, and `settings` is the file of settings. `left_out` counts files and folders that weren't judged; `passed_over` names them, and
    the documents that were passed over. `ignored` counts findings that comments, annotations and settings ignore, `baselined` those that
    the baseline ignores. `bundled` are the releases whose bundled CRDs were used for findings, `policies` the policies of the
    configuration. `picture` shows the nodes that the pods could use, if a report wants it.
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
    """Counts the results of a run while they are written."""

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
        """Count a result, and its object if it has one."""
        if result.is_part:
            self.notes += result.notes
            return
        self._objects += bool(result.object)
        if result.findings:
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
        """Count a document that is passed over."""
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


def unchecked_text(result: Result) -> str:
    """What wasn't checked in a result, each with its reason."""
    return f"not checked: {'; '.join(dict.fromkeys(f'{entry.subject}: {entry.reason}' for entry in result.unchecked))}"


class Report(Protocol):
    """A report format. If the format allows, each result is written at once, else at the end.

    A format whose fields have an unprintable character between them, such as a tab, names it in an attribute `separators`.
    """

    def write(self, result: Result) -> None:
        """Take one result."""

    def finish(self, summary: Summary) -> None:
        """Take the counts and complete the output. No further call may follow."""
