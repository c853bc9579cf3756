"""Changes of a cluster's objects, and their effect on the changed objects themselves and on all others.

An object of a family leads to its dependents by the family's keys. Any other object, such as a Node, a Namespace or a StorageClass, may
matter to every object of the families that read its kind, so all of these are predicted and placed twice: the cost is linear in their
number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.kinds import CRDS, PLACEMENT_KINDS
from weighbridge.policies.families import families, family_groups, family_of, readers_of
from weighbridge.policies.families.family import Family, Kind
from weighbridge.policies.families.references import as_applied, as_stored
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.verdict.impact import Dependent, Impact, dependents, impacts, kinds_of, let_policies_fill_in

_Place = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Change:
    """An object that is applied or deleted, with its group, version and kind."""

    object: JSONObject
    gvk: GroupVersionKind
    is_deletion: bool = False

    @property
    def place(self) -> _Place:
        """Group, kind, namespace and name."""
        return self.gvk.group, self.gvk.kind, namespace_of(self.object), name_of(self.object)

    @property
    def own(self) -> tuple[Family, Kind] | None:
        """Its family and kind; `None` for objects without a family."""
        return _own(self.gvk)

    def readers(self) -> Iterator[Family]:
        """The families whose predictions may read it: its own, or for an object without a family all that look up its kind."""
        own = self.own
        if own is not None:
            yield from (own[0],) if self.gvk.kind in own[0].influences else ()
            return
        by_influence = set(map(id, readers_of(self.gvk, self.object, family_groups())))
        for family in families():
            if id(family) in by_influence or reads(family, self):
                yield family


def change_of(obj: JSONObject, *, is_deletion: bool = False) -> Change | None:
    """The change to an object; `None` for one without kind and version."""
    gvk = GroupVersionKind.from_object(obj)
    return Change(obj, gvk, is_deletion) if gvk is not None else None


def reads(family: Family, change: Change) -> bool:
    """Whether a family's predictions or placements read a changed object of another system, without a key that names it."""
    if change.gvk.kind in family.influences and all(kind.gvk.kind != change.gvk.kind for kind in family.kinds):
        return False
    kind, place = (change.gvk.group, change.gvk.kind), change.place[2:]
    looked_up = [each for each in family.looks_up if (each.gvk.group, each.gvk.kind) == kind]
    placing = [each for each in (*PLACEMENT_KINDS, CRDS) if family.predict and (each.gvk.group, each.gvk.kind) == kind]
    named = [*((each.namespace, each.name) for each in looked_up), *((each.namespace, each.name) for each in placing)]
    return any(not name or (namespace, name) == place for namespace, name in named)


def own_impacts(changes: Iterable[Change], before: Facts, after: Facts, config: Configuration) -> Iterator[Impact]:
    """The effect on the given objects themselves, without those that don't change."""
    let_policies_fill_in(config)
    for change in changes:
        own = change.own
        if own is None or change.is_deletion:
            continue
        family, kind = own
        will_be = _applied(change.place, family, after, config) or change.object
        held = _stored(change.place, before)
        was = None if held is None else _in_cluster(change.place, held, before, config)
        yield from impacts([(kind, was, will_be)], family, before, after, config)


def others_impacts(changes: Sequence[Change], before: Facts, after: Facts, config: Configuration) -> Iterator[Impact]:
    """The effect on all other objects: each that differs, once, even if several changes influence it."""
    let_policies_fill_in(config)
    seen = {change.place for change in changes}
    for change in changes:
        for family in change.readers():
            pairs: list[Dependent] = []
            for kind, obj in _dependents(change, family, before, after):
                place = (kind.gvk.group, kind.gvk.kind, namespace_of(obj), name_of(obj))
                if place not in seen:
                    seen.add(place)
                    was = _in_cluster(place, _stored(place, before) or obj, before, config)
                    pairs.append((kind, was, _applied(place, family, after, config) or was))
            yield from impacts(pairs, family, before, after, config, moves_pods=change.own is None)


def others(changes: Sequence[Change], after: Facts) -> int:
    """The number of other objects that these changes could influence."""
    dependent = (kind.gvk for change in changes for family in change.readers() for kind in dependent_kinds(change, family))
    kinds = {(gvk.group, gvk.kind) for gvk in dependent}
    found = {(*kind, namespace_of(obj), name_of(obj)) for kind in kinds for obj in after.objects.list(*kind)}
    return len(found - {change.place for change in changes})


def _own(gvk: GroupVersionKind) -> tuple[Family, Kind] | None:
    family = family_of(gvk.group)
    kind = next((kind for kind in family.kinds if (kind.gvk.group, kind.gvk.kind) == (gvk.group, gvk.kind)), None) if family else None
    return (family, kind) if family is not None and kind is not None else None


def dependent_kinds(change: Change, family: Family) -> Sequence[Kind]:
    """The kinds of a family's objects that may depend on a changed one."""
    named = [kind for influence in family.influences.get(change.gvk.kind, ()) for kind in kinds_of(influence, change.object, family)]
    return named or [kind for kind in family.kinds if kind.gvk.kind in family.predict]


def _dependents(change: Change, family: Family, before: Facts, after: Facts) -> Iterator[tuple[Kind, JSONObject]]:
    """The objects that exist afterwards and depend on a changed object, as it was or as it will be."""
    if change.gvk.kind not in family.influences:
        yield from _all_readers(change, family, after)
        return
    versions = ((_stored(change.place, before), before), (None if change.is_deletion else change.object, after))
    for version, facts in versions:
        for dependent, obj in dependents(version, family, change.gvk.kind, facts) if version is not None else ():
            if after.objects.get(dependent.gvk.group, dependent.gvk.kind, namespace_of(obj), name_of(obj)) is not None:
                yield dependent, obj


def _all_readers(change: Change, family: Family, after: Facts) -> Iterator[tuple[Kind, JSONObject]]:
    """The objects with a prediction that the change may affect.

    If a Namespace or an object in a namespace changes, these are the objects of that namespace. If it belongs to an operator, all are.
    """
    is_operators = any(kind.name for kind in family.looks_up if kind.gvk.kind == change.gvk.kind and kind.gvk.group == change.gvk.group)
    is_workload = change.gvk.kind == "Deployment"
    namespace = change.place[3] if change.gvk.kind == "Namespace" else change.place[2]
    within = None if is_operators or is_workload or not namespace else namespace
    for kind in dependent_kinds(change, family):
        if kind.namespaced or within is None:
            yield from ((kind, obj) for obj in after.objects.list(kind.gvk.group, kind.gvk.kind, within))


def _stored(place: _Place, facts: Facts) -> JSONObject | None:
    found = facts.objects.get(*place)
    return found if isinstance(found, dict) else None


def _in_cluster(place: _Place, obj: JSONObject, before: Facts, config: Configuration) -> JSONObject:
    """An object of the cluster; for a manifest that is given as the cluster, the object that the cluster then has."""
    return as_stored(obj, place[2], before, config.within(place[2]))


def _applied(place: _Place, family: Family, facts: Facts, config: Configuration) -> JSONObject | None:
    """A given object as it will be stored, with filled-in values; `None` if it isn't given."""
    found = facts.beside.get(*place)
    if not isinstance(found, dict):
        return None
    return as_applied(found, place[2], facts, config.within(place[2])) if place[1] in family.fill else found
