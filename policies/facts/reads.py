"""Records what is read of a store, so that a result can be kept until something that it depends on changes.

A kind changes all the time while the objects that one verdict reads stay the same: most are looked up by name or by an index.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from weighbridge.policies.facts.index import Place
from weighbridge.policies.facts.store import Key, Keys, ObjectStore
from weighbridge.policies.ground.objects import JSONObject, JSONValue, namespace_of

_Read = TypeVar("_Read")
#: A lookup in a store: the name of its method, and the arguments. Its result is equal until something that it reads changes.
#: It has only texts and numbers, so that thousands of them cost the garbage collector nothing.
_Look = tuple[Any, ...]
#: If a lookup finds more objects than this, the whole kind is watched instead.
_MOST_WATCHED: Final = 32


class Reads(NamedTuple):
    """What was read of a store at its change number `changes`: each lookup, and its result."""

    changes: int
    looks: tuple[_Look, ...]
    given: tuple[Hashable, ...]

    def again(self, store: ObjectStore) -> Reads | None:
        """The same for the present state; `None` if a lookup would give another result now."""
        if store.changes == self.changes:
            return self
        for (look, *arguments), given in zip(self.looks, self.given, strict=True):
            if getattr(store, look)(*arguments) != given:
                return None
        return self._replace(changes=store.changes)


class ReadingStore(ObjectStore):
    """The objects of another store; what is read of them is recorded."""

    def __init__(self, under: ObjectStore) -> None:
        super().__init__()
        self._under, self._changes = under, under.changes
        self._looks: dict[_Look, Hashable] = {}

    def reads(self) -> Reads:
        """What was read so far."""
        return Reads(self._changes, tuple(self._looks), tuple(self._looks.values()))

    def _note(self, *look: Any) -> None:
        if look not in self._looks:
            self._looks[look] = getattr(self._under, look[0])(*look[1:])

    def _note_found(self, *look: Any) -> None:
        """Note objects that an index finds, by a lookup that returns the number of each one's latest change."""
        if look in self._looks:
            return
        given = getattr(self._under, look[0])(*look[1:])
        if len(given) > _MOST_WATCHED:
            self._note("changes_of", (look[1:3],))
        else:
            self._looks[look] = given

    def beneath(self, kinds: Iterable[tuple[str, str]]) -> ObjectStore:
        """The store below. These kinds are recorded as read."""
        self._note("changes_of", kinds := tuple(kinds))
        return self._under.beneath(kinds)

    def kinds(self) -> set[tuple[str, str]]:
        """Group and kind of all objects."""
        self._note("kinds")
        return self._under.kinds()

    def number_of(self, group: str, kind: str) -> int:
        """The number of objects of a kind."""
        self._note("number_of", group, kind)
        return self._under.number_of(group, kind)

    def knows_all(self, group: str, kind: str) -> bool:
        """Whether the store below knows all."""
        self._note("knows_all", group, kind)
        return self._under.knows_all(group, kind)

    def get(self, group: str, kind: str, namespace: str, name: str) -> JSONValue:
        """One object, or `None`."""
        self._note("change_of", group, kind, namespace, name)
        return self._under.get(group, kind, namespace, name)

    def list(self, group: str, kind: str, namespace: str | None = None) -> Iterator[JSONObject]:
        """The objects of a kind (or ``Kind/name``), of one namespace or of all."""
        if namespace is None or "/" in kind:
            self._note("changes_of", ((group, kind),))
        else:
            self._note_found("changes_where", group, kind, namespace_of, namespace)
        return self._under.list(group, kind, namespace)

    def where(self, group: str, kind: str, key: Key, value: Hashable) -> Iterable[JSONObject]:
        """The objects of a kind that `key` files under `value`."""
        self._note_found("changes_where", group, kind, key, value)
        return self._under.where(group, kind, key, value)

    def readings(self, group: str, kind: str, reader: Callable[[JSONObject], _Read]) -> Sequence[tuple[Place, _Read]]:
        """The readings of `read`, each with the namespace and name of its object."""
        self._note("changes_of", ((group, kind),))
        return self._under.readings(group, kind, reader)

    def readings_where(
        self, group: str, kind: str, reader: Callable[[JSONObject], _Read], keys: Keys, value: Hashable
    ) -> Sequence[tuple[Place, _Read]]:
        """The readings of `read_where`, each with the namespace and name of its object."""
        self._note_found("changes_read", group, kind, reader, keys, value)
        return self._under.readings_where(group, kind, reader, keys, value)

    def once(self, kinds: Sequence[tuple[str, str]], key: Hashable, work_out: Callable[[], _Read], *, by: Sequence[object] = ()) -> _Read:
        """The result of `work_out`, which the store below keeps."""
        self._note("changes_of", tuple(kinds))
        return self._under.once(kinds, key, work_out, by=by)
