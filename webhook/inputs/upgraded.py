"""Finds what an upgrade changes for a cluster: every stored object and every CRD is judged for one release after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from itertools import pairwise

from weighbridge.policies.facts.kinds import CRDS
from weighbridge.policies.families import families
from weighbridge.policies.ground.findings import Decision
from weighbridge.policies.ground.objects import JSONObject, Operation, name_of
from weighbridge.policies.verdict.engine import decide
from weighbridge.policies.verdict.upgrade import UpgradeChange, What, asked_of, differences
from weighbridge.webhook.change_report.upgrade import Upgraded
from weighbridge.webhook.inputs.bundled import bundled_crds
from weighbridge.webhook.inputs.releases import Basis, groups_of
from weighbridge.webhook.inputs.requests import request_of
from weighbridge.webhook.inputs.stored import as_written, owner_of, without


class Upgrade:
    """The steps of an upgrade, from one basis to the next."""

    def __init__(self, bases: Sequence[Basis]) -> None:
        self._bases = bases
        # Created objects differ only with the operators' releases.
        self._explains = any(basis.chosen for basis in bases)
        self._replacements = list(map(_replacements, bases))

    def stored(self) -> Iterator[JSONObject]:
        """The stored objects of the families' kinds, family by family, and the CRDs."""
        objects = self._bases[0].facts.objects
        for family in families():
            for kind in family.kinds:
                # Judging removes an object from the facts for a moment and puts it back.
                yield from list(objects.list(kind.gvk.group, kind.gvk.kind))
        yield from list(objects.list(CRDS.gvk.group, CRDS.gvk.kind))

    def changes_of(self, obj: JSONObject) -> Iterator[Upgraded]:
        """The changes of each step for a stored object; empty for a step without changes."""
        replacements = [found.get(name_of(obj)) if is_crd(obj) else None for found in self._replacements]
        updates = [self._updated(obj, basis, replacement) for basis, replacement in zip(self._bases, replacements, strict=True)]
        creations = [self._created(obj, basis) for basis in self._bases]
        for at, (before, after) in enumerate(pairwise(self._bases)):
            changes = _between(before, after, updates[at : at + 2])
            if replacements[at] is not replacements[at + 1]:
                # A CRD with another schema isn't reported; its effects are reported for the objects.
                changes = [change for change in changes if change.what is not What.STORED]
            known = set(changes)
            anew = [change for change in _between(before, after, creations[at : at + 2]) if change not in known]
            breaks = updates[at + 1].never_runs and not updates[at].never_runs
            if changes or anew or breaks:
                refuses = [found[at].allowed and not found[at + 1].allowed for found in (updates, creations)]
                yield Upgraded(obj, owner_of(obj), before.release, after.release, changes, anew, refuses[0], refuses[1], breaks)

    def _updated(self, obj: JSONObject, basis: Basis, replacement: JSONObject | None) -> Decision:
        definitions = basis.facts.definitions
        request = request_of(replacement or obj, definitions, uid="audit", namespace="", operation=Operation.UPDATE, old=obj)
        return decide(asked_of(request, basis.facts), basis.facts, basis.config, explains=self._explains)

    def _created(self, obj: JSONObject, basis: Basis) -> Decision:
        # Whether a CRD is accepted depends on no other object.
        with nullcontext() if is_crd(obj) else without(obj, basis.facts):
            request = request_of(as_written(obj), basis.facts.definitions, uid="audit", namespace="")
            return decide(asked_of(request, basis.facts), basis.facts, basis.config, explains=self._explains)


def is_crd(obj: JSONObject) -> bool:
    """Whether an object is a CRD."""
    return bool(obj.get("kind") == CRDS.gvk.kind)


def _between(before: Basis, after: Basis, decisions: Sequence[Decision]) -> list[UpgradeChange]:
    return list(differences((before.release, decisions[0]), (after.release, decisions[1])))


def _replacements(basis: Basis) -> Mapping[str, JSONObject]:
    """The CRDs of chosen releases, which replace installed ones, by their names."""
    groups = groups_of(basis.chosen)
    return {name_of(crd): crd for crd in bundled_crds(basis.config) if crd["spec"]["group"] in groups} if groups else {}
