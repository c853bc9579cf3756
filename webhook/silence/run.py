"""What is ignored of the findings of a run, one after the other: by comments and annotations, by settings, by the baseline."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from weighbridge.policies.config import Configuration
from weighbridge.policies.families import family_of
from weighbridge.policies.ground.findings import Severity, Unchecked
from weighbridge.policies.ground.objects import GroupVersionKind
from weighbridge.policies.verdict.judgement import NO_NODE
from weighbridge.webhook.cache.inputs import holds_until
from weighbridge.webhook.manifests import Manifest
from weighbridge.webhook.report import Located, Result
from weighbridge.webhook.settings.values import Settings
from weighbridge.webhook.silence.applied import Silences, noted, rules_of
from weighbridge.webhook.silence.baseline import Baseline, Entry, read_baseline, write_baseline
from weighbridge.webhook.silence.comments import silences_of
from weighbridge.webhook.silence.rules import NEVER_IGNORED, OF_THE_SERVER
from weighbridge.webhook.silence.selection import Selection
from weighbridge.webhook.texts.counts import counted
from weighbridge.webhook.texts.streams import as_text, complain

_SETTING = "setting"


class Silencer:
    """Turns what is ignored into notes.

    `given` are the objects of the run, each with the one of `namespaces` that it is in if it names none; `sources` are the files.
    """

    def __init__(
        self,
        given: Sequence[Manifest],
        sources: Iterable[str],
        settings: Settings,
        config: Configuration,
        namespaces: Sequence[str],
    ) -> None:
        self._silences = Silences(silences_of(given), config, namespaces)
        self._selection = Selection(settings)
        self._sources = tuple(sources)
        for end in self._silences.ends:
            holds_until(end.timestamp())

    def finished(self, baseline: str, results: Iterator[tuple[Manifest | None, Result]], *, is_written: bool) -> Iterator[Result]:
        """The results of a run, each given with its object, in order; `baseline` is a path, empty if there is none."""
        numbers = count()
        found = (
            (manifest, self._of_object(next(numbers), manifest, result) if manifest is not None else result) for manifest, result in results
        )
        if baseline:
            return self._without_baseline(list(found), baseline, is_written=is_written)
        return (result for _, result in found)

    def _of_object(self, number: int, manifest: Manifest, result: Result) -> Result:
        """The result of an object without what comments, annotations and settings ignore."""
        findings, is_changed = self._silences.applied(number, manifest, result)
        findings = [self._selected(located, result.source) for located in findings]
        unchecked = [entry for entry in result.unchecked if not self._why(result.source, rules_of([entry]).pop())]
        if not is_changed and len(unchecked) == len(result.unchecked) and findings == list(result.findings):
            return result
        return _with(result, manifest, findings, unchecked)

    def _selected(self, located: Located, source: str) -> Located:
        why = "" if located.finding.exempted else self._why(source, located.finding.rule)
        return noted(located, why, _SETTING) if why else located

    def _why(self, source: str, rule: str) -> str:
        return self._selection.why_ignored(source, rule) if "-" in rule else ""

    # --- the baseline ---

    def _without_baseline(self, results: Sequence[tuple[Manifest | None, Result]], path: str, *, is_written: bool) -> Iterator[Result]:
        """The results of a run without what a baseline has; it is written anew where that is asked for. Raises InputError, WriteError."""
        is_new = is_written and not os.path.lexists(path)
        baseline = Baseline(path, ()) if is_new else read_baseline(path)
        places = [
            (at, number)
            for at, (manifest, result) in enumerate(results)
            if manifest is not None
            for number, located in enumerate(result.findings)
            if _counts(located)
        ]
        found = [self._entry(baseline, *results[at], number) for at, number in places]
        pairs = {number: number for number in range(len(found))} if is_new else baseline.matched(found)
        known: dict[int, set[int]] = {}
        for number in pairs:
            at, place = places[number]
            known.setdefault(at, set()).add(place)
        gone = [] if is_new else self._gone(baseline, results, set(pairs.values()))
        if is_written:
            _write(baseline, [found[number] for number in pairs], set(pairs.values()), gone, len(found), is_new=is_new)
        why = f"in the baseline {as_text(path)}"
        for at, (manifest, result) in enumerate(results):
            if manifest is None or at not in known:
                yield result
                continue
            findings = [noted(each, why, "baseline") if place in known[at] else each for place, each in enumerate(result.findings)]
            yield _with(result, manifest, findings, result.unchecked)
        if not is_written:
            yield from map(baseline.gone, gone)

    def _entry(self, baseline: Baseline, manifest: Manifest | None, result: Result, number: int) -> Entry:
        return baseline.entry_of(result.findings[number], manifest.value if manifest is not None else {}, result.source)

    def _gone(self, baseline: Baseline, results: Sequence[tuple[Manifest | None, Result]], matched: set[int]) -> list[int]:
        """The entries whose findings were mended: the rest are of files or rules that this run didn't judge."""
        read = {baseline.file_of(source): source for source in self._sources}
        partly: dict[tuple[str, str], set[str] | None] = {}
        for manifest, result in results:
            if manifest is not None:
                key = baseline.file_of(result.source), baseline.name_of(manifest.value)
                is_refused = any(each.finding.rule.startswith(OF_THE_SERVER) for each in result.findings)
                known = partly.get(key, set())
                whole = known is not None and not is_refused and not result.unknown_kind
                partly[key] = (known or set()) | rules_of(result.unchecked) if whole else None
        gone = []
        for number, entry in enumerate(baseline.entries):
            if number in matched:
                continue
            unasked = partly.get((entry.file, entry.object), set())
            is_judged = entry.file in read and unasked is not None and entry.rule not in unasked
            is_judged = is_judged and not self._why(read[entry.file], entry.rule)
            if is_judged or (entry.file not in read and not baseline.is_there(entry)):
                gone.append(number)
        return gone


def _counts(located: Located) -> bool:
    """Whether a finding can be in a baseline: one that counts, except failures of this program and mistakes of ignores."""
    return located.finding.severity is not Severity.NOTE and located.finding.rule not in NEVER_IGNORED


def _with(result: Result, manifest: Manifest, findings: Sequence[Located], unchecked: Sequence[Unchecked]) -> Result:
    lines = manifest.document.text_lines
    return result.with_findings(findings, unchecked, lines, never_runs=_says_that_none_runs(manifest, findings))


def _says_that_none_runs(manifest: Manifest, findings: Iterable[Located]) -> bool:
    """Whether a finding that counts says that no pod of an object runs."""
    gvk = GroupVersionKind.from_object(manifest.value)
    family = family_of(gvk.group) if gvk is not None else None
    rules = [located.finding.rule for located in findings if located.finding.severity is not Severity.NOTE]
    return any(rule == NO_NODE or (family is not None and family.speaks_of_placement(rule)) for rule in rules)


def _write(baseline: Baseline, found: list[Entry], matched: set[int], gone: list[int], total: int, *, is_new: bool) -> None:
    """Write what is left of a baseline, or a new one; say what has changed on standard error."""
    kept = [entry for number, entry in enumerate(baseline.entries) if number not in matched and number not in gone]
    write_baseline(baseline.path, [*found, *kept])
    new = total - len(found)
    more = f"; {counted(new, 'new finding')} not added: mend or ignore {'it' if new == 1 else 'them'}" if new else ""
    removed = "" if is_new else f", {len(gone)} removed"
    complain(f"wrote {as_text(baseline.path)}: {counted(len(found) + len(kept), 'finding')}{removed}{more}")
