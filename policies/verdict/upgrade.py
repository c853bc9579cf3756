"""What differs between the verdicts of several releases of Kubernetes on one object: what an upgrade of the cluster changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from weighbridge.policies.ground.findings import Decision, Finding, Severity
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONValue, Path
from weighbridge.policies.ground.objects import field as field_text
from weighbridge.policies.ground.records import replace
from weighbridge.policies.ground.server_release import ServerRelease

#: The rule of values that are stored otherwise.
STORED_OTHERWISE: Final = "WB-004"

_Judged: TypeAlias = Sequence[tuple[ServerRelease, Decision]]
#: A finding without the words, which may be others in another release.
_Key: TypeAlias = tuple[str, Severity, str]


def compared(judged: _Judged) -> Decision:
    """One verdict for several releases, the oldest first: the newest one's, with what differs in the others.

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
        findings=[*_findings(judged), *_stored_otherwise(judged)],
        unchecked=list(dict.fromkeys(entry for _, decision in judged for entry in decision.unchecked)),
        never_runs=any(decision.never_runs for _, decision in judged),
    )


def _findings(judged: _Judged) -> Iterator[Finding]:
    having: dict[_Key, list[ServerRelease]] = {}
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


def _named(releases: Sequence[ServerRelease]) -> str:
    return f"in Kubernetes {' and '.join(release.name for release in releases)}"


def _marked(judged: _Judged, texts: Callable[[Decision], Sequence[str]]) -> Iterator[str]:
    having: dict[str, list[ServerRelease]] = {}
    for release, decision in judged:
        for text in dict.fromkeys(texts(decision)):
            having.setdefault(text, []).append(release)
    for text, releases in having.items():
        yield text if len(releases) == len(judged) else f"{_named(releases)}: {text}"


def _stored_otherwise(judged: _Judged) -> Iterator[Finding]:
    """A note for each value that an upgrade from one release to the next stores otherwise."""
    for (before, old), (after, new) in pairwise(judged):
        if not (old.allowed and new.allowed):
            continue
        for path, was, now in _differences(old.object, new.object, ()):
            message = f"Kubernetes {after.name} stores {_value(now)}, and {before.name} {_value(was)}"
            yield Finding(STORED_OTHERWISE, Severity.NOTE, path, message)


class _Missing:
    """No value."""


_MISSING: Final = _Missing()


def _differences(old: JSONValue, new: JSONValue, path: Path) -> Iterator[tuple[Path, JSONValue | _Missing, JSONValue | _Missing]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys((*old, *new)):
            yield from _differences(old.get(key, _MISSING), new.get(key, _MISSING), (*path, key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (was, now) in enumerate(zip(old, new, strict=True)):
            yield from _differences(was, now, (*path, index))
    elif old is not new and (type(old) is not type(new) or old != new):
        yield path, old, new


def _value(value: JSONValue | _Missing) -> str:
    return "nothing" if isinstance(value, _Missing) else json_text(value)
