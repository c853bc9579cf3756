"""Ignores findings of a run, in this order: by comments and annotations, by settings, by the baseline."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count

from weighbridge.policies.config import Configuration
from weighbridge.policies.families import families
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import replace
from weighbridge.policies.verdict.judgement import NO_NODE
from weighbridge.policies.verdict.pods.group_rules import TOGETHER
from weighbridge.webhook.cache.inputs import holds_until
from weighbridge.webhook.manifests import Manifest, Span
from weighbridge.webhook.report import Located, Result, Status
from weighbridge.webhook.report.parts.results import BASELINE
from weighbridge.webhook.settings.values import Settings
from weighbridge.webhook.silence.applied import LineSilences, Silences, noted, rules_of
from weighbridge.webhook.silence.baseline import Baseline, BaselineEntry, read_baseline, write_baseline
from weighbridge.webhook.silence.comments import silences_of
from weighbridge.webhook.silence.rules import NEVER_IGNORED, OF_THE_SERVER
from weighbridge.webhook.silence.selection import FileSettings
from weighbridge.webhook.texts.counts import counted
from weighbridge.webhook.texts.streams import as_text, complain

_SETTING = "setting"
_ANY_FILE = ""


def _own_place(_manifest: Manifest, _path: Path) -> None:
    """The place of a field if no object was rendered: `None`, since the manifest itself is the source."""


class Silencer:
    """Turns ignored findings into notes.

    `given` are the objects of the run, with their `namespaces` if they name none; `sources` are the files. `place_of` gives the file, the
    range and the lines from which a field of a rendered object comes.
    """

    def __init__(
        self,
        given: Sequence[Manifest],
        sources: Iterable[str],
        settings: Settings,
        config: Configuration,
        namespaces: Sequence[str],
        place_of: Callable[[Manifest, Path], tuple[str, Span, Sequence[str]] | None] = _own_place,
    ) -> None:
        self._silences = Silences(silences_of(given), config, namespaces)
        self._selection = FileSettings(settings)
        self._sources = tuple(sources)
        self._has_cluster = bool(settings.texts("cluster"))
        self._place_of = place_of
        self._lines: dict[str, LineSilences] = {}
        for end in self._silences.ends:
            holds_until(end.timestamp())

    def as_written(self, results: Iterator[tuple[Manifest | None, Result]]) -> Iterator[tuple[Manifest | None, Result]]:
        """Turn findings that comments and annotations ignore into notes. Results come with their objects, in the objects' order."""
        numbers = count()
        for manifest, result in results:
            yield manifest, result if manifest is None else self._written(next(numbers), manifest, result)

    def _written(self, number: int, manifest: Manifest, result: Result) -> Result:
        findings, is_changed = self._silences.applied(number, manifest, result)
        placed = [self._where_it_comes_from(located, manifest) for located in findings]
        findings, is_changed = placed, is_changed or placed != findings
        return _with(result, findings, result.unchecked, manifest.document.text_lines) if is_changed else result

    def _where_it_comes_from(self, located: Located, manifest: Manifest) -> Located:
        """A finding on a rendered object with its source file, in which a comment may ignore it."""
        place = self._place_of(manifest, located.finding.path)
        if place is None:
            return located
        source, span, lines = place
        if source not in self._lines:
            self._lines[source] = LineSilences(lines, self._silences)
            for end in self._lines[source].ends:
                holds_until(end.timestamp())
        return replace(self._lines[source].applied(located, span), source=source)

    def as_set(self, results: Iterator[Result], baseline: str, *, is_written: bool) -> Iterator[Result]:
        """Results, at their reported places, with the findings that settings ignore or a baseline has as notes.

        `baseline` is a path, empty if there is none; with `is_written` it is written. Raises InputError and WriteError.
        """
        found = map(self._selected, results)
        return self._without_baseline(list(found), baseline, is_written=is_written) if baseline else found

    def _selected(self, result: Result) -> Result:
        """A result with the findings that settings ignore as notes."""
        findings = [self._chosen(located, located.source or result.source) for located in result.findings]
        unchecked = [entry for entry in result.unchecked if not self._why(result.source, rules_of([entry]).pop())]
        if len(unchecked) == len(result.unchecked) and findings == list(result.findings):
            return result
        return _with(result, findings, unchecked)

    def _chosen(self, located: Located, source: str) -> Located:
        why = "" if located.finding.exempted else self._why(source, located.finding.rule)
        return noted(located, why, _SETTING) if why else located

    def _why(self, source: str, rule: str) -> str:
        return self._selection.why_ignored(source, rule) if "-" in rule else ""

    # --- the baseline ---

    def _without_baseline(self, results: Sequence[Result], path: str, *, is_written: bool) -> Iterator[Result]:
        """The results of a run with the findings of a baseline as notes; the baseline is written again if requested."""
        is_new = is_written and not os.path.lexists(path)
        baseline = Baseline(path, ()) if is_new else read_baseline(path)
        places = [(at, number) for at, result in enumerate(results) for number, each in enumerate(result.findings) if _counts(each)]
        found = [baseline.entry_of(results[at].findings[number], results[at]) for at, number in places]
        pairs = {number: number for number in range(len(found))} if is_new else baseline.matched(found)
        known: dict[int, set[int]] = {}
        for number in pairs:
            at, place = places[number]
            known.setdefault(at, set()).add(place)
        gone = [] if is_new else self._gone(baseline, results, set(pairs.values()))
        if is_written:
            _write(baseline, [found[number] for number in pairs], set(pairs.values()), gone, len(found), is_new=is_new)
        why = f"in the baseline {as_text(path)}"
        for at, result in enumerate(results):
            if at not in known:
                yield result
                continue
            findings = [noted(each, why, BASELINE) if place in known[at] else each for place, each in enumerate(result.findings)]
            yield _with(result, findings, result.unchecked)
        if not is_written:
            yield from map(baseline.gone, gone)

    def _gone(self, baseline: Baseline, results: Sequence[Result], matched: set[int]) -> list[int]:
        """The entries whose findings are fixed; other unmatched entries are of files or rules that this run didn't judge."""
        read = {baseline.file_of(source): source for source in self._sources}
        partly: dict[tuple[str, str], set[str] | None] = {}
        for result in results:
            # A rendered object has findings in several files.
            file = baseline.file_of(result.source)
            key = file if file in read else _ANY_FILE, result.object
            is_refused = any(each.finding.rule.startswith(OF_THE_SERVER) for each in result.findings)
            known = partly.get(key, set())
            whole = known is not None and not is_refused and not result.unknown_kind and result.status is not Status.ERROR
            partly[key] = (known or set()) | rules_of(result.unchecked) if whole else None
        gone = []
        for number, entry in enumerate(baseline.entries):
            if number in matched or (entry.rule == NO_NODE and not self._has_cluster):
                # Without nodes nothing is placed, and no message says so.
                continue
            # A file with an unreadable document may have any object.
            places = (entry.file, entry.object), (_ANY_FILE, entry.object), (entry.file, "")
            unasked = [partly.get(place, set()) for place in places]
            is_judged = entry.file in read and all(rules is not None and entry.rule not in rules for rules in unasked)
            is_judged = is_judged and not self._why(read[entry.file], entry.rule)
            if is_judged or (entry.file not in read and not baseline.is_there(entry)):
                gone.append(number)
        return gone


def _counts(located: Located) -> bool:
    """Whether a finding can be in a baseline: one that counts, except failures of this program and mistakes of ignores."""
    return located.finding.severity is not Severity.NOTE and located.finding.rule not in NEVER_IGNORED


def _with(result: Result, findings: Sequence[Located], unchecked: Sequence[Unchecked], lines: Sequence[str] | None = None) -> Result:
    """A result with other findings; `lines` is the text of its file if that isn't there yet."""
    return result.with_findings(findings, unchecked, lines, never_runs=result.never_runs and _says_that_none_runs(findings))


def _says_that_none_runs(findings: Iterable[Located]) -> bool:
    """Whether a counting finding says that no pod of an object runs."""
    rules = [located.finding.rule for located in findings if located.finding.severity is not Severity.NOTE]
    return NO_NODE in rules or TOGETHER in rules or any(family.speaks_of_placement(rule) for family in families() for rule in rules)


def _write(baseline: Baseline, found: list[BaselineEntry], matched: set[int], gone: list[int], total: int, *, is_new: bool) -> None:
    """Write the remaining entries of a baseline, or a new one. Reports the changes on standard error."""
    kept = [entry for number, entry in enumerate(baseline.entries) if number not in matched and number not in gone]
    write_baseline(baseline.path, [*found, *kept])
    new = total - len(found)
    more = f"; {counted(new, 'new finding')} not added: mend or ignore {'it' if new == 1 else 'them'}" if new else ""
    removed = "" if is_new else f", {len(gone)} removed"
    complain(f"wrote {as_text(baseline.path)}: {counted(len(found) + len(kept), 'finding')}{removed}{more}")
