"""A store that ends a decision once the caller's deadline has passed: each lookup of objects checks it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

from weighbridge.policies.facts.index import Place
from weighbridge.policies.facts.store import Key, Keys, ObjectStore
from weighbridge.policies.ground.objects import JSONObject, JSONValue

_Read = TypeVar("_Read")
#: The clock is read once for this number of lookups: a lookup is short, and reading the clock has a cost.
_LOOKS: Final = 16


class DeadlineExceededError(Exception):
    """The caller's deadline passed before the verdict was reached."""


class TimedStore(ObjectStore):
    """The objects of another store. Each lookup may raise DeadlineExceededError."""

    def __init__(self, under: ObjectStore, expired: Callable[[], bool]) -> None:
        super().__init__()
        self._under, self._expired, self._looks = under, expired, 0

    def _look(self) -> None:
        self._looks += 1
        if self._looks % _LOOKS == 0 and self._expired():
            raise DeadlineExceededError

    def beneath(self, kinds: Iterable[tuple[str, str]]) -> ObjectStore:
        """The store below."""
        return self._under.beneath(kinds)

    def number_of(self, group: str, kind: str) -> int:
        """The number of objects of a kind."""
        return self._under.number_of(group, kind)

    def knows_all(self, group: str, kind: str) -> bool:
        """Whether the store below knows all."""
        return self._under.knows_all(group, kind)

    def get(self, group: str, kind: str, namespace: str, name: str) -> JSONValue:
        """One object, or `None`."""
        self._look()
        return self._under.get(group, kind, namespace, name)

    def list(self, group: str, kind: str, namespace: str | None = None) -> Iterator[JSONObject]:
        """The objects of a kind (or ``Kind/name``), of one namespace or of all."""
        for obj in self._under.list(group, kind, namespace):
            self._look()
            yield obj

    def where(self, group: str, kind: str, key: Key, value: Hashable) -> Iterable[JSONObject]:
        """The objects of a kind that `key` files under `value`."""
        for obj in self._under.where(group, kind, key, value):
            self._look()
            yield obj

    def readings(self, group: str, kind: str, reader: Callable[[JSONObject], _Read]) -> Sequence[tuple[Place, _Read]]:
        """The readings of `read`, each with the namespace and name of its object."""
        self._look()
        return self._under.readings(group, kind, reader)

    def readings_where(
        self, group: str, kind: str, reader: Callable[[JSONObject], _Read], keys: Keys, value: Hashable
    ) -> Sequence[tuple[Place, _Read]]:
        """The readings of `read_where`, each with the namespace and name of its object."""
        self._look()
        return self._under.readings_where(group, kind, reader, keys, value)

    def once(self, kinds: Sequence[tuple[str, str]], key: Hashable, work_out: Callable[[], _Read], *, by: Sequence[object] = ()) -> _Read:
        """The result of `work_out`, which the store below keeps."""
        self._look()
        return self._under.once(kinds, key, work_out, by=by)
