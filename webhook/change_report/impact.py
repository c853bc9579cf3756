"""Writes the impact of a change as text or as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TextIO

from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.verdict.hidden_credentials import HiddenCredentials
from weighbridge.policies.verdict.impact import Impact, label
from weighbridge.webhook.texts.escapes import shown
from weighbridge.webhook.texts.json_text import readable
from weighbridge.webhook.texts.streams import in_utf_8

VERSION: Final = 1
#: The number of objects that are named if many differ in the same way.
_MOST_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class ChangeImpact:
    """The impact of a change.

    `changed` are the objects that change, `impacts` the impact on others, `known` the number of others that could be affected, and `own`
    the impact on the changed objects themselves.
    """

    changed: Sequence[JSONObject]
    impacts: Sequence[Impact]
    known: int
    own: Sequence[Impact] = ()

    @property
    def breaks(self) -> bool:
        """Whether the change breaks any object."""
        return any(impact.breaks for impact in (*self.own, *self.impacts))


def discreet(impact: Impact) -> Impact:
    """The impact without credentials."""
    discretion = HiddenCredentials(impact.object)
    return replace(
        impact,
        failure_before=discretion.words(impact.failure_before),
        failure_after=discretion.words(impact.failure_after),
        unchecked=discretion.words(impact.unchecked),
        differences=[
            replace(entry, before=discretion.value(entry.before), after=discretion.value(entry.after)) for entry in impact.differences
        ],
    )


def write_text(outcome: ChangeImpact, stream: TextIO) -> None:
    """Write the counts, the given objects, then the others.

    Objects that differ in the same way are listed together, those that break first.
    """
    stream.writelines(f"{shown(line)}\n" for line in _lines(outcome))


def write_json(outcome: ChangeImpact, stream: TextIO) -> None:
    """Write one JSON document: ``{"version": 1, "changed": [...], "own": [...], "objects": [...], "summary": {...}}``."""
    document: JSONObject = {
        "version": VERSION,
        "changed": [label(obj) for obj in outcome.changed],
        "own": [impact.as_json() for impact in outcome.own],
        "objects": [impact.as_json() for impact in outcome.impacts],
        "summary": {
            "known": outcome.known,
            "differ": sum(impact.differs for impact in outcome.impacts),
            "break": sum(impact.breaks for impact in outcome.impacts),
            "mend": sum(impact.mends for impact in outcome.impacts),
            "notFullyChecked": sum(bool(impact.unchecked) for impact in outcome.impacts),
        },
    }
    in_utf_8(stream).write(f"{readable(document)}\n")


#: Each format by its name for `--output`.
FORMATS: Final[Mapping[str, Callable[[ChangeImpact, TextIO], None]]] = MappingProxyType({"text": write_text, "json": write_json})


def _lines(outcome: ChangeImpact) -> Iterator[str]:
    yield _counts(outcome)
    yield from _grouped(outcome.own, "given: ")
    yield from _grouped(outcome.impacts, "")
    yield from _not_checked((*outcome.own, *outcome.impacts))


def _counts(outcome: ChangeImpact) -> str:
    counts = [f"{_count(outcome.impacts, 'differs')} of {outcome.known} other objects resolve differently"]
    counts.append(f"{_count((*outcome.own, *outcome.impacts), 'breaks')} break")
    if mending := _count((*outcome.own, *outcome.impacts), "mends"):
        counts.append(f"{mending} mend")
    return ", ".join(counts)


def _grouped(impacts: Sequence[Impact], prefix: str) -> Iterator[str]:
    groups: dict[tuple[str, ...], list[Impact]] = {}
    for impact in impacts:
        if impact.differs:
            groups.setdefault(tuple(lines_of(impact)), []).append(impact)
    for told, alike in sorted(groups.items(), key=lambda group: not group[1][0].breaks):
        names = ", ".join(label(impact.object) for impact in alike[:_MOST_NAMED])
        more = f" and {len(alike) - _MOST_NAMED} more" if len(alike) > _MOST_NAMED else ""
        yield f"{prefix}{names}{more}: {_verdict(alike[0])}"
        yield from (f"  {line}" for line in told)


def _count(impacts: Sequence[Impact], what: str) -> int:
    return sum(bool(getattr(impact, what)) for impact in impacts)


def _not_checked(impacts: Sequence[Impact]) -> Iterator[str]:
    """Each reason once, with the number of objects that it applies to."""
    reasons = Counter(impact.unchecked for impact in impacts if impact.unchecked)
    for reason, count in reasons.items():
        yield f"not fully checked: {count} object{'' if count == 1 else 's'}: {reason}"


def _verdict(impact: Impact) -> str:
    if impact.breaks:
        return "breaks"
    return "mends" if impact.mends else "resolves differently"


def lines_of(impact: Impact) -> Iterator[str]:
    """The differences of an object without its name, so that objects with equal ones can be listed together."""
    if impact.failure_after:
        yield f"fails: {impact.failure_after}"
    elif impact.never_runs:
        yield f"no node of the cluster could run its pods: {impact.why_never}"
    elif impact.why_later:
        yield f"no node of the cluster can run its pods for now: {impact.why_later}"
    if impact.failure_before and impact.failure_before != impact.failure_after:
        yield f"failed before: {impact.failure_before}"
    own = name_of(impact.object)
    for difference in impact.differences:
        kind, _, name = difference.object.partition("/")
        where = kind if not name or name.startswith(own) else difference.object
        if difference.field:
            yield f"{where} {difference.field}: {_value(difference.before)} -> {_value(difference.after)}"
        else:
            yield f"{where}: {'no longer made' if difference.after is None else 'made'}"


def _value(value: object) -> str:
    return "none" if value is None else json_text(value)
