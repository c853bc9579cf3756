"""The transform of objects on arrival, for the webhook and for a snapshot: what somebody reads of an object stays, and nothing else."""

from __future__ import annotations

from policies.facts.kinds import CRDS
from policies.facts.trimming import trim
from policies.families import families
from policies.objects import GroupVersionKind, JSONObject, lookup


def defined_groups() -> set[str]:
    """The API groups whose CRDs are read: the families' own, and those of add-ons that their rules ask for."""
    return {group for family in families() for group in (*(kind.gvk.group for kind in family.kinds), *family.add_ons)}


class Transform:
    """Makes of each object what is kept of it; as SetTransform of client-go."""

    def __init__(self) -> None:
        self._groups = defined_groups()
        looked_up = (kind for family in families() for kind in family.looks_up)
        self._transforms = {(kind.gvk.group, kind.gvk.kind): kind.transform for kind in looked_up if kind.transform is not None}

    def __call__(self, obj: JSONObject) -> JSONObject | None:
        """What is kept of the object; `None` where nothing is."""
        if obj.get("kind") == CRDS.gvk.kind:
            return trim(obj) if lookup(obj, ("spec", "group")) in self._groups else None
        gvk = GroupVersionKind.from_object(obj)
        transform = self._transforms.get((gvk.group, gvk.kind)) if gvk is not None else None
        part = obj if transform is None else transform(obj)
        return None if part is None else trim(part)
