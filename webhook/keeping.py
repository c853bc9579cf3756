"""What is kept of a cluster's objects, by the webhook that follows it and in a snapshot: what somebody reads, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from policies.facts.autoscaling.cluster_autoscaler import kept_deployment, kept_status
from policies.facts.kinds import AUTOSCALER_STATUS, CRDS, DEPLOYMENTS
from policies.facts.trimming import trim
from policies.families import families
from policies.objects import GroupVersionKind, JSONObject, lookup

#: Gives the part of an object that somebody reads, `None` where nobody reads any.
Keep: TypeAlias = Callable[[JSONObject], JSONObject | None]


def defined_groups() -> set[str]:
    """The API groups whose CRDs are read: the families' own, and those of add-ons that their rules ask for."""
    return {group for family in families() for group in (*(kind.gvk.group for kind in family.kinds), *family.add_ons)}


class Keeping:
    """Tells for each object what is kept of it."""

    def __init__(self) -> None:
        self._groups = defined_groups()
        self._keep: dict[tuple[str, str], list[Keep]] = {
            (kind.gvk.group, kind.gvk.kind): [keep] for kind, keep in ((AUTOSCALER_STATUS, kept_status), (DEPLOYMENTS, kept_deployment))
        }
        for kind in (kind for family in families() for kind in family.looks_up):
            if kind.keep is not None:
                self._keep.setdefault((kind.gvk.group, kind.gvk.kind), []).append(kind.keep)

    def __call__(self, obj: JSONObject) -> JSONObject | None:
        """The part that is kept; `None` where nothing is."""
        if obj.get("kind") == CRDS.gvk.kind:
            return trim(obj) if lookup(obj, ("spec", "group")) in self._groups else None
        gvk = GroupVersionKind.from_object(obj)
        keeps = self._keep.get((gvk.group, gvk.kind)) if gvk is not None else None
        part = obj if keeps is None else next(filter(None, (keep(obj) for keep in keeps)), None)
        return None if part is None else trim(part)
