"""Findings about values that were filled into stored objects and no longer fit what they were derived from.

They are found by filling in the stored object once more, as an update without a change would.

On the command line with `--cluster`, a manifest replaces the stored object among the facts, and the stored object is checked too. In a
cluster the update itself brings the values up to date.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.families.family import Family
from weighbridge.policies.families.fill.authorship import Authorship
from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, Operation, Path, field, name_of, namespace_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_equal
from weighbridge.policies.schema.object_meta import stored_numbers

#: The id of the finding that a filled-in value no longer fits.
STALE: Final = "WB-001"
#: The most objects that are checked for one change.
_MOST: Final = 200


def stale_values(
    request: Request, family: Family, facts: Facts, config: Configuration, *, is_offline: bool
) -> Iterator[Finding | Unchecked]:
    """A finding for each stored object whose filled-in values no longer fit once the request's object is stored."""
    yield from _own(request, family, facts, config)
    dependents = family.dependents.get(request.gvk.kind)
    if dependents is None or not isinstance(request.object, dict) or not (is_offline or _changes_spec(request)):
        return
    # Only the judged object changes; the dependents are as they are stored.
    after = facts.overlaid([request.object])
    for looked_at, obj in enumerate(dependents(request, facts)):
        if looked_at >= _MOST:
            yield Unchecked(f"{STALE} value-no-longer-follows", f"only the first {_MOST} of the objects that depend on it were checked")
            break
        fields = _stale_fields(obj, family, after, config, by_others=True)
        if fields:
            names = ", ".join(map(field, fields))
            subject = f'{names} of {obj.get("kind")} "{name_of(obj)}"'
            text = f"{subject} was filled in before and no longer fits this {request.gvk.kind}"
            yield Finding(STALE, Severity.WARNING, (), f"{text}; to update it, run: {_mending_command(obj, family)}")


def _own(request: Request, family: Family, facts: Facts, config: Configuration) -> Iterator[Finding]:
    stored: JSONValue = facts.replaced.get(request.gvk.group, request.gvk.kind, request.namespace, request.name)
    if not stored or family.kind(request.gvk) is None:
        return
    for path in _stale_fields(stored, family, facts, config, by_others=False):
        text = "the stored value was filled in before and no longer fits"
        yield Finding(STALE, Severity.WARNING, path, f"{text}; to update it, run: {_mending_command(stored, family)}")


def _stale_fields(obj: JSONObject, family: Family, facts: Facts, config: Configuration, *, by_others: bool) -> list[Path]:
    """The fields of a stored object that the family or policies would fill in differently now."""
    found = _stale_for_family(obj, family, facts, config)
    if config.policies is None or not config.policies.fill_in:
        return found
    from weighbridge.policies.verdict.own_fill_ins import stale_values_of_policies

    return [*found, *stale_values_of_policies(obj, family, facts, config, by_others=by_others)]


def _changes_spec(request: Request) -> bool:
    old = request.old_object
    return not isinstance(old, dict) or not deep_equal(request.object.get("spec"), old.get("spec"))


def _stale_for_family(obj: JSONObject, family: Family, facts: Facts, config: Configuration) -> list[Path]:
    """The fields of a stored object that the family would fill in differently now."""
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
    return [kept for kept in recorded if any(kept == path[: len(kept)] or path == kept[: len(path)] for path in changed)]


def _mending_command(obj: JSONObject, family: Family) -> str:
    """The command that brings an object's values up to date: an update without a change."""
    gvk = GroupVersionKind.from_object(obj)
    kind = family.kind(gvk) if gvk is not None else None
    if gvk is None or kind is None:
        raise ValueError(f"{obj.get('kind')} is not a kind of {family.title}")
    within = f" -n {namespace_of(obj)}" if kind.namespaced else ""
    return f"kubectl patch {kind.plural}.{gvk.group}/{name_of(obj)}{within} --type=merge -p '{{}}'"
