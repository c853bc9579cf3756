"""Findings on rendered objects, at the places of the tree from which their values come.

A fault of a base is in each overlay of it. It is reported once, with the names of all overlays that have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.webhook.manifests import STDIN, Manifest
from weighbridge.webhook.rendering.built import Built, Place
from weighbridge.webhook.report import Result
from weighbridge.webhook.report.parts.results import Located

_MOST_NAMED: Final = 3
_Key: TypeAlias = tuple[str, int, int, str, str, str]


@dataclass(frozen=True, slots=True)
class _Placed:
    """A finding with its place in the tree."""

    located: Located
    place: Place

    @property
    def key(self) -> _Key:
        """The key that is equal if two renderings have the same fault."""
        start, finding = self.place.span.start, self.located.finding
        return self.place.source, start.line, start.column, finding.rule, str(finding.severity), finding.message


def relocated(judged: Sequence[tuple[Manifest, Result]], built: Mapping[str, Built]) -> Iterator[Result]:
    """The results of rendered objects, each in one part for every file of its findings."""
    placed = [[_placed(manifest, located, built) for located in result.findings] for manifest, result in judged]
    titles: dict[_Key, dict[str, None]] = {}
    for (manifest, _), found in zip(judged, placed, strict=True):
        for one in found:
            titles.setdefault(one.key, {})[manifest.document.source] = None
    told: set[_Key] = set()
    for (manifest, result), found in zip(judged, placed, strict=True):
        new = [one for one in found if one.key not in told]
        told.update(one.key for one in new)
        yield from _parts(manifest, result, [(one, titles[one.key]) for one in new], built)


def _placed(manifest: Manifest, located: Located, built: Mapping[str, Built]) -> _Placed:
    return _Placed(located, _place(manifest, located.finding.path, built))


def _place(manifest: Manifest, path: Path, built: Mapping[str, Built]) -> Place:
    return built[manifest.document.source].place(manifest, path)


def _parts(
    manifest: Manifest, result: Result, found: Sequence[tuple[_Placed, Iterable[str]]], built: Mapping[str, Built]
) -> Iterator[Result]:
    files: dict[str, list[tuple[_Placed, Iterable[str]]]] = {}
    for one, names in found:
        files.setdefault(one.place.source, []).append((one, names))
    if not files:
        files[_place(manifest, (), built).source] = []
    for number, (source, entries) in enumerate(files.items()):
        findings = [_told(one, list(names)) for one, names in sorted(entries, key=_order)]
        lines = entries[0][0].place.lines if entries else ()
        if number:
            yield Result(source, 0, result.object, result.status, findings, lines=lines, fails=result.fails, is_part=True)
        else:
            issues = [replace(issue, source=source, line=0, column=0) for issue in result.issues]
            yield replace(result, source=source, index=0, findings=findings, issues=issues, lines=lines, start=None)


def _order(entry: tuple[_Placed, Iterable[str]]) -> tuple[int, int, str]:
    start = entry[0].place.span.start
    return start.line, start.column, entry[0].located.finding.rule


def _told(one: _Placed, names: Sequence[str]) -> Located:
    """The finding with the names of the renderings that have it."""
    if list(names) == [STDIN]:
        return replace(one.located, span=one.place.span)
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    finding = one.located.finding
    message = f"{finding.message} (in {', '.join(names[:_MOST_NAMED])}{more})"
    return replace(one.located, finding=replace(finding, message=message), span=one.place.span)
