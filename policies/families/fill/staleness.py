"""Values that were filled into a stored object and no longer fit what they were derived from.

They are found by filling in the stored object once more, as an update without a change would.
"""

from __future__ import annotations

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.fill.authorship import Authorship
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation, Path, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.object_meta import stored_numbers


def stale_fields(obj: JSONObject, family: Family, facts: Facts, config: Configuration) -> list[Path]:
    """The fields of a stored object that would get another value now."""
    gvk = GroupVersionKind.from_object(obj)
    fill = family.fill.get(gvk.kind) if gvk is not None else None
    if gvk is None or fill is None:
        return []
    authorship = Authorship.of_object(obj).of_families()
    recorded = dict.fromkeys(entry.field for entry in authorship.kept(obj, family.filled_fields(gvk.kind)))
    if not recorded:
        return []
    mutation = Mutation(stored_numbers(obj), authorship)
    request = Request("", Operation.UPDATE, gvk, mutation.object, obj, namespace=namespace_of(obj), name=name_of(obj))
    fill(mutation, request, facts, config)
    changed = [entry.path for entry in mutation.provenance]
    return [field for field in recorded if any(field == path[: len(field)] or path == field[: len(path)] for path in changed)]


def mending_command(obj: JSONObject, family: Family) -> str:
    """The command that brings an object's values up to date: an update without a change."""
    gvk = GroupVersionKind.from_object(obj)
    kind = family.kind(gvk) if gvk is not None else None
    if gvk is None or kind is None:
        raise ValueError(f"{obj.get('kind')} is not a kind of {family.title}")
    within = f" -n {namespace_of(obj)}" if kind.namespaced else ""
    return f"kubectl patch {kind.plural}.{gvk.group}/{name_of(obj)}{within} --type=merge -p '{{}}'"
