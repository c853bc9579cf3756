"""The cluster's objects that rules may look up, by name and by the indexes that rules ask for.

Filled from manifests, a snapshot or watches. A known absence is told from ignorance kind by kind: what a snapshot holds of a kind is all
of that kind, the manifests beside the judged one are some of theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from policies.facts.versions import in_known_shape
from policies.objects import GroupVersionKind, JSONObject, JSONValue, name_of, namespace_of

#: Objects are kept by group and kind: whichever version they were read in, they are the same objects.
_GroupKind = tuple[str, str]
#: Objects of a kind are kept by namespace and name.
_Key = tuple[str, str]
#: What an index files an object under; `None` leaves it out.
Key = Callable[[JSONObject], Hashable | None]
_Read = TypeVar("_Read")
#: What an index of readings files a reading under; each of the keys finds it.
Keys = Callable[[Any], Iterable[Hashable]]


class ObjectStore:
    """Objects by group, kind, namespace and name. ``Kind/name`` stands for the objects of a kind that have this name."""

    def __init__(self, objects: Iterable[JSONObject] = ()) -> None:
        self._objects: dict[_GroupKind, dict[tuple[str, str], JSONObject]] = {}
        self._complete: set[_GroupKind] = set()
        self._unreadable: set[_GroupKind] = set()
        self._indexes: dict[_GroupKind, dict[Key, dict[Hashable, list[JSONObject]]]] = {}
        self._readings: dict[_GroupKind, dict[Callable[[JSONObject], Any], dict[tuple[str, str], Any]]] = {}
        #: The readings of each reader in the order of the objects, until one of these changes.
        self._in_order: dict[_GroupKind, dict[Callable[[JSONObject], Any], list[tuple[_Key, Any]]]] = {}
        self._read_indexes: dict[_GroupKind, dict[tuple[Callable[[JSONObject], Any], Keys], dict[Hashable, list[Any]]]] = {}
        self._derived: dict[Hashable, Any] = {}
        for obj in objects:
            self.put(obj)

    def put(self, obj: JSONObject) -> None:
        """Add or replace one object, in the shape of its version that readers know; one without kind, apiVersion or name is passed over.

        With an object in a version that they don't know, not all of its kind is known any more.
        """
        gvk, name = GroupVersionKind.from_object(obj), name_of(obj)
        if gvk is None or not name:
            return
        known = in_known_shape(obj, gvk)
        if known is None:
            self._unreadable.add((gvk.group, gvk.kind))
        else:
            self._objects.setdefault((gvk.group, gvk.kind), {})[namespace_of(obj), name] = known
            self._changed((gvk.group, gvk.kind), (namespace_of(obj), name))

    def discard(self, group: str, kind: str, namespace: str, name: str) -> None:
        """Forget one object."""
        self._objects.get((group, kind), {}).pop((namespace, name), None)
        self._changed((group, kind), (namespace, name))

    def _changed(self, kind: _GroupKind, key: tuple[str, str]) -> None:
        self._derived.clear()
        for derived in (self._indexes, self._in_order, self._read_indexes):
            derived.pop(kind, None)
        for readings in self._readings.get(kind, {}).values():
            readings.pop(key, None)

    def replace(self, group: str, kind: str, objects: Iterable[JSONObject]) -> None:
        """Put `objects` in the place of all objects of a kind (or ``Kind/name``), and say that these are all that the cluster has."""
        self.forget(group, kind)
        for obj in objects:
            self.put(obj)
        self._complete.add((group, kind))

    def forget(self, group: str, kind: str) -> None:
        """Drop what is known of a kind (or ``Kind/name``), its completeness too."""
        self._complete.discard((group, kind))
        self._derived.clear()
        whole, _, named = kind.partition("/")
        if named:
            for namespace, name in [key for key in self._objects.get((group, whole), {}) if key[1] == named]:
                self.discard(group, whole, namespace, name)
            return
        for held in (self._objects, self._indexes, self._readings, self._in_order, self._read_indexes):
            held.pop((group, kind), None)
        self._unreadable.discard((group, kind))

    def complete(self, *, besides: Iterable[_GroupKind] = (), but: Iterable[_GroupKind] = ()) -> None:
        """Say that of every kind that is here by now, all objects of the cluster are here; of those in `besides` too, if there is none.

        Those in `but` are left out.
        """
        self._complete.update(self._objects, besides)
        self._complete.difference_update(but)

    def knows_all(self, group: str, kind: str) -> bool:
        """Whether what isn't here of a kind (or ``Kind/name``) isn't in the cluster either."""
        whole = kind.partition("/")[0]
        return ((group, kind) in self._complete or (group, whole) in self._complete) and (group, whole) not in self._unreadable

    def kinds(self) -> set[tuple[str, str]]:
        """Group and kind of all that is here."""
        return {kind for kind, objects in self._objects.items() if objects}

    def derived(self, key: Hashable, work_out: Callable[[], _Read]) -> _Read:
        """What follows from the objects of any kind, worked out when it is first asked for, and again once any object has changed."""
        if key not in self._derived:
            self._derived[key] = work_out()
        found: _Read = self._derived[key]
        return found

    def beneath(self, group: str) -> ObjectStore:
        """The store that has the objects of an API group, which stays the same where this one is only put over it for others."""
        return self

    def get(self, group: str, kind: str, namespace: str, name: str) -> JSONValue:
        """One object, or `None`."""
        return self._objects.get((group, kind), {}).get((namespace, name))

    def list(self, group: str, kind: str, namespace: str | None = None) -> Iterator[JSONObject]:
        """The objects of a kind (or ``Kind/name``), of one namespace or of all."""
        whole, _, named = kind.partition("/")
        for (where, name), obj in self._objects.get((group, whole), {}).items():
            if (namespace is None or where == namespace) and (not named or name == named):
                yield obj

    def where(self, group: str, kind: str, key: Key, value: Hashable) -> Iterable[JSONObject]:
        """The objects of a kind that `key` files under `value`; the index is made when it is first asked for."""
        indexes = self._indexes.setdefault((group, kind), {})
        if key not in indexes:
            index: dict[Hashable, list[JSONObject]] = {}
            for obj in self._objects.get((group, kind), {}).values():
                filed = key(obj)
                if filed is not None:
                    index.setdefault(filed, []).append(obj)
            indexes[key] = index
        return indexes[key].get(value, ())

    def read(self, group: str, kind: str, reader: Callable[[JSONObject], _Read]) -> Sequence[_Read]:
        """What a reader makes of each object of a kind (or ``Kind/name``); it reads an object once, until that changes."""
        return [reading for _, reading in self.readings(group, kind, reader)]

    def read_where(self, group: str, kind: str, reader: Callable[[JSONObject], _Read], keys: Keys, value: Hashable) -> Sequence[_Read]:
        """The readings of a kind that have `value` among their keys, in the order of `read`. The first call makes the index."""
        return [reading for _, reading in self.readings_where(group, kind, reader, keys, value)]

    def readings(self, group: str, kind: str, reader: Callable[[JSONObject], _Read]) -> Sequence[tuple[_Key, _Read]]:
        """The readings of `read`, each with the namespace and name of its object."""
        whole, _, named = kind.partition("/")
        in_order = self._in_order.setdefault((group, whole), {})
        if reader in in_order and not named:
            return in_order[reader]
        readings: dict[_Key, _Read] = self._readings.setdefault((group, whole), {}).setdefault(reader, {})
        objects = self._of(group, kind)
        keys = [key for key in objects if key[1] == named] if named else list(objects)
        for key in keys:
            if key not in readings:
                readings[key] = reader(objects[key])
        found = [(key, readings[key]) for key in keys]
        if not named:
            in_order[reader] = found
        return found

    def readings_where(
        self, group: str, kind: str, reader: Callable[[JSONObject], _Read], keys: Keys, value: Hashable
    ) -> Sequence[tuple[_Key, _Read]]:
        """The readings of `read_where`, each with the namespace and name of its object."""
        indexes = self._read_indexes.setdefault((group, kind), {})
        if (reader, keys) not in indexes:
            index: dict[Hashable, list[tuple[_Key, _Read]]] = {}
            # Only this store's own objects: what lies under it has an index of its own.
            for one in ObjectStore.readings(self, group, kind, reader):
                for key in dict.fromkeys(keys(one[1])):
                    index.setdefault(key, []).append(one)
            indexes[reader, keys] = index
        return indexes[reader, keys].get(value, ())

    def _of(self, group: str, kind: str) -> Mapping[_Key, JSONObject]:
        """This store's own objects of a kind; of ``Kind/name`` those of the whole kind."""
        return self._objects.get((group, kind.partition("/")[0]), {})

    def __len__(self) -> int:
        return sum(map(len, self._objects.values()))


class OverlaidStore(ObjectStore):
    """A store with some objects put over those of another one, which stays as it is."""

    def __init__(self, under: ObjectStore, objects: Iterable[JSONObject]) -> None:
        super().__init__(objects)
        self._under = under

    def kinds(self) -> set[tuple[str, str]]:
        """Group and kind of all that is here."""
        return super().kinds() | self._under.kinds()

    def beneath(self, group: str) -> ObjectStore:
        """The store below where nothing of the group is put over it."""
        return self if any(over == group for over, _ in self._objects) else self._under.beneath(group)

    def knows_all(self, group: str, kind: str) -> bool:
        """Whether the store below knows all."""
        return self._under.knows_all(group, kind)

    def get(self, group: str, kind: str, namespace: str, name: str) -> JSONValue:
        """One object, or `None`."""
        found = super().get(group, kind, namespace, name)
        return self._under.get(group, kind, namespace, name) if found is None else found

    def list(self, group: str, kind: str, namespace: str | None = None) -> Iterator[JSONObject]:
        """The objects of a kind (or ``Kind/name``), of one namespace or of all."""
        yield from super().list(group, kind, namespace)
        over = self._of(group, kind)
        yield from (obj for obj in self._under.list(group, kind, namespace) if (namespace_of(obj), name_of(obj)) not in over)

    def where(self, group: str, kind: str, key: Key, value: Hashable) -> Iterable[JSONObject]:
        """The objects of a kind that `key` files under `value`."""
        if (group, kind) not in self._objects:
            return self._under.where(group, kind, key, value)
        return [obj for obj in self.list(group, kind) if key(obj) == value]

    def readings(self, group: str, kind: str, reader: Callable[[JSONObject], _Read]) -> Sequence[tuple[_Key, _Read]]:
        """The readings of `read`, each with the namespace and name of its object."""
        found = self._under.readings(group, kind, reader)
        over = self._of(group, kind)
        return [*super().readings(group, kind, reader), *(one for one in found if one[0] not in over)] if over else found

    def readings_where(
        self, group: str, kind: str, reader: Callable[[JSONObject], _Read], keys: Keys, value: Hashable
    ) -> Sequence[tuple[_Key, _Read]]:
        """The readings of `read_where`, each with the namespace and name of its object."""
        found = self._under.readings_where(group, kind, reader, keys, value)
        over = self._of(group, kind)
        own = super().readings_where(group, kind, reader, keys, value) if over else ()
        return [*own, *(one for one in found if one[0] not in over)] if over else found


class ReducedStore(ObjectStore):
    """A store without some objects of another one, which stays as it is."""

    def __init__(self, under: ObjectStore, gone: Iterable[JSONObject]) -> None:
        super().__init__(gone)
        self._under = under

    def kinds(self) -> set[tuple[str, str]]:
        """Group and kind of all that the store below has."""
        return self._under.kinds()

    def beneath(self, group: str) -> ObjectStore:
        """The store below where nothing of the group is taken away."""
        return self if any(gone == group for gone, _ in self._objects) else self._under.beneath(group)

    def knows_all(self, group: str, kind: str) -> bool:
        """Whether the store below knows all."""
        return self._under.knows_all(group, kind)

    def get(self, group: str, kind: str, namespace: str, name: str) -> JSONValue:
        """One object, or `None`."""
        is_gone = super().get(group, kind, namespace, name) is not None
        return None if is_gone else self._under.get(group, kind, namespace, name)

    def list(self, group: str, kind: str, namespace: str | None = None) -> Iterator[JSONObject]:
        """The objects of a kind (or ``Kind/name``), of one namespace or of all."""
        gone = self._of(group, kind)
        yield from (obj for obj in self._under.list(group, kind, namespace) if (namespace_of(obj), name_of(obj)) not in gone)

    def where(self, group: str, kind: str, key: Key, value: Hashable) -> Iterable[JSONObject]:
        """The objects of a kind that `key` files under `value`."""
        gone = self._of(group, kind)
        return [obj for obj in self._under.where(group, kind, key, value) if (namespace_of(obj), name_of(obj)) not in gone]

    def readings(self, group: str, kind: str, reader: Callable[[JSONObject], _Read]) -> Sequence[tuple[_Key, _Read]]:
        """The readings of `read`, each with the namespace and name of its object."""
        gone = self._of(group, kind)
        return [one for one in self._under.readings(group, kind, reader) if one[0] not in gone]

    def readings_where(
        self, group: str, kind: str, reader: Callable[[JSONObject], _Read], keys: Keys, value: Hashable
    ) -> Sequence[tuple[_Key, _Read]]:
        """The readings of `read_where`, each with the namespace and name of its object."""
        gone = self._of(group, kind)
        return [one for one in self._under.readings_where(group, kind, reader, keys, value) if one[0] not in gone]
