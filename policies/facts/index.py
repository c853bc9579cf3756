"""An index of the objects of one kind by key, which is updated change by change.

A change is only noted; the object is filed again at the next lookup. So a change costs the same for any number of objects.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Final

#: Objects of a kind are kept by namespace and name.
Place = tuple[str, str]
_NOTHING: Final[Mapping[Place, Any]] = {}


class Index:
    """Items by the keys that `keys` files them under; under each key in the order in which their objects were first seen."""

    __slots__ = ("_changed", "_filed", "_keys", "_under")

    def __init__(self, keys: Callable[[Any], Iterable[Hashable]], places: Iterable[Place]) -> None:
        self._keys = keys
        self._filed: dict[Hashable, dict[Place, Any]] = {}
        self._under: dict[Place, tuple[tuple[Hashable, ...], int]] = {}
        self._changed: dict[Place, None] = dict.fromkeys(places)

    def note(self, place: Place) -> None:
        """Note that an object is new, has changed or was removed."""
        self._changed[place] = None

    def under(self, key: Hashable, item_at: Callable[[Place], Any], order: Mapping[Place, int]) -> Mapping[Place, Any]:
        """The items under a key. `item_at` returns the item at a place; it is only called for places in `order`."""
        # Removed objects are dropped first, since the others are compared with what is filed.
        for place in [place for place in self._changed if place not in order]:
            self._drop(place)
            del self._changed[place]
        for place in tuple(self._changed):
            self._file(place, item_at(place), order)
            del self._changed[place]
        return self._filed.get(key, _NOTHING)

    def _drop(self, place: Place, keys: tuple[Hashable, ...] = ()) -> None:
        """Remove an item from all keys except those in `keys`."""
        filed_under, _ = self._under.pop(place, ((), 0))
        for key in filed_under:
            if key not in keys:
                found = self._filed[key]
                del found[place]
                if not found:
                    del self._filed[key]

    def _file(self, place: Place, item: Any, order: Mapping[Place, int]) -> None:
        keys = tuple(dict.fromkeys(self._keys(item)))
        at = order[place]
        # An object that was removed and added again comes last.
        has_moved = place in self._under and self._under[place][1] != at
        self._drop(place, () if has_moved else keys)
        for key in keys:
            found = self._filed.setdefault(key, {})
            is_late = bool(found) and place not in found and at < order[next(reversed(found))]
            found[place] = item
            if is_late:
                self._filed[key] = dict(sorted(found.items(), key=lambda entry: order[entry[0]]))
        if keys:
            self._under[place] = keys, at
