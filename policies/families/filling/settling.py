"""Brings the fields of an object up to date with what they are derived from: fills in, follows, and lets go again.

What to fill in is asked of the object in which the field stands open, and of the stored object too: what would have been filled into that
and still stands there is no author's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from policies.families.filling.authorship import is_written, written_items
from policies.families.filling.lists import settle_list
from policies.families.filling.value import Filling
from policies.families.mutation import Mutation
from policies.objects import JSONObject, JSONValue, Path, lookup

_Found = TypeVar("_Found", bound=Filling | list[Filling] | None)


@dataclass(frozen=True, slots=True)
class Derived(Generic[_Found]):
    """How a field follows from the object in which it stands open: `now`, and `before` of the object that is stored, if there is one."""

    now: Callable[[JSONObject], _Found]
    stored: JSONObject | None
    before: Callable[[JSONObject], _Found]


def settle_value(mutation: Mutation, path: Path, derived: Derived[Filling | None], *, no_longer: str, removed: Path | None = None) -> None:
    """Fill one field where it is open, bring it up to date or let go of it where it was filled in before.

    `no_longer` is the reason that is told of a value that goes; with it goes what stands at `removed`, else the field alone.
    """
    standing = lookup(mutation.object, path)
    ours = standing is not None and _was_filled(path, standing, derived) and not is_written(mutation.object, path)
    if standing is not None and not ours:
        return
    filling = derived.now(_without(mutation.object, path))
    if filling is not None:
        mutation.replace(path, filling.value, source=filling.source, reason=filling.reason)
    elif ours:
        mutation.remove(removed or path, source="vendor table", reason=no_longer)


def settle_items(mutation: Mutation, path: Path, derived: Derived[list[Filling]], *, no_longer: str) -> None:
    """Add to a list what it lacks, and take out of it what was added before and no longer follows, for the reason `no_longer`."""
    ours = _added_before(path, derived, written_items(mutation.object, path))
    settle_list(mutation, path, ours, lambda kept: derived.now(_with(mutation.object, path, kept)), no_longer=no_longer)


def _was_filled(path: Path, standing: JSONValue, derived: Derived[Filling | None]) -> bool:
    """Whether what stands in a field is what would have been filled into the stored object."""
    if derived.stored is None or lookup(derived.stored, path) != standing:
        return False
    filling = derived.before(_without(derived.stored, path))
    return filling is not None and filling.value == standing


def _added_before(path: Path, derived: Derived[list[Filling]], written: Sequence[JSONValue]) -> list[JSONValue]:
    """The items of a list that would have been added to the stored object and stand in it."""
    old = lookup(derived.stored, path) if derived.stored is not None else None
    if derived.stored is None or not isinstance(old, list):
        return []
    added = [filling.value for filling in derived.before(_with(derived.stored, path, []))]
    return [item for item in added if item in old and item not in written]


def _without(obj: JSONObject, path: Path) -> JSONObject:
    """A copy of the object in which nothing stands at `path`; only the maps on the way are copied."""
    key = str(path[0])
    if len(path) == 1:
        return {name: value for name, value in obj.items() if name != key}
    below = obj.get(key)
    return {**obj, key: _without(below, path[1:])} if isinstance(below, dict) else obj


def _with(obj: JSONObject, path: Path, value: JSONValue) -> JSONObject:
    """A copy of the object in which `value` stands at `path`, where the maps on the way are there."""
    key = str(path[0])
    if len(path) == 1:
        return {**obj, key: value}
    below = obj.get(key)
    return {**obj, key: _with(below, path[1:], value)} if isinstance(below, dict) else obj
