"""Brings the fields of an object up to date with what they are derived from: fills them in, updates them, and removes them again.

A field is open if it has no value, or one that was filled in before (see `authorship`). What to fill in is derived from the object without
the field.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weighbridge.policies.families.fill.mutation import Mutation
from weighbridge.policies.families.fill.value import Filling
from weighbridge.policies.ground.findings import Provenance
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path, lookup

#: What to fill into an object without the field; `None` for nothing.
Derive = Callable[[JSONObject], Filling | None]


def settle_value(
    mutation: Mutation,
    path: Path,
    derive: Derive,
    *,
    no_longer: str,
    unset: JSONValue = None,
    is_unset_refused: bool = False,
    removed: Path | None = None,
) -> None:
    """Fill one field if it is open. If it was filled in before, update or remove it.

    `no_longer` is the reason of a removal. `unset` is the CRD's default. A field with this value is open if the author can't have written
    it, and a value that is removed is replaced by it. Without a default the field is removed; if the author wrote nothing in the field at
    `removed`, that field is removed instead. `is_unset_refused` is whether a rule would refuse that default.
    """
    value, authorship = lookup(mutation.object, path), mutation.authorship
    ours = value is not None and authorship.is_filled(mutation.object, path)
    is_default = value is not None and value == unset and authorship.may_be_default(path, is_refused=is_unset_refused)
    if value is not None and not ours and not is_default:
        return
    filling = derive(_without(mutation.object, path))
    if filling is not None:
        mutation.replace(path, filling.value, source=filling.source, reason=filling.reason)
    elif ours and unset is not None:
        mutation.replace(path, unset, source="CRD", reason=no_longer)
    elif ours:
        gone = path if removed is None or authorship.is_written(removed) else removed
        mutation.remove(gone, source="vendor table", reason=no_longer)


def settle_items(mutation: Mutation, path: Path, derive: Callable[[JSONObject], list[Filling]], *, no_longer: str) -> None:
    """Add to a list what it lacks, and remove what was added before and no longer fits; `no_longer` is the reason for that.

    A list that its author may have written stays as it is: the server and GitOps controllers compare lists as a whole, so an item that is
    added to theirs would be taken out again with every apply.
    """
    if lookup(mutation.object, path) is not None and mutation.authorship.is_written(path):
        return
    ours = mutation.authorship.filled_items(mutation.object, path)
    settle_list(mutation, path, ours, lambda kept: derive(_with(mutation.object, path, kept)), no_longer=no_longer)


def settle_list(
    mutation: Mutation, path: Path, ours: Sequence[JSONValue], decide: Callable[[list[JSONValue]], list[Filling]], *, no_longer: str
) -> None:
    """Add to the list at `path` what it lacks, and remove the items that were added before (`ours`) and aren't wanted any more.

    `decide` says what to add to the author's items. A value that is no list stays as it is. `no_longer` is the reason of a removal.
    """
    found = lookup(mutation.object, path)
    if found is not None and not isinstance(found, list):
        return
    items: list[JSONValue] = found or []
    ours = [item for item in items if item in ours]
    kept = [item for item in items if item not in ours]
    wanted = decide(kept)
    values = [filling.value for filling in wanted]
    if all(item in values for item in ours):
        for filling in wanted:
            if filling.value not in ours:
                mutation.append(path, filling.value, source=filling.source, reason=filling.reason)
    elif kept or values:
        source, reason = (wanted[0].source, wanted[0].reason) if wanted else ("cluster", no_longer)
        mutation.replace(path, [*kept, *values], source=source, reason=reason)
        if wanted:
            places = enumerate(wanted, start=len(kept))
            mutation.provenance[-1:] = [Provenance((*path, at), entry.value, entry.source, entry.reason) for at, entry in places]
    else:
        mutation.remove(path, source="cluster", reason=no_longer)


def _without(obj: JSONObject, path: Path) -> JSONObject:
    """A copy of the object without a value at `path`; only the maps on the way are copied."""
    key = str(path[0])
    if len(path) == 1:
        return {name: value for name, value in obj.items() if name != key}
    below = obj.get(key)
    return {**obj, key: _without(below, path[1:])} if isinstance(below, dict) else obj


def _with(obj: JSONObject, path: Path, value: JSONValue) -> JSONObject:
    """A copy of the object with `value` at `path`, if the maps on the way exist."""
    key = str(path[0])
    if len(path) == 1:
        return {**obj, key: value}
    below = obj.get(key)
    return {**obj, key: _with(below, path[1:], value)} if isinstance(below, dict) else obj
