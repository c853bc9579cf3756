"""The repeated fields of a text that the API server names: up to 100 of an object, each once."""

from __future__ import annotations

from collections import Counter
from typing import Final, Generic, TypeVar

from weighbridge.policies.ground.objects import Path
from weighbridge.policies.ground.records import dataclass, field

Place = TypeVar("Place")

_SERVER_LISTS: Final = 100


@dataclass(slots=True)
class Duplicates(Generic[Place]):
    """Paths with the place of a later key; a third occurrence of a field is noted again as long as its object has few."""

    found: list[tuple[Path, Place]] = field(default_factory=list)
    _objects: dict[Path, Counter[Path]] = field(default_factory=dict)

    def note(self, path: Path, place: Place) -> None:
        """Remember a key that its map has already."""
        known = self._objects.setdefault(_object_of(path), Counter())
        if (known.total() if path in known else len(known)) < _SERVER_LISTS:
            known[path] += 1
            self.found.append((path, place))

    @property
    def paths(self) -> list[Path]:
        """The fields, each once, in the order of the text."""
        return list(dict.fromkeys(path for path, _ in self.found))


def _object_of(path: Path) -> Path:
    """The path of a field's object, which may be an item of a list of lists."""
    end = 0
    while len(path) > end + 1 and path[end] == "items" and isinstance(path[end + 1], int):
        end += 2
    return path[:end]
