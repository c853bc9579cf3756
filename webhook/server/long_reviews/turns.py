"""Shares the loop between the calls that wait to be judged and its other work: reading, answering, following the cluster.

Calls are judged in the order in which they came, for some milliseconds of each turn of the loop. The others wait for the next turn, so that
a storm of calls doesn't keep the loop from new connections, from changes of the cluster and from its timers.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final, TypeVar

from weighbridge.webhook.server.calls import CallError, TurnedAway
from weighbridge.webhook.server.long_reviews.slowness import TakesLongError

_Result = TypeVar("_Result")
#: Seconds of CPU in a turn after which no further call is judged.
_SECONDS: Final = 0.005
#: The most bytes that the waiting bodies may have together.
_MOST_BYTES: Final = 32 * 1024 * 1024


class Turns:
    """The calls that wait to be judged in the loop."""

    def __init__(self, clock: Callable[[], float] = time.thread_time) -> None:
        """`clock` gives the CPU seconds of the loop's thread."""
        self._clock = clock
        self._waiting: deque[tuple[Callable[[], Any], asyncio.Future[Any], int]] = deque()
        self._bytes = 0
        self._is_due = False

    async def take(self, work: Callable[[], _Result], size: int) -> _Result:
        """The result of `work`, which is called when its turn has come; a call that is cancelled before that isn't judged.

        Raises CallError if the waiting bodies already have too many bytes; this one has `size`.
        """
        if self._waiting and self._bytes + size > _MOST_BYTES:
            raise CallError(TurnedAway.SHED, f"{len(self._waiting)} calls with large bodies wait already")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[_Result] = loop.create_future()
        self._waiting.append((work, done, size))
        self._bytes += size
        if not self._is_due:
            # NB: in this way, all calls that have arrived are read, and count as in flight, before the first one is judged.
            self._is_due = True
            loop.call_soon(self._turn, loop)
        return await done

    def _turn(self, loop: asyncio.AbstractEventLoop) -> None:
        until = self._clock() + _SECONDS
        while self._waiting:
            work, done, size = self._waiting.popleft()
            self._bytes -= size
            if not done.done():
                try:
                    done.set_result(work())
                except (Exception, TakesLongError) as error:
                    done.set_exception(error)
                if self._clock() >= until:
                    break
        self._is_due = bool(self._waiting)
        if self._is_due:
            loop.call_soon(self._turn, loop)
