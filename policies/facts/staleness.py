"""How old facts are if changes may have been missed, in words for the reader of a verdict that needs these facts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from weighbridge.policies.facts.document import GroupKind
from weighbridge.policies.ground.records import dataclass, field

_MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Staleness:
    """`silence` is the time in seconds since the API server last answered.

    `kinds` are those whose watch is interrupted, with the name of the resource for people and the age of its facts. After `longest_age`
    seconds facts don't count.
    """

    silence: float = 0.0
    kinds: Mapping[GroupKind, tuple[str, float]] = field(default_factory=dict)
    longest_age: float = float("inf")

    def note(self, needed: Collection[GroupKind]) -> str:
        """The warning for a verdict that needs these kinds; empty if there is none."""
        if self.silence:
            return self._words(self.silence, "the API server doesn't answer")
        late = [entry for kind, entry in self.kinds.items() if kind in needed]
        if not late:
            return ""
        resources = ", ".join(resource for resource, _ in late[:_MOST_NAMED]) + (", ..." if len(late) > _MOST_NAMED else "")
        return self._words(max(age for _, age in late), f"the watch of {resources} is interrupted")

    def _words(self, age: float, why: str) -> str:
        return f"facts are {age:.0f} s old: {why}{'; they no longer count' if age > self.longest_age else ''}"
