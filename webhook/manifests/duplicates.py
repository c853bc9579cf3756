"""The fields that stand twice in a text, as far as anyone says so: the API server names up to 100 of them, each once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

Place = TypeVar("Place")

_SERVER_LISTS: Final = 100


@dataclass(slots=True)
class Duplicates(Generic[Place]):
    """Paths with the place of a later key; a field that stands there a third time comes again while there are few."""

    found: list[tuple[str, Place]] = field(default_factory=list)
    _paths: set[str] = field(default_factory=set)

    def note(self, path: str, place: Place) -> None:
        """Remember a key that its map has already."""
        if path in self._paths:
            if len(self.found) < _SERVER_LISTS:
                self.found.append((path, place))
        elif len(self._paths) < _SERVER_LISTS:
            self._paths.add(path)
            self.found.append((path, place))

    @property
    def paths(self) -> list[str]:
        """The fields, each once, in the order of the text."""
        return list(dict.fromkeys(path for path, _ in self.found))
