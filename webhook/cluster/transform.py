"""The transform of objects on arrival, for the webhook and for a snapshot: an object is reduced to what is read of it.

The parts that several families read of one kind are combined.
"""

from __future__ import annotations

import logging
from functools import reduce
from typing import Final

from weighbridge.policies.facts import hami
from weighbridge.policies.facts.autoscaling.cluster_autoscaler import kept_deployment, kept_status
from weighbridge.policies.facts.blanks import NOTHING, Needed
from weighbridge.policies.facts.bounds import bounded
from weighbridge.policies.facts.document import GroupKind
from weighbridge.policies.facts.kept_parts import trim
from weighbridge.policies.facts.kinds import AUTOSCALER_STATUS, CRDS, DEPLOYMENTS
from weighbridge.policies.facts.shared_parts import SharedParts
from weighbridge.policies.families import families
from weighbridge.policies.families.family import ObjectTransform
from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, lookup, name_of, namespace_of

_log: Final = logging.getLogger("weighbridge.cluster")
_MOST_TOLD: Final = 100
#: Kinds that only administrators and drivers of the cluster write; their objects may be large.
_UNBOUNDED: Final = frozenset({("", "ConfigMap"), ("resource.k8s.io", "ResourceSlice")})


def defined_groups() -> set[str]:
    """The API groups whose CRDs are read: the families' own, and those of add-ons that their rules look up."""
    return {group for family in families() for group in (*(kind.gvk.group for kind in family.kinds), *family.add_ons)}


def needed() -> dict[GroupKind, Needed]:
    """The texts that could be secrets and that rules of all families read, by the kinds that the families have or look up."""
    found: dict[GroupKind, Needed] = {}
    for family in families():
        for kind in (*family.kinds, *family.looks_up):
            group_kind = kind.gvk.group, kind.gvk.kind
            found[group_kind] = found.get(group_kind, NOTHING) | family.needed
    return found


class Transform:
    """Reduces each object to its kept part, like SetTransform of client-go."""

    def __init__(self) -> None:
        self._groups = defined_groups()
        self._told: set[str] = set()
        self._shared = SharedParts()
        self._transforms: dict[GroupKind, list[ObjectTransform | None]] = {
            (AUTOSCALER_STATUS.gvk.group, AUTOSCALER_STATUS.gvk.kind): [kept_status],
            (DEPLOYMENTS.gvk.group, DEPLOYMENTS.gvk.kind): [kept_deployment, hami.kept_deployment],
        }
        for kind in (kind for family in families() for kind in family.looks_up):
            self._transforms.setdefault((kind.gvk.group, kind.gvk.kind), []).append(kind.transform)

    def __call__(self, obj: JSONObject) -> JSONObject | None:
        """The kept part of the object, or `None`."""
        if obj.get("kind") == CRDS.gvk.kind:
            return self._shared(trim(obj)) if lookup(obj, ("spec", "group")) in self._groups else None
        gvk = GroupVersionKind.from_object(obj)
        group_kind = (gvk.group, gvk.kind) if gvk is not None else ("", "")
        transforms = self._transforms.get(group_kind, [None])
        parts = [part for transform in transforms if (part := obj if transform is None else transform(obj)) is not None]
        if not parts:
            return None
        trimmed = trim(obj if any(part is obj for part in parts) else reduce(_together, parts))
        if group_kind in _UNBOUNDED:
            return trimmed
        kept = bounded(trimmed)
        if kept is not trimmed:
            self._tell(kept)
        return kept

    def _tell(self, obj: JSONObject) -> None:
        """Log once that only a part of an object is kept."""
        named = "/".join(filter(None, (str(obj.get("kind")), namespace_of(obj), name_of(obj))))
        if named not in self._told and len(self._told) < _MOST_TOLD:
            self._told.add(named)
            _log.warning("%s is too large to be kept whole: rules don't see what is deep in it, or late in a long list", named)


def _together(one: JSONValue, other: JSONValue) -> JSONValue:
    """What two readers keep of one value, combined: entries of lists belong together by their names, or else by their positions."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {key: _together(one.get(key), other.get(key)) for key in (*one, *(key for key in other if key not in one))}
    if isinstance(one, list) and isinstance(other, list):
        names = [_name(entry) for entry in one]
        if all(names) and all(map(_name, other)):
            theirs = {_name(entry): entry for entry in other}
            return [*(_together(entry, theirs.pop(name, None)) for name, entry in zip(names, one, strict=True)), *theirs.values()]
        if len(one) == len(other):
            return [_together(*pair) for pair in zip(one, other, strict=True)]
    return other if one is None else one


def _name(entry: JSONValue) -> str:
    """The name of a list's entry; empty if it has none."""
    return text(entry, "name")
