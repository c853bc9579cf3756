"""Applies comments and annotations to the findings of an object, and reports those that can't be used, have ended, or ignore nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain

from weighbridge.policies.config import Configuration
from weighbridge.policies.config.ignores import ANNOTATION, ENDED, UNUSABLE, UNUSED, Ignore
from weighbridge.policies.config.selection import Names
from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import GroupVersionKind, Path, namespace_of
from weighbridge.policies.ground.records import replace
from weighbridge.webhook.manifests import Manifest, Span
from weighbridge.webhook.report import Located, Result
from weighbridge.webhook.settings.rule_names import trouble_with_id
from weighbridge.webhook.silence.comments import COMMENT, OWN_ANNOTATION, Silence, silences_in
from weighbridge.webhook.silence.rules import NEVER_IGNORED, OF_THE_SERVER


def noted(located: Located, why: str, by: str) -> Located:
    """An ignored finding: a note with the reason."""
    finding = located.finding
    if finding.exempted:
        return located if located.by else replace(located, by=by) if by == OWN_ANNOTATION else located
    return replace(located, finding=replace(finding, severity=Severity.NOTE, exempted=why), by=by)


class Silences:
    """The comments and annotations of a run, by the numbers of the objects.

    The configuration has the time, and the rules that they may ignore.
    """

    def __init__(self, found: Mapping[int, list[Silence]], config: Configuration, namespaces: Sequence[str]) -> None:
        self._found = found
        self._config = config
        self._moment = config.moment
        self._namespaces = namespaces
        self._allowed = Names(config.own_exceptions or ["*"]) if config.own_exceptions != [] else None

    @property
    def ends(self) -> Iterator[datetime]:
        """The times when those in force will end."""
        return self.ends_of(chain.from_iterable(self._found.values()))

    def ends_of(self, silences: Iterable[Silence]) -> Iterator[datetime]:
        """The times when those among them that are in force will end."""
        for silence in silences:
            said = silence.said
            if isinstance(said, Ignore) and said.end is not None and said.holds(self._moment):
                yield said.end

    def applied(self, number: int, manifest: Manifest, result: Result) -> tuple[list[Located], bool]:
        """The findings of an object, with ignored ones as notes, and whether anything was ignored."""
        silences = self._found.get(number, [])
        if not silences:
            return list(result.findings), False
        findings = [self.judged(located, silences) for located in result.findings]
        return findings + list(self._reported(silences, number, manifest, result)), True

    def judged(self, located: Located, silences: Sequence[Silence]) -> Located:
        """A finding as a note if one of the given entries is for it and in force; with a hint if one has ended."""
        rule = located.finding.rule
        if rule in NEVER_IGNORED:
            return located
        former = None
        for silence in silences:
            if not isinstance(silence.said, Ignore) or not silence.covers(rule, located.span) or self._trouble(rule, silence.by):
                continue
            if silence.said.holds(self._moment):
                silence.used.add(rule)
                return noted(located, silence.said.said, silence.by)
            silence.ended.add(rule)
            former = former or silence.said
        return located if former is None else replace(located, finding=_hinted(located.finding, former))

    def _trouble(self, rule: str, by: str) -> str:
        """Why a rule can't be ignored in this way; empty if it can."""
        if trouble := trouble_with_id(rule):
            return trouble
        if rule in NEVER_IGNORED:
            return f"{rule} can't be ignored; the configuration's rules or --ignore can switch off the findings about ignores"
        if by == OWN_ANNOTATION and rule.startswith(OF_THE_SERVER):
            return f"{rule} is a refusal of the API server, which no annotation allows; write a comment if only lint is to ignore it"
        if self._allowed is None or not self._allowed.mean(rule):
            return f"{rule} may not be ignored where the object is written: ownExceptions of the configuration doesn't have it"
        return ""

    def _reported(self, silences: Iterable[Silence], number: int, manifest: Manifest, result: Result) -> Iterator[Located]:
        """The findings about the comments and annotations themselves."""
        gvk = GroupVersionKind.from_object(manifest.value) or GroupVersionKind("", "", "")
        namespace = namespace_of(manifest.value) or self._namespaces[number]
        for silence in silences:
            for rule, message in self._said_of(silence, result):
                action = self._config.ruling(rule, Severity.WARNING, gvk, namespace).action
                if action.severity is not None:
                    path: Path = () if silence.by == COMMENT else ("metadata", "annotations", ANNOTATION)
                    yield Located(Finding(rule, action.severity, path, message), silence.span)

    def _said_of(self, silence: Silence, result: Result) -> Iterator[tuple[str, str]]:
        said = silence.said
        if isinstance(said, str):
            yield UNUSABLE, f"this {silence.by} ignores nothing: {said}"
            return
        troubles = {rule: trouble for rule in said.rules if (trouble := self._trouble(rule, silence.by))}
        yield from ((UNUSABLE, f"this {silence.by} ignores nothing: {trouble}") for trouble in troubles.values())
        if silence.ended:
            yield (
                ENDED,
                f"this {silence.by} ended on {said.until} and ignores {_listed(silence.ended)} no longer: mend it, or give a later day",
            )
        left = [rule for rule in said.rules if not (rule in silence.used or rule in silence.ended or rule in troubles)]
        if left and not _may_have_more(result, left):
            them = "it" if len(left) == 1 else "them"
            yield UNUSED, f"no finding of {_listed(left)} {_where(silence)}: remove {them} from the {silence.by}"


class LineSilences:
    """The comments of a file from which objects are rendered, each for its line or, above an object, for the object."""

    def __init__(self, lines: Sequence[str], silences: Silences) -> None:
        self._found = silences_in(lines)
        self._starts = [number for number, line in enumerate(lines, start=1) if line.startswith("---")]
        self._lines = lines
        self._silences = silences

    @property
    def ends(self) -> Iterator[datetime]:
        """The times when those in force will end."""
        return self._silences.ends_of(self._found)

    def applied(self, located: Located, span: Span) -> Located:
        """A finding with this place in the file, as a note if a comment is for it."""
        if not self._found or located.finding.exempted:
            return located
        begins = self._begin_of(span.start.line)
        here = [replace(each, target=0) if each.span.start.line < each.target == begins else each for each in self._found]
        return replace(self._silences.judged(replace(located, span=span), here), span=located.span)

    def _begin_of(self, line: int) -> int:
        """The first line of the object that a line belongs to."""
        start = max((at for at in self._starts if at <= line), default=0)
        below = range(start, len(self._lines))
        return next((at + 1 for at in below if self._lines[at].strip() and not self._lines[at].lstrip().startswith("#")), start + 1)


def _listed(rules: Iterable[str]) -> str:
    return ", ".join(sorted(rules))


def _where(silence: Silence) -> str:
    return (
        "in this line" if silence.target == silence.span.start.line else f"in line {silence.target}" if silence.target else "in this object"
    )


def _hinted(finding: Finding, former: Ignore) -> Finding:
    hint = f"what ignored this rule here ended on {former.until} ({former.reason})"
    return replace(finding, hint=f"{finding.hint}; {hint}" if finding.hint else hint)


def _may_have_more(result: Result, rules: Iterable[str]) -> bool:
    """Whether findings of these rules may be missing, for lack of facts or after a refusal of the API server."""
    if result.unknown_kind or any(located.finding.rule.startswith(OF_THE_SERVER) for located in result.findings):
        return True
    return bool(rules_of(result.unchecked) & set(rules))


def rules_of(unchecked: Iterable[Unchecked]) -> set[str]:
    """The ids of the rules among what wasn't checked: the first words."""
    return {entry.subject.partition(" ")[0] for entry in unchecked}
