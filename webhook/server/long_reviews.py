"""Which reviews take long, so that they don't hold up the loop: by their size, by what the last ones took, or as it turns out.

A review is judged in the loop, since handing it over costs more than most take. It has a share of the loop's time; one that isn't done by
then begins anew in a copy of the process, and for a while the next ones of that kind and namespace go there at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final, TypeAlias

from policies.families import families
from policies.request import Request

#: The time that a review has in the loop.
LOOP_SECONDS: Final = 0.05
#: For how long what took too long counts as slow.
_SLOW_SECONDS: Final = 30.0
_MOST_SLOW: Final = 1024
#: A review with more values or bytes than this may take longer than it takes to make a copy.
_MOST_COMMAS: Final = 2_000
_MOST_BYTES: Final = 512 * 1024

#: A group and a kind, and these in a namespace.
_Kind: TypeAlias = tuple[str, str]
_Place: TypeAlias = tuple[_Kind, str]


class TakesLongError(BaseException):
    """The review has had its share of the loop's time. No failure of what it interrupts, so that nothing takes it for one."""


def is_long(body: bytes) -> bool:
    """Whether the engine may take long for a review of this size."""
    return len(body) > _MOST_BYTES or body.count(b",") > _MOST_COMMAS


@dataclass(frozen=True, slots=True)
class Time:
    """The time of one review by a clock: its deadline, and until when it may hold the loop."""

    clock: Callable[[], float]
    deadline: float
    loop_until: float = math.inf

    def is_over(self) -> bool:
        """Whether the deadline has passed. Raises TakesLongError where the loop has other things to do."""
        now = self.clock()
        if now > self.deadline:
            return True
        if now > self.loop_until:
            raise TakesLongError
        return False


@dataclass(slots=True)
class Slowness:
    """What took long lately, and which kinds have been judged at all."""

    _until: dict[_Place, float] = field(default_factory=dict)
    _begun: set[_Kind] = field(default_factory=set)

    def time_of(self, request: Request, time: Time) -> Time:
        """The time of a review in the loop. Raises TakesLongError where it is better not begun there."""
        kind = _kind(request)
        if kind not in self._begun and kind in _known_kinds():
            # The first of a kind compiles what the next ones use. In a copy that would be lost with it, and be done again each time.
            self._begun.add(kind)
            return time
        now = time.clock()
        if self._until.get(_place(request), -math.inf) > now:
            raise TakesLongError
        return replace(time, loop_until=now + LOOP_SECONDS)

    def note(self, request: Request, now: float) -> None:
        """A review has taken long."""
        place = _place(request)
        self._until.pop(place, None)
        self._until[place] = now + _SLOW_SECONDS
        if len(self._until) > _MOST_SLOW:
            self._until.pop(next(iter(self._until)))


def _kind(request: Request) -> _Kind:
    return request.gvk.group, request.gvk.kind


def _place(request: Request) -> _Place:
    return _kind(request), request.namespace


@cache
def _known_kinds() -> frozenset[_Kind]:
    return frozenset((kind.gvk.group, kind.gvk.kind) for family in families() for kind in family.kinds)
