"""Facts that record which kinds are looked up; the inventory counts as `Node`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from weighbridge.policies.facts import Facts, Inventory, ObjectStore
from weighbridge.policies.facts.document import GroupKind
from weighbridge.policies.facts.store import Key, Keys
from weighbridge.policies.ground.objects import JSONObject, JSONValue

NODE: GroupKind = ("", "Node")
_Read = TypeVar("_Read")


class RecordingStore(ObjectStore):
    """The objects of another store, and `asked`, the kinds of those that were looked up."""

    def __init__(self, store: ObjectStore, asked: set[GroupKind]) -> None:
        super().__init__()
        self._store, self._asked = store, asked

    def knows_all(self, group: str, kind: str) -> bool:
        self._asked.add((group, kind))
        return self._store.knows_all(group, kind)

    def get(self, group: str, kind: str, namespace: str, name: str) -> JSONValue:
        self._asked.add((group, kind))
        return self._store.get(group, kind, namespace, name)

    def list(self, group: str, kind: str, namespace: str | None = None) -> Iterator[JSONObject]:
        self._asked.add((group, kind))
        return self._store.list(group, kind, namespace)

    def where(self, group: str, kind: str, key: Key, value: Hashable) -> Iterable[JSONObject]:
        self._asked.add((group, kind))
        return self._store.where(group, kind, key, value)

    def readings(self, group: str, kind: str, reader: Callable[[JSONObject], _Read]) -> Sequence[tuple[tuple[str, str], _Read]]:
        self._asked.add((group, kind))
        return self._store.readings(group, kind, reader)

    def readings_where(
        self, group: str, kind: str, reader: Callable[[JSONObject], _Read], keys: Keys, value: Hashable
    ) -> Sequence[tuple[tuple[str, str], _Read]]:
        self._asked.add((group, kind))
        return self._store.readings_where(group, kind, reader, keys, value)


class _RecordingFacts(Facts):
    """Facts that record whether the inventory was read."""

    __slots__ = ("asked",)

    def __getattribute__(self, name: str) -> Any:
        if name == "inventory":
            object.__getattribute__(self, "asked").add(NODE)
        return super().__getattribute__(name)

    def overlaid(self, objects: Iterable[JSONObject]) -> Facts:
        found = super().overlaid(objects)
        object.__setattr__(found, "asked", object.__getattribute__(self, "asked"))
        return found


def recording(facts: Facts) -> tuple[Facts, set[GroupKind]]:
    """The same facts, and the set to which the looked-up kinds are added."""
    asked: set[GroupKind] = set()
    inventory: Inventory | None = facts.inventory
    recorded = _RecordingFacts(
        facts.definitions, RecordingStore(facts.objects, asked), inventory, RecordingStore(facts.replaced, asked), facts.staleness
    )
    object.__setattr__(recorded, "asked", asked)
    return recorded, asked
