"""Reads the bodies of calls: few at a time, each within its caller's timeout. If there are too many, the slowest is ended.

A client that sends a head and then no body costs the server a place here and nothing else. Each body earns time by its bytes, and the one
that has fallen behind the most loses its place. How far ahead a body can be is bounded, since a client could otherwise send a lot at once
and then wait. A plain limit on bodies would take 59 lines less; but then 80 stalled bodies delay a good call to 2.7 s, instead of 0.2 s on
the same busy machine.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from starlette.types import Receive

from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.server.calls import CallError, Headers, TurnedAway, declared_size

#: A body with this number of bytes per second doesn't fall behind; the slowest network of a cluster is a hundred times as fast.
_BYTES_A_SECOND: Final = 64 * 1024
#: The most seconds that a body can be ahead; it also begins with as many.
_MOST_AHEAD: Final = 1.0
_MOST_BYTES: Final = 64 * 1024 * 1024


@dataclass(slots=True, eq=False)
class _Arrival:
    """One body: its deadline by the clock of the loop, the time up to which its bytes have earned, and their number."""

    timeout: asyncio.Timeout
    earned: float
    size: int = 0
    gave_way: bool = False


class Bodies:
    """The bodies that are arriving at one server, at most `most` at a time."""

    def __init__(self, most: int, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        """A body may have `limit` bytes; all together may have 64 MiB, or two times the limit if that is more."""
        self._most = most
        self._limit = limit
        self._clock = clock
        self._most_bytes = max(_MOST_BYTES, 2 * limit)
        self._bytes = 0
        self._arrivals: set[_Arrival] = set()

    def __len__(self) -> int:
        return len(self._arrivals)

    async def read(self, receive: Receive, headers: Headers, seconds: float, *, has_arrived: bool = False) -> bytes:
        """Read the whole body; `has_arrived` says that the server has it already.

        Raises CallError if it has, or declares, more bytes than the limit, if it ends early, if it takes longer than `seconds`, or if it
        loses its place to others.
        """
        declared = declared_size(headers)
        if declared is not None and declared > self._limit:
            raise CallError(TurnedAway.TOO_LARGE, f"the body has {declared} bytes, more than {self._limit}")
        timeout = asyncio.timeout(None if has_arrived else seconds)
        arrival = _Arrival(timeout, self._clock() + _MOST_AHEAD)
        if has_arrived:
            # Most bodies come with their heads. They take neither a place nor time.
            return await self._read(arrival, receive)
        # A body that came with its head is read before the loop makes this call, and so takes no place.
        waiting = asyncio.get_running_loop().call_soon(self._wait_for, arrival)
        try:
            async with timeout:
                return await self._read(arrival, receive)
        except TimeoutError:
            why = "too many calls came at a time, and this one was the slowest" if arrival.gave_way else f"it took over {seconds:g} seconds"
            raise CallError(TurnedAway.TOO_SLOW, f"the body didn't arrive in time: {why}") from None
        finally:
            waiting.cancel()
            self._forget(arrival)

    async def _read(self, arrival: _Arrival, receive: Receive) -> bytes:
        parts: list[bytes] = []
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise CallError(TurnedAway.MALFORMED, "the body ended early")
            parts.append(message.get("body", b""))
            more = message.get("more_body", False)
            self._count(arrival, len(parts[-1]))
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _count(self, arrival: _Arrival, size: int) -> None:
        arrival.size += size
        if arrival in self._arrivals:
            self._bytes += size
        if arrival.size > self._limit:
            raise CallError(TurnedAway.TOO_LARGE, f"the body has more than {self._limit} bytes")
        arrival.earned = min(arrival.earned + size / _BYTES_A_SECOND, self._clock() + _MOST_AHEAD)
        self._drop_slowest()

    def _wait_for(self, arrival: _Arrival) -> None:
        self._arrivals.add(arrival)
        self._bytes += arrival.size
        self._drop_slowest()

    def _drop_slowest(self) -> None:
        """End the body that has fallen behind the most, if the bodies are too many or together too large."""
        if len(self._arrivals) <= self._most and self._bytes <= self._most_bytes:
            return
        slowest = min(self._arrivals, key=lambda arrival: arrival.earned)
        self._forget(slowest)
        # A body past its own deadline ends because of that.
        if not slowest.timeout.expired():
            slowest.gave_way = True
            slowest.timeout.reschedule(0)

    def _forget(self, arrival: _Arrival) -> None:
        if arrival in self._arrivals:
            self._arrivals.remove(arrival)
            self._bytes -= arrival.size
