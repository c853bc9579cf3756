"""Remembers results; every memory has this form. docs/architecture.md names the owner of each, and says when it is emptied."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import Any, Final, TypeVar

_Result = TypeVar("_Result")
#: A longer text isn't remembered: an author can write megabytes, and the usual texts are short.
LONGEST: Final = 253


class Memory:
    """Results by key, until the owner empties the memory."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}

    def once(self, key: Hashable, work_out: Callable[[], _Result]) -> _Result:
        """The result of `work_out`, which is called only once."""
        known = self._known
        if key not in known:
            known[key] = work_out()
        found: _Result = known[key]
        return found

    def empty(self) -> None:
        """Empty the memory."""
        self._known.clear()

    def __len__(self) -> int:
        return len(self._known)


def once_a_text(most: int) -> Callable[[Callable[[str], _Result]], Callable[[str], _Result]]:
    """Decorates a function of a text: the process remembers its results for the `most` latest short texts."""

    def remembering(function: Callable[[str], _Result]) -> Callable[[str], _Result]:
        remembered = lru_cache(maxsize=most)(function)

        @wraps(function)
        def ask(text: str) -> _Result:
            return remembered(text) if len(text) <= LONGEST else function(text)

        return ask

    return remembering
