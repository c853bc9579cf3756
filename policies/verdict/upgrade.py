"""The differences between the verdicts of several releases on one object: the effect of an upgrade of the cluster, or of a system in it.

`differences` are those of two releases; `compared` combines those of several into one verdict, for a linter.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final, Protocol, TypeAlias

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.fill.record import KEY
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.findings import Decision, Finding, Reported, Severity
from weighbridge.policies.ground.objects import GroupVersionResource, JSONObject, JSONValue, Path, metadata_of, name_of
from weighbridge.policies.ground.objects import field as field_text
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.ground.request import Request
from weighbridge.policies.ground.spelling import listed
from weighbridge.policies.verdict.hidden_credentials import HiddenCredentials
from weighbridge.policies.verdict.judgement import mutation_warnings

#: A longer value of a created object is cut.
_LONGEST: Final = 80
#: The id of the notes about values that are stored differently.
STORED_OTHERWISE: Final = "WB-004"


class SystemRelease(Protocol):
    """One release of a system, such as ``1.37`` of Kubernetes; the system is empty if the name is enough."""

    @property
    def system(self) -> str:
        """The system's name."""

    @property
    def name(self) -> str:
        """The release's name."""


#: A release for which to judge, with its facts and its configuration.
JudgedBy: TypeAlias = tuple[SystemRelease, Facts, Configuration]


class What(StrEnum):
    """What an upgrade changes for an object, by its word in reports."""

    REFUSED = "refused"
    REFUSED_OTHERWISE = "refused otherwise"
    TAKEN = "taken again"
    WARNED = "warned of"
    SILENT = "warned of no longer"
    STORED = "stored otherwise"
    FILLED = "filled in otherwise"
    CREATED = "created otherwise"
    PLACED = "placed otherwise"


@dataclass(frozen=True, slots=True)
class UpgradeChange(Reported):
    """One difference: the kind of change, the field, a sentence about it, and the rule of a finding. `path` leads to the field."""

    what: What
    field: str
    message: str
    rule: str = ""
    path: Path = ()


_Judged: TypeAlias = tuple[SystemRelease, Decision]
#: The identity of a finding without its text, which may differ in another release.
_Key: TypeAlias = tuple[str, Severity, str]


def compared(judged: Sequence[_Judged]) -> Decision:
    """One verdict for several releases, the oldest first: the newest one's, with the differences of the others.

    A finding that not all releases have says which have it. It is refused if one of them refuses it.
    """
    newest = judged[-1][1]
    if len(judged) == 1:
        return newest
    refusing = next((decision for _, decision in reversed(judged) if not decision.allowed), newest)
    return replace(
        newest,
        allowed=refusing.allowed,
        code=refusing.code,
        message=refusing.message,
        causes=refusing.causes,
        warnings=list(_marked(judged, lambda decision: decision.warnings)),
        findings=[*_findings(judged), *_notes(judged)],
        unchecked=list(dict.fromkeys(entry for _, decision in judged for entry in decision.unchecked)),
        never_runs=any(decision.never_runs for _, decision in judged),
    )


def asked_of(request: Request, facts: Facts) -> Request:
    """A manifest's request as it would be sent to a cluster of another release, which may not have the kind."""
    definition = facts.definitions.get(request.gvk)
    resource = GroupVersionResource(request.gvk.group, request.gvk.version, definition.plural) if definition is not None else None
    return request if resource == request.resource else replace(request, resource=resource)


def differences(before: _Judged, after: _Judged) -> Iterator[UpgradeChange]:
    """What the later of two releases does differently with an object, each change once."""
    (_, old), (_, new) = before, after
    refused = What.REFUSED if old.allowed else What.REFUSED_OTHERWISE
    found = [
        *(_only_in(new, old, Severity.ERROR, refused) if not new.allowed else ()),
        *(_only_in(old, new, Severity.ERROR, What.TAKEN) if new.allowed else ()),
        *_only_in(new, old, Severity.WARNING, What.WARNED),
        *_only_in(old, new, Severity.WARNING, What.SILENT),
        *_warnings(new, old, What.WARNED),
        *_warnings(old, new, What.SILENT),
        *_results(before, after),
    ]
    yield from dict.fromkeys(found)


def _only_in(one: Decision, other: Decision, severity: Severity, what: What) -> Iterator[UpgradeChange]:
    """The findings of a severity that only the first of two verdicts has."""
    known = {_key(finding) for finding in other.findings}
    for finding in one.findings:
        if finding.severity is severity and _key(finding) not in known:
            yield UpgradeChange(what, finding.field, finding.message, finding.rule, finding.path)


def _warnings(one: Decision, other: Decision, what: What) -> Iterator[UpgradeChange]:
    """The warnings that only the first of two verdicts has, except those of findings and of what is filled in."""
    both = (one, other)
    said = {str(finding) for decision in both for finding in decision.findings}
    said |= {text for decision in both for text in mutation_warnings(decision.provenance)}
    for text in dict.fromkeys(one.warnings):
        if text not in said and text not in other.warnings:
            yield UpgradeChange(what, "", text)


def _findings(judged: Sequence[_Judged]) -> Iterator[Finding]:
    having: dict[_Key, list[SystemRelease]] = {}
    latest: dict[_Key, list[Finding]] = {}
    for release, decision in judged:
        found: dict[_Key, list[Finding]] = {}
        for finding in decision.findings:
            found.setdefault(_key(finding), []).append(finding)
        for key, findings in found.items():
            having.setdefault(key, []).append(release)
            latest[key] = findings
    for key, findings in latest.items():
        if len(having[key]) == len(judged):
            yield from findings
        else:
            yield from (replace(finding, message=f"{_named(having[key])}: {finding.message}") for finding in findings)


def _key(finding: Finding) -> _Key:
    return finding.rule, finding.severity, field_text(finding.path)


def _named(releases: Sequence[SystemRelease]) -> str:
    return f"in {releases[0].system} {' and '.join(release.name for release in releases)}"


def _marked(judged: Sequence[_Judged], texts: Callable[[Decision], Sequence[str]]) -> Iterator[str]:
    having: dict[str, list[SystemRelease]] = {}
    for release, decision in judged:
        for text in dict.fromkeys(texts(decision)):
            having.setdefault(text, []).append(release)
    for text, releases in having.items():
        yield text if len(releases) == len(judged) else f"{_named(releases)}: {text}"


def _notes(judged: Sequence[_Judged]) -> Iterator[Finding]:
    """A note for each value that an upgrade from one release to the next changes."""
    for before, after in pairwise(judged):
        for change in _results(before, after):
            yield Finding(STORED_OTHERWISE, Severity.NOTE, change.path, change.message)


def _results(before: _Judged, after: _Judged) -> Iterator[UpgradeChange]:
    """The changes of an object that both releases accept: values, created objects, nodes."""
    (_, old), (second, new) = before, after
    if not (old.allowed and new.allowed):
        return
    later, words = f"{second.system} {second.name}".strip(), HiddenCredentials(new.object, old.object).words
    for change in _of_values(before, after, later):
        yield replace(change, message=words(change.message))
    yield from _of_pods(before, after, later)


def _of_values(before: _Judged, after: _Judged, later: str) -> Iterator[UpgradeChange]:
    """The values that are stored differently, and the objects that are created differently."""
    (first, old), (_, new) = before, after
    filled = {entry.path for decision in (old, new) for entry in decision.provenance}
    for path, was, now in _values(_own(old.object), _own(new.object), ()):
        what, verb = (What.FILLED, "fills in") if path in filled else (What.STORED, "stores")
        yield UpgradeChange(what, field_text(path), f"{later} {verb} {_value(now)}, and {first.name} {_value(was)}", path=path)
    yield from _created(old, new, later, first.name)


def _of_pods(before: _Judged, after: _Judged, later: str) -> Iterator[UpgradeChange]:
    """Where the pods could run, if that differs."""
    (first, old), (_, new) = before, after
    nodes, others = _nodes(old), _nodes(new)
    if nodes is not None and others is not None and nodes != others:
        there, here = (listed(found) or "no node" for found in (others, nodes))
        yield UpgradeChange(What.PLACED, "", f"{later} could place its pods on {there}, and {first.name} on {here}")


def _own(obj: JSONValue) -> JSONValue:
    """The object without parts that follow from others: the record of filled-in values, and the generation."""
    metadata = metadata_of(obj)
    if not isinstance(obj, dict) or not metadata:
        return obj
    kept = {key: value for key, value in metadata.items() if key not in ("annotations", "generation")}
    annotations = {key: value for key, value in text_map(obj, "metadata", "annotations").items() if key != KEY}
    return {**obj, "metadata": {**kept, "annotations": annotations} if annotations else kept}


def _created(old: Decision, new: Decision, later: str, earlier: str) -> Iterator[UpgradeChange]:
    """One change, with the first fields, for each object that the system's operator creates differently."""
    if old.effective is None or new.effective is None:
        return
    was, now = _objects(old.effective), _objects(new.effective)
    for name in dict.fromkeys((*was, *now)):
        if name not in now:
            yield UpgradeChange(What.CREATED, "", f"{later} doesn't create {name}, and {earlier} does")
        elif name not in was:
            yield UpgradeChange(What.CREATED, "", f"{later} creates {name}, and {earlier} doesn't")
        else:
            fields = [_field(path, then, value) for path, then, value in _values(was[name], now[name], (), is_whole=_is_texts)]
            if fields:
                yield UpgradeChange(What.CREATED, "", f"{later} creates {name} otherwise than {earlier}: {listed(fields)}")


def _field(path: Path, was: JSONValue | _Missing, now: JSONValue | _Missing) -> str:
    """A field of a created object and its values; of a list only the items that differ."""
    if isinstance(was, list) and isinstance(now, list):
        parts = (("with", [item for item in now if item not in was]), ("without", [item for item in was if item not in now]))
        said = " and ".join(f"{word} {' '.join(map(_short, found))}" for word, found in parts if found)
        return f"{field_text(path)} {said or 'in another order'}"
    return f"{field_text(path)} {_short(now)} for {_short(was)}"


def _short(value: JSONValue | _Missing) -> str:
    text = _value(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _objects(effective: JSONObject) -> dict[str, JSONObject]:
    return {f"{obj.get('kind')}/{name_of(obj)}": obj for obj in effective.get("objects", ())}


def _nodes(decision: Decision) -> list[str] | None:
    """The nodes that could run the object's pods; `None` if there are no pods or no nodes are known."""
    return None if decision.placement is None else sorted(decision.placement.nodes.feasible)


class _Missing:
    """Marks a missing value."""


_MISSING: Final = _Missing()


def _is_texts(value: JSONValue) -> bool:
    """Whether a value is a list of texts, such as a container's arguments. If one is inserted, all that follow have other positions."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _values(
    old: JSONValue, new: JSONValue, path: Path, *, is_whole: Callable[[JSONValue], bool] = lambda _: False
) -> Iterator[tuple[Path, JSONValue | _Missing, JSONValue | _Missing]]:
    """The values that differ, by their paths. One that `is_whole` is compared as a whole."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            yield from _values(old.get(key, _MISSING), new.get(key, _MISSING), (*path, key), is_whole=is_whole)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new) and not is_whole(old):
        for index, (was, now) in enumerate(zip(old, new, strict=True)):
            yield from _values(was, now, (*path, index), is_whole=is_whole)
    elif old is not new and (type(old) is not type(new) or old != new):
        yield path, old, new


def _value(value: JSONValue | _Missing) -> str:
    return "nothing" if isinstance(value, _Missing) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
