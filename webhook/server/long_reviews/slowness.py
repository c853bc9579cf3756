"""Finds the reviews that take long, so that they don't block the loop: by their size, by the time of earlier ones, or while they run.

A review is judged in the loop, since handing it over costs more than judging most of them. There it has a limited time of the processor; if
that isn't enough, it begins anew in a copy of the process, and the next reviews of its kind and namespace go there at once: for a second at
first, and for twice as long each time that it happens again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Final, TypeAlias

from weighbridge.policies.families import families
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.request import Request

#: Seconds of CPU that a review may use in the loop. Measured by the clock, every review would be slow on a busy machine.
LOOP_SECONDS: Final = 0.035
#: Seconds for which a kind in a namespace counts as slow, at first and at most.
_SLOW_SECONDS: Final = 1.0
_SLOWEST_SECONDS: Final = 32.0
_MOST_SLOW: Final = 1024
#: With more values, maps and lists, or bytes than this, judging a review may take longer than making a copy.
_MOST_COMMAS: Final = 2_000
_MOST_BRACKETS: Final = 4_000
_MOST_BYTES: Final = 512 * 1024

#: A group and a kind; and these with a namespace.
_Kind: TypeAlias = tuple[str, str]
_Place: TypeAlias = tuple[_Kind, str]


class TakesLongError(BaseException):
    """The review has used up its time in the loop. It isn't an Exception, so that no handler mistakes it for a failure."""


def is_long(body: bytes) -> bool:
    """Whether the engine may take long for a review of this size."""
    if len(body) > _MOST_BYTES or body.count(b",") > _MOST_COMMAS:
        return True
    # Values that nest deeper than 1,024 levels are read slowly, and need no commas.
    return body.count(b"[") + body.count(b"{") > _MOST_BRACKETS


@dataclass(frozen=True, slots=True)
class Time:
    """The time limits of one review: its deadline by a clock, and, in the loop, the CPU time of the thread at which it has to stop.

    Before `quick_until`, by the system's monotonic clock, the thread can't have reached that time.
    """

    clock: Callable[[], float]
    deadline: float
    loop_until: float | None = None
    quick_until: float = 0.0

    def is_over(self) -> bool:
        """Whether the deadline has passed. Raises TakesLongError if the time in the loop is used up."""
        if self.clock() > self.deadline:
            return True
        # Reading the thread's CPU time costs five times as much as reading the clock.
        if self.loop_until is not None and time.monotonic() >= self.quick_until and time.thread_time() > self.loop_until:
            raise TakesLongError
        return False

    def is_late(self) -> bool:
        """Whether the deadline has passed, however long the review may stay in the loop."""
        return self.clock() > self.deadline


@dataclass(slots=True)
class Slowness:
    """Remembers what took long lately, until when that counts as slow and for how long; and which kinds have been judged before.

    The kinds in `warm` were judged before the first call.
    """

    warm: AbstractSet[_Kind] = frozenset()
    _slow: dict[_Place, tuple[float, float]] = field(default_factory=dict)
    _begun: set[_Kind] = field(default_factory=set)

    def in_loop(self, request: Request, whole: Time) -> Time:
        """The time limits of a review in the loop. Raises TakesLongError if it shouldn't even begin there."""
        kind = _kind(request)
        if kind not in self._begun and kind not in self.warm and kind in _known_kinds():
            # The first review of a kind compiles code for the next ones. A copy would lose that at its end.
            self._begun.add(kind)
            return whole
        slow = self._slow.get(_place(request))
        if slow is not None and slow[0] > whole.clock():
            raise TakesLongError
        return Time(whole.clock, whole.deadline, time.thread_time() + LOOP_SECONDS, time.monotonic() + LOOP_SECONDS)

    def took_long(self, request: Request, now: float) -> None:
        """Record that a review took too long for the loop."""
        place = _place(request)
        until, seconds = self._slow.pop(place, (now, _SLOW_SECONDS / 2))
        if until <= now:
            until, seconds = now + 2 * seconds, min(2 * seconds, _SLOWEST_SECONDS / 2)
        self._slow[place] = until, seconds
        if len(self._slow) > _MOST_SLOW:
            self._slow.pop(next(iter(self._slow)))

    def was_quick(self, request: Request) -> None:
        """Record that a review was done in the loop."""
        self._slow.pop(_place(request), None)


def _kind(request: Request) -> _Kind:
    return request.gvk.group, request.gvk.kind


def _place(request: Request) -> _Place:
    return _kind(request), request.namespace


@cache
def _known_kinds() -> frozenset[_Kind]:
    return frozenset((kind.gvk.group, kind.gvk.kind) for family in families() for kind in family.kinds)
