"""The cluster's objects that rules may look up, by name and by the indexes that rules need.

Filled from manifests, a snapshot or watches. For each kind the store knows whether its list is complete, so missing differs from unknown: a
snapshot has all objects of its kinds; the manifests that come with the judged one are only some of theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count
from operator import is_
from typing import Any, Final, TypeVar

from weighbridge.policies.facts.index import Index, Place
from weighbridge.policies.facts.versions import in_known_shape
from weighbridge.policies.ground.memory import Memory
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, name_of, namespace_of
from weighbridge.policies.ground.server_release import release

#: Objects are kept by group and kind: in every version they are the same objects.
_GroupKind = tuple[str, str]
#: Gives the key under which an index files an object; `None` leaves it out.
Key = Callable[[JSONObject], Hashable | None]
_Read = TypeVar("_Read")
#: Gives the keys under which an index files a reading; each of them finds it.
Keys = Callable[[Any], Iterable[Hashable]]
#: The most results that are kept for the same kinds.
_MOST_WORKED_OUT: Final = 512


@lru_cache(maxsize=1024)
def _whole(kinds: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The kinds, with the whole kind in place of ``Kind/name``: a change of an object is noted for its kind."""
    return tuple((group, kind.partition("/")[0]) for group, kind in kinds)


def _is_copy(obj: JSONObject, known: JSONObject) -> bool:
    """Whether an object is a copy with the same content, including the types of numbers."""
    try:
        if obj is known or obj != known:
            return False
    except RecursionError:
        # It nests too deep for Python's comparison, and counts as changed.
        return False
    from weighbridge.policies.ground.content import content_of

    content = content_of(obj)
    return content is not None and content == content_of(known)


def itself(obj: JSONObject) -> JSONObject:
    """A reader that returns the object itself, for finding objects by several keys."""
    return obj


class ObjectStore:
    """Objects by group, kind, namespace and name. ``Kind/name`` means the objects of a kind that have this name."""

    def __init__(self, objects: Iterable[JSONObject] = ()) -> None:
        self._objects: dict[_GroupKind, dict[Place, JSONObject]] = {}
        #: The order in which the objects were first seen.
        self._order: dict[_GroupKind, dict[Place, int]] = {}
        self._seen = count()
        self._complete: set[_GroupKind] = set()
        self._unreadable: set[_GroupKind] = set()
        self._indexes: dict[_GroupKind, dict[Hashable, Index]] = {}
        self._readings: dict[_GroupKind, dict[Callable[[JSONObject], Any], dict[Place, Any]]] = {}
        #: The readings of each reader in the order of the objects, until one of these changes.
        self._in_order: dict[_GroupKind, dict[Callable[[JSONObject], Any], list[tuple[Place, Any]]]] = {}
        #: Results that depend on the objects of some kinds, until one of these changes.
        self._worked_out: dict[tuple[_GroupKind, ...], tuple[Sequence[object], Memory]] = {}
        #: The numbers of the latest changes: of all, of a change that concerns all kinds, of each kind, and of each object.
        self.changes = 0
        self._all_changed = 0
        self._changes_of: dict[_GroupKind, int] = {}
        self._changed_at: dict[_GroupKind, dict[Place, int]] = {}
        for obj in objects:
            self.put(obj)

    def put(self, obj: JSONObject) -> None:
        """Add or replace one object, converted to the shape that readers know; one without kind, apiVersion or name is ignored.

        After an object in an unknown version its kind isn't known completely any more. An object that equals the present one changes
        nothing: most changes in a cluster are in fields that aren't kept.
        """
        gvk, name = GroupVersionKind.from_object(obj), name_of(obj)
        if gvk is None or not name:
            return
        known, kind = in_known_shape(obj, gvk), (gvk.group, gvk.kind)
        if known is None:
            self._unreadable.add(kind)
            self._forget_worked_out(kind)
        else:
            place, objects = (namespace_of(obj), name), self._objects.setdefault(kind, {})
            if place in objects and _is_copy(known, objects[place]):
                return
            objects[place] = known
            order = self._order.setdefault(kind, {})
            if place not in order:
                order[place] = next(self._seen)
            self._changed(kind, place)

    def discard(self, group: str, kind: str, namespace: str, name: str) -> None:
        """Remove one object."""
        for held in (self._objects, self._order):
            held.get((group, kind), {}).pop((namespace, name), None)
        self._changed((group, kind), (namespace, name))
        del self._changed_at[group, kind][namespace, name]

    def _changed(self, kind: _GroupKind, place: Place) -> None:
        self._in_order.pop(kind, None)
        self._forget_worked_out(kind)
        self._changed_at.setdefault(kind, {})[place] = self.changes
        for index in self._indexes.get(kind, {}).values():
            index.note(place)
        for readings in self._readings.get(kind, {}).values():
            readings.pop(place, None)

    def _forget_worked_out(self, kind: _GroupKind) -> None:
        self.changes += 1
        self._changes_of[kind] = self.changes
        for kinds in [kinds for kinds in self._worked_out if kind in kinds]:
            del self._worked_out[kinds]

    def replace(self, group: str, kind: str, objects: Iterable[JSONObject]) -> None:
        """Replace all objects of a kind (or ``Kind/name``) by `objects`, which are all that the cluster has."""
        self.forget(group, kind)
        for obj in objects:
            self.put(obj)
        self._complete.add((group, kind))
        self._forget_worked_out((group, kind.partition("/")[0]))

    def forget(self, group: str, kind: str) -> None:
        """Drop all that is known of a kind (or ``Kind/name``), including that it is complete."""
        self._complete.discard((group, kind))
        self._forget_worked_out((group, kind.partition("/")[0]))
        whole, _, named = kind.partition("/")
        if named:
            for namespace, name in [key for key in self._objects.get((group, whole), {}) if key[1] == named]:
                self.discard(group, whole, namespace, name)
            return
        for held in (self._objects, self._order, self._indexes, self._readings, self._in_order, self._changed_at):
            held.pop((group, kind), None)
        self._unreadable.discard((group, kind))

    def complete(self, *, besides: Iterable[_GroupKind] = (), but: Iterable[_GroupKind] = ()) -> None:
        """Note that the kinds of all present objects are complete, and those in `besides` too, even without objects.

        The kinds in `but` aren't complete.
        """
        self._complete.update(self._objects, besides)
        self._complete.difference_update(but)
        self._worked_out.clear()
        self.changes += 1
        self._all_changed = self.changes

    def knows_all(self, group: str, kind: str) -> bool:
        """Whether all objects of a kind (or ``Kind/name``) are known, so that a missing one isn't in the cluster either."""
        whole = kind.partition("/")[0]
        return ((group, kind) in self._complete or (group, whole) in self._complete) and (group, whole) not in self._unreadable

    def kinds(self) -> set[tuple[str, str]]:
        """Group and kind of all that is here."""
        return {kind for kind, objects in self._objects.items() if objects}

    def beneath(self, kinds: Iterable[_GroupKind]) -> ObjectStore:
        """The store that has the objects of these kinds: a store below if this one changes only other kinds."""
        return self

    def get(self, group: str, kind: str, namespace: str, name: str) -> JSONValue:
        """One object, or `None`."""
        return self._objects.get((group, kind), {}).get((namespace, name))

    def list(self, group: str, kind: str, namespace: str | None = None) -> Iterator[JSONObject]:
        """The objects of a kind (or ``Kind/name``), of one namespace or of all."""
        whole, _, named = kind.partition("/")
        found = self._of(group, whole) if namespace is None else self._filed(group, whole, namespace_of, namespace)
        for (_, name), obj in found.items():
            if not named or name == named:
                yield obj

    def where(self, group: str, kind: str, key: Key, value: Hashable) -> Iterable[JSONObject]:
        """The objects of a kind that `key` files under `value`. The index is built on first use."""
        return list(self._filed(group, kind, key, value).values())

    def read(self, group: str, kind: str, reader: Callable[[JSONObject], _Read]) -> Sequence[_Read]:
        """A reader's result for each object of a kind (or ``Kind/name``); it reads an object once, until that changes."""
        return [reading for _, reading in self.readings(group, kind, reader)]

    def read_where(self, group: str, kind: str, reader: Callable[[JSONObject], _Read], keys: Keys, value: Hashable) -> Sequence[_Read]:
        """The readings of a kind that have `value` among their keys, in the order of `read`. The first call makes the index."""
        return [reading for _, reading in self.readings_where(group, kind, reader, keys, value)]

    def readings(self, group: str, kind: str, reader: Callable[[JSONObject], _Read]) -> Sequence[tuple[Place, _Read]]:
        """The readings of `read`, each with the namespace and name of its object."""
        whole, _, named = kind.partition("/")
        in_order = self._in_order.setdefault((group, whole), {})
        if reader in in_order and not named:
            return in_order[reader]
        read_at = self._reading(group, whole, reader)
        found = [(place, read_at(place)) for place in self._of(group, whole) if not named or place[1] == named]
        if not named:
            in_order[reader] = found
        return found

    def readings_where(
        self, group: str, kind: str, reader: Callable[[JSONObject], _Read], keys: Keys, value: Hashable
    ) -> Sequence[tuple[Place, _Read]]:
        """The readings of `read_where`, each with the namespace and name of its object."""
        objects, indexes = self._of(group, kind), self._indexes.setdefault((group, kind), {})
        index = indexes.get((reader, keys))
        if index is None:
            index = indexes[reader, keys] = Index(keys, objects)
        return list(index.under(value, self._reading(group, kind, reader), self._order.get((group, kind), {})).items())

    def once(self, kinds: Sequence[_GroupKind], key: Hashable, work_out: Callable[[], _Read], *, by: Sequence[object] = ()) -> _Read:
        """The result of `work_out`, which is called only once.

        In this store it may depend only on objects of these kinds (or ``Kind/name``). Outside of it, it may depend on the things in `by`:
        with other things all results for these kinds are dropped. Results are remembered by release of Kubernetes.
        """
        whole = _whole(tuple(kinds))
        held, memory = self._worked_out.get(whole, (by, None))
        if memory is None or len(memory) >= _MOST_WORKED_OUT or len(held) != len(by) or not all(map(is_, held, by)):
            memory = Memory()
            self._worked_out[whole] = by, memory
        return memory.once((key, release()), work_out)

    def _filed(self, group: str, kind: str, key: Key, value: Hashable) -> Mapping[Place, JSONObject]:
        """This store's own objects that `key` files under `value`."""
        objects, indexes = self._of(group, kind), self._indexes.setdefault((group, kind), {})
        index = indexes.get(key)
        if index is None:
            index = indexes[key] = Index(lambda obj: () if (filed := key(obj)) is None else (filed,), objects)
        return index.under(value, objects.__getitem__, self._order.get((group, kind), {}))

    def _reading(self, group: str, kind: str, reader: Callable[[JSONObject], _Read]) -> Callable[[Place], _Read]:
        """A function that gives a reader's result for this store's own object at a place. An object is read once, until it changes."""
        objects = self._of(group, kind)
        readings: dict[Place, _Read] = self._readings.setdefault((group, kind), {}).setdefault(reader, {})

        def read_at(place: Place) -> _Read:
            if place not in readings:
                readings[place] = reader(objects[place])
            return readings[place]

        return read_at

    def _of(self, group: str, kind: str) -> Mapping[Place, JSONObject]:
        """This store's own objects of a kind; for ``Kind/name`` those of the whole kind."""
        return self._objects.get((group, kind.partition("/")[0]), {})

    def number_of(self, group: str, kind: str) -> int:
        """The number of objects of a kind."""
        return len(self._of(group, kind))

    def functions(self) -> Sequence[Callable[..., Any]]:
        """The functions by which its indexes and readings are made so far, each once."""
        found: dict[Any, None] = {}
        for indexes in self._indexes.values():
            for by in indexes:
                found.update(dict.fromkeys(by if isinstance(by, tuple) else (by,)))
        for readings in self._readings.values():
            found.update(dict.fromkeys(readings))
        return tuple(found)

    # --- what has changed since a look at it: each number of a change is given once ---

    def changes_of(self, kinds: Iterable[_GroupKind]) -> int:
        """The number of the latest change of these kinds (for ``Kind/name`` of the whole kind), or of a change that concerns all kinds."""
        changes_of = self._changes_of
        return max(self._all_changed, *[changes_of.get(kind, 0) for kind in _whole(tuple(kinds))])

    def change_of(self, group: str, kind: str, namespace: str, name: str) -> int:
        """The number of the latest change of an object; 0 if it isn't here."""
        return self._changed_at.get((group, kind), {}).get((namespace, name), 0)

    def changes_where(self, group: str, kind: str, key: Key, value: Hashable) -> Sequence[int]:
        """The numbers of the latest changes of the objects that `where` finds."""
        return self._changes_at(group, kind, self._filed(group, kind, key, value))

    def changes_read(self, group: str, kind: str, reader: Callable[[JSONObject], Any], keys: Keys, value: Hashable) -> Sequence[int]:
        """The numbers of the latest changes of the objects that `read_where` finds."""
        return self._changes_at(group, kind, (place for place, _ in self.readings_where(group, kind, reader, keys, value)))

    def _changes_at(self, group: str, kind: str, places: Iterable[Place]) -> Sequence[int]:
        changed_at = self._changed_at.get((group, kind), {})
        return tuple([changed_at[place] for place in places])

    def __len__(self) -> int:
        return sum(map(len, self._objects.values()))


class ReducedStore(ObjectStore):
    """A store without some objects of another one, which doesn't change."""

    def __init__(self, under: ObjectStore, objects: Iterable[JSONObject]) -> None:
        super().__init__(objects)
        self._under = under

    def kinds(self) -> set[tuple[str, str]]:
        """Group and kind of all objects of the store below."""
        return self._under.kinds()

    def beneath(self, kinds: Iterable[_GroupKind]) -> ObjectStore:
        """The store below if nothing of these kinds is changed here, else this one."""
        return self._under.beneath(kinds) if self._objects.keys().isdisjoint(_whole(tuple(kinds))) else self

    def knows_all(self, group: str, kind: str) -> bool:
        """Whether the store below knows all."""
        return self._under.knows_all(group, kind)

    def once(self, kinds: Sequence[_GroupKind], key: Hashable, work_out: Callable[[], _Read], *, by: Sequence[object] = ()) -> _Read:
        """The result of `work_out`. If none of these kinds is changed here, the store below keeps it for others too."""
        if self._objects.keys().isdisjoint(_whole(tuple(kinds))):
            return self._under.once(kinds, key, work_out, by=by)
        return super().once(kinds, key, work_out, by=by)

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
        found, gone = self._under.where(group, kind, key, value), self._of(group, kind)
        return [obj for obj in found if (namespace_of(obj), name_of(obj)) not in gone] if gone else found

    def readings(self, group: str, kind: str, reader: Callable[[JSONObject], _Read]) -> Sequence[tuple[Place, _Read]]:
        """The readings of `read`, each with the namespace and name of its object."""
        return self._left(group, kind, self._under.readings(group, kind, reader))

    def readings_where(
        self, group: str, kind: str, reader: Callable[[JSONObject], _Read], keys: Keys, value: Hashable
    ) -> Sequence[tuple[Place, _Read]]:
        """The readings of `read_where`, each with the namespace and name of its object."""
        return self._left(group, kind, self._under.readings_where(group, kind, reader, keys, value))

    def _left(self, group: str, kind: str, found: Sequence[tuple[Place, _Read]]) -> Sequence[tuple[Place, _Read]]:
        gone = self._of(group, kind)
        return [one for one in found if one[0] not in gone] if gone else found


class OverlaidStore(ReducedStore):
    """A store with objects that are added to those of another one or replace them; the other store doesn't change."""

    def kinds(self) -> set[tuple[str, str]]:
        """Group and kind of all that is here."""
        return ObjectStore.kinds(self) | super().kinds()

    def get(self, group: str, kind: str, namespace: str, name: str) -> JSONValue:
        """One object, or `None`."""
        found = ObjectStore.get(self, group, kind, namespace, name)
        return self._under.get(group, kind, namespace, name) if found is None else found

    def list(self, group: str, kind: str, namespace: str | None = None) -> Iterator[JSONObject]:
        """The objects of a kind (or ``Kind/name``), of one namespace or of all."""
        yield from ObjectStore.list(self, group, kind, namespace)
        yield from super().list(group, kind, namespace)

    def where(self, group: str, kind: str, key: Key, value: Hashable) -> Iterable[JSONObject]:
        """The objects of a kind that `key` files under `value`."""
        left = super().where(group, kind, key, value)
        return [*self._filed(group, kind, key, value).values(), *left] if self._of(group, kind) else left

    def readings(self, group: str, kind: str, reader: Callable[[JSONObject], _Read]) -> Sequence[tuple[Place, _Read]]:
        """The readings of `read`, each with the namespace and name of its object."""
        left = super().readings(group, kind, reader)
        return [*ObjectStore.readings(self, group, kind, reader), *left] if self._of(group, kind) else left

    def readings_where(
        self, group: str, kind: str, reader: Callable[[JSONObject], _Read], keys: Keys, value: Hashable
    ) -> Sequence[tuple[Place, _Read]]:
        """The readings of `read_where`, each with the namespace and name of its object."""
        left = super().readings_where(group, kind, reader, keys, value)
        return [*ObjectStore.readings_where(self, group, kind, reader, keys, value), *left] if self._of(group, kind) else left


def names_of(store: ObjectStore, group: str, kind: str, namespace: str | None = None) -> tuple[str, ...]:
    """The names of a kind's objects in one namespace or in all, sorted. They are listed once while no object of the kind changes."""
    return store.once(((group, kind),), (names_of, namespace), lambda: tuple(sorted(map(name_of, store.list(group, kind, namespace)))))
