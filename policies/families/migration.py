"""Migrations of manifests whose kind or fields have a successor: the changes that an object needs, and remarks for its author.

A family has its table in a module `migration` of its folder: `TABLE`, from group and kind to a function that looks at one object and gives
the changes. Paths are those of the object as it was written. Other modules make the changes in the text.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, TypeAlias

from weighbridge.policies.config import DEFAULT, Configuration
from weighbridge.policies.families import family_name, family_names
from weighbridge.policies.ground.modules import modules_in
from weighbridge.policies.ground.objects import SERVERS_OWN, GroupVersionKind, JSONObject, JSONValue, Path, lookup, metadata_of
from weighbridge.policies.ground.objects import field as field_text
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.schema.go_values import deep_copy


@dataclass(frozen=True, slots=True)
class SetTo:
    """A field gets another value, which is no map and no list."""

    path: Path
    value: JSONValue


@dataclass(frozen=True, slots=True)
class Add:
    """A map gets one more field, at its end."""

    path: Path
    key: str
    value: JSONValue


@dataclass(frozen=True, slots=True)
class Remove:
    """A field goes away."""

    path: Path


@dataclass(frozen=True, slots=True)
class Move:
    """A field gets another key. With further keys its value goes into new maps under them; 0 makes a new list of one item."""

    path: Path
    key: str
    below: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Lift:
    """A map is replaced by its fields, in the map around it."""

    path: Path


@dataclass(frozen=True, slots=True)
class Lone:
    """A list of one item is replaced by this item."""

    path: Path


@dataclass(frozen=True, slots=True)
class Wrap:
    """An item of a list becomes a map, which has the item under a key before other fields."""

    path: Path
    key: str
    others: tuple[tuple[str, str], ...] = ()


Change: TypeAlias = SetTo | Add | Remove | Move | Lift | Lone | Wrap


class Told(StrEnum):
    """A kind of remark: a field is gone without a successor, the object stays as it is, or its author has something to do."""

    REMOVED = "removed"
    LEFT = "left"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that the author has to know."""

    told: Told
    path: Path
    reason: str


@dataclass(slots=True)
class Migration:
    """The changes of one object, the objects that are added, and remarks for its author."""

    changes: list[Change] = field(default_factory=list)
    beside: list[JSONObject] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    def drop(self, path: Path, reason: str) -> None:
        """Remove a field that has no successor."""
        self.changes.append(Remove(path))
        self.remarks.append(Remark(Told.REMOVED, path, reason))

    def note(self, path: Path, reason: str) -> None:
        """Say what the author has to look after."""
        self.remarks.append(Remark(Told.NOTE, path, reason))

    def leave(self, path: Path, reason: str) -> None:
        """Leave the object as it is."""
        self.remarks.append(Remark(Told.LEFT, path, reason))


Table: TypeAlias = Mapping[tuple[str, str], Callable[[JSONObject, Configuration], Migration]]

_FAMILIES: Final = "weighbridge.policies.families"
#: Changes inside a map come before the map itself moves.
_ORDER: Final = {SetTo: 0, Wrap: 0, Add: 1, Remove: 2, Lone: 3, Move: 4, Lift: 5}


_LAST_APPLIED: Final = "kubectl.kubernetes.io/last-applied-configuration"


def migration_of(obj: JSONObject, config: Configuration = DEFAULT) -> Migration:
    """The migration of an object; an empty one for objects of other kinds."""
    gvk = GroupVersionKind.from_object(obj)
    migrate = _table(family_name(gvk.group)).get((gvk.group, gvk.kind)) if gvk is not None else None
    migration = migrate(obj, config) if migrate is not None else Migration()
    if any(map(_is_of_kind, migration.changes)):
        migration.changes += _without_identity(obj)
    return migration


def is_of_older_form(obj: JSONObject, config: Configuration = DEFAULT) -> bool:
    """Whether `weighbridge migrate` would change an object."""
    return bool(migration_of(obj, config).changes)


def _is_of_kind(change: Change) -> bool:
    """Whether a change gives an object another kind."""
    return isinstance(change, SetTo) and change.path in (("apiVersion",), ("kind",))


def successor_kind(gvk: GroupVersionKind) -> GroupVersionKind:
    """The new kind of objects of a kind; the same kind if it has no successor."""
    head: JSONObject = {"apiVersion": gvk.api_version, "kind": gvk.kind}
    after = changed(head, [change for change in migration_of(head).changes if _is_of_kind(change)])
    return GroupVersionKind.from_object(after) or gvk


def _without_identity(obj: JSONObject) -> Iterator[Remove]:
    """Removes what a server has written into the metadata. An object that gets another kind is a new object, and can't be created with such
    metadata.
    """
    metadata = metadata_of(obj)
    annotations = metadata.get("annotations")
    yield from (Remove(("metadata", key)) for key in sorted(SERVERS_OWN & metadata.keys()))
    if isinstance(annotations, dict) and _LAST_APPLIED in annotations:
        path: Path = ("metadata", "annotations")
        yield Remove(path if len(annotations) == 1 else (*path, _LAST_APPLIED))


def successor_of(obj: JSONObject, path: Path) -> str:
    """A sentence that says what to do about a field that its kind no longer has; empty if the kind isn't known to have had it."""
    migration = migration_of(obj)
    for change in migration.changes:
        if change.path != path or not isinstance(change, Move | Remove | Lift):
            continue
        if isinstance(change, Lift):
            return f"it is gone: write its fields in {field_text(path[:-1])}"
        if isinstance(change, Move):
            return f"it has moved: write {field_text((*path[:-1], change.key, *change.below))}"
        if reason := next((remark.reason for remark in migration.remarks if remark.path == path), ""):
            return f"it is gone: {reason}"
        return next((f"it has moved: write {field_text(to)}" for to in _taken_on(migration.changes, path, lookup(obj, path))), "")
    return ""


def _taken_on(changes: Sequence[Change], path: Path, value: JSONValue) -> Iterator[Path]:
    """The path where a removed field is added again, by itself or within a map."""
    for change in changes:
        if not isinstance(change, Add):
            continue
        if change.value == value:
            yield (*_now(change.path, changes), change.key)
        elif isinstance(change.value, dict):
            # Two fields may have one value; the one that has kept its name comes first.
            for key in sorted(change.value, key=lambda key: key != path[-1]):
                if change.value[key] == value:
                    yield (*_now(change.path, changes), change.key, key)


def _now(path: Path, changes: Sequence[Change]) -> Path:
    """The path with the new keys of the maps around it."""
    moved = {change.path: change.key for change in changes if isinstance(change, Move) and not change.below}
    return tuple(moved.get(path[: place + 1], step) for place, step in enumerate(path))


def changed(obj: JSONValue, changes: Sequence[Change]) -> JSONValue:
    """The object with all changes made, the fields in the order that they had."""
    result = deep_copy(obj)
    for change in sorted(changes, key=lambda change: (-_depth(change), _ORDER[type(change)])):
        _change(result, change)
    return result


def _depth(change: Change) -> int:
    return len(change.path) + isinstance(change, Add)


def _change(root: JSONValue, change: Change) -> None:
    if isinstance(change, Add):
        _at(root, change.path)[change.key] = deep_copy(change.value)
        return
    parent, last = _at(root, change.path[:-1]), change.path[-1]
    if isinstance(change, SetTo):
        parent[last] = change.value
    elif isinstance(change, Remove):
        del parent[last]
    elif isinstance(change, Lone):
        (parent[last],) = parent[last]
    elif isinstance(change, Wrap):
        parent[last] = {change.key: parent[last], **dict(change.others)}
    elif isinstance(change, Lift):
        entries = [pair for key, value in parent.items() for pair in (value.items() if key == last else [(key, value)])]
        parent.clear()
        parent.update(entries)
    else:
        entries = [(change.key, _below(value, change.below)) if key == last else (key, value) for key, value in parent.items()]
        parent.clear()
        parent.update(entries)


def _below(value: JSONValue, steps: tuple[str | int, ...]) -> JSONValue:
    for step in reversed(steps):
        value = [value] if step == 0 else {step: value}
    return value


def _at(root: Any, path: Path) -> Any:
    for step in path:
        root = root[step]
    return root


@lru_cache(maxsize=16)
def _table(family: str | None) -> Table:
    """The table of the family that owns a group. For a group without a family, the tables of all families: a route may refer to their
    objects.
    """
    tables: dict[tuple[str, str], Callable[[JSONObject, Configuration], Migration]] = {}
    for name in family_names() if family is None else (family,):
        if ("migration", False) in modules_in(importlib.import_module(f"{_FAMILIES}.{name}").__path__):
            tables.update(importlib.import_module(f"{_FAMILIES}.{name}.migration").TABLE)
    return tables
