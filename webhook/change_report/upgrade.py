"""The report of `weighbridge audit` on an upgrade: its effects on the objects of a cluster, as text or as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.spelling import listed
from weighbridge.policies.verdict.upgrade import SystemRelease, UpgradeChange
from weighbridge.webhook.texts.cells import one_line
from weighbridge.webhook.texts.counts import counted

#: Up to this number of objects, each is listed with its changes.
_FEW: Final = 20


@dataclass(frozen=True, slots=True)
class Upgraded:
    """The effects of one step of an upgrade on one object.

    `changes` are the effects on an update that changes nothing, `anew` those that only a creation would have. `refuses_update` and
    `refuses_creation` say that the step makes these be refused. `breaks` says that the step makes it impossible for any node to run its
    pods.
    """

    object: JSONObject
    owner: str
    before: SystemRelease
    after: SystemRelease
    changes: Sequence[UpgradeChange] = ()
    anew: Sequence[UpgradeChange] = ()
    refuses_update: bool = False
    refuses_creation: bool = False
    breaks: bool = False


@dataclass(slots=True)
class UpgradeReport:
    """The effects of the steps from release to release.

    `objects` and `crds` count what was judged, `unread` names the kinds that weren't.
    """

    releases: Sequence[SystemRelease]
    unread: Sequence[str]
    objects: int = 0
    crds: int = 0
    found: list[Upgraded] = field(default_factory=list)

    @property
    def breaks(self) -> bool:
        """Whether after any step a request is refused or a pod can't run that was all right before."""
        return any(one.refuses_update or one.refuses_creation or one.breaks for one in self.found)

    def text(self, *, verbose: bool = False) -> Iterator[str]:
        """Write lines for people: each step with its objects, each object with its changes, and the counts.

        If there are many objects, each change is written once with the first objects that it affects, unless `verbose`.
        """
        for before, after in pairwise(self.releases):
            of_step = [one for one in self.found if one.before is before and one.after is after]
            if of_step:
                yield f"from {_title(before)} to {_title(after)}:"
                if verbose or len(of_step) <= _FEW:
                    for one in of_step:
                        yield from _entry(one)
                else:
                    yield from _by_change(of_step)
                yield ""
            yield one_line(self._count(before, after, of_step))

    def _count(self, before: SystemRelease, after: SystemRelease, found: Sequence[Upgraded]) -> str:
        judged = counted(self.objects, "object") + (f" and {counted(self.crds, 'CRD')}" if self.crds else "")
        counts = _counts(found)
        parts = [f"{counts['updatesRefused']} refused as they are", f"{counts['creationsRefused']} refused if created anew"]
        parts += [f"{counts['neverRun']} that no node could run any more"] if counts["neverRun"] else []
        parts.append(f"{counts['changed']} changed in all")
        return f"{judged}, from {_title(before)} to {_title(after)}: {', '.join(parts)}"

    def json(self) -> str:
        """Write one JSON document."""
        head: dict[str, Any] = {"from": _title(self.releases[0]), "to": [_title(release) for release in self.releases[1:]]}
        head |= {"objects": self.objects, "customResourceDefinitions": self.crds, **_counts(self.found)}
        return json.dumps({**head, "notRead": list(self.unread), "changes": list(map(_record, self.found))}, indent=2)


def _title(release: SystemRelease) -> str:
    return f"{release.system} {release.name}".strip()


def _counts(found: Sequence[Upgraded]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for one in found:
        counts["changed"] += 1
        counts["updatesRefused"] += one.refuses_update
        counts["creationsRefused"] += one.refuses_creation
        counts["neverRun"] += one.breaks
    return {name: counts[name] for name in ("changed", "updatesRefused", "creationsRefused", "neverRun")}


def _entry(one: Upgraded) -> Iterator[str]:
    yield one_line(f"  {_label(one)}")
    yield from (one_line(f"    {line}") for line in _lines(one))


def _label(one: Upgraded) -> str:
    kind, namespace = one.object.get("kind"), namespace_of(one.object)
    owner = f" ({one.owner})" if one.owner else ""
    return f"{namespace}/{kind}/{name_of(one.object)}{owner}" if namespace else f"{kind}/{name_of(one.object)}{owner}"


def _by_change(found: Sequence[Upgraded]) -> Iterator[str]:
    """Each change once: changes of two objects are the same if only the objects' names differ in them."""
    said: dict[str, tuple[str, list[str]]] = {}
    for one in found:
        for line in _lines(one):
            said.setdefault(line.replace(name_of(one.object) or line, "*"), (line, []))[1].append(_label(one))
    for line, labels in said.values():
        yield one_line(f"  {line}")
        yield one_line(f"    {listed(labels)}")


def _lines(one: Upgraded) -> Iterator[str]:
    for when, changes in (("", one.changes), (" if created anew", one.anew)):
        for change in changes:
            where = f"{change.field}: " if change.field else ""
            rule = f" [{change.rule}]" if change.rule else ""
            yield f"{change.what}{when}: {where}{change.message}{rule}"
    if one.breaks:
        yield "no node could run its pods any more"


def _record(one: Upgraded) -> dict[str, Any]:
    return {
        "apiVersion": one.object.get("apiVersion"),
        "kind": one.object.get("kind"),
        "namespace": namespace_of(one.object),
        "name": name_of(one.object),
        "owner": one.owner,
        "from": _title(one.before),
        "to": _title(one.after),
        "neverRuns": one.breaks,
        "changes": [
            {"operation": operation, "what": str(change.what), "rule": change.rule, "field": change.field, "message": change.message}
            for operation, changes in (("UPDATE", one.changes), ("CREATE", one.anew))
            for change in changes
        ],
    }
