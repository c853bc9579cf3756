"""Results that are worked out once: one form for every memory, whichever owner keeps it and empties it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

_Result = TypeVar("_Result")


class Memory:
    """What was worked out, by key, until the owner empties it."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}

    def once(self, key: Hashable, work_out: Callable[[], _Result]) -> _Result:
        """What `work_out` gives, worked out when it is first asked for."""
        known = self._known
        if key not in known:
            known[key] = work_out()
        found: _Result = known[key]
        return found

    def empty(self) -> None:
        """Let go of everything."""
        self._known.clear()

    def __len__(self) -> int:
        return len(self._known)
