"""The connections that one port holds open: how many at a time, how many of one address, and which one is closed for a new one.

A new connection is never closed for this: kubelet opens one for each probe, and so does an API server that has none to spare. Of those that
wait, one that is in its head or has never called is closed before one that is kept for its next call, and of these the one that has waited
the longest. A good client has sent its head within a moment; to crowd it out takes more new connections within that moment than there are
places.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from weighbridge.policies.ground.records import dataclass, field


class Connection(Protocol):
    """What a connection must offer."""

    @property
    def address(self) -> str:
        """Where it comes from."""

    @property
    def is_calling(self) -> bool:
        """Whether a call on it is being answered; such a connection is never closed."""

    @property
    def waits(self) -> tuple[bool, float]:
        """Whether it is kept for the next call after one that was answered, and since when it waits for what it waits for."""

    def give_way(self) -> None:
        """End it at once."""


@dataclass(slots=True)
class Places:
    """At most `most` connections at a time, and at most `most_of_one` of one address."""

    most: int
    most_of_one: int
    _taken: dict[str, set[Connection]] = field(default_factory=dict)
    _count: int = 0

    def __len__(self) -> int:
        return self._count

    def take(self, new: Connection) -> None:
        """Give a new connection a place. Where there are too many, the least needed one is closed.

        It is one of the new one's address where that address has too many, or else one of the address that has the most.
        """
        own = self._taken.setdefault(new.address, set())
        own.add(new)
        self._count += 1
        if len(own) > self.most_of_one:
            self._free_one([own], new)
        elif self._count > self.most:
            self._free_one(sorted(self._taken.values(), key=len, reverse=True), new)

    def leave(self, connection: Connection) -> None:
        """The connection has ended, or is about to."""
        own = self._taken.get(connection.address, set())
        if connection not in own:
            return
        own.remove(connection)
        self._count -= 1
        if not own:
            del self._taken[connection.address]

    def _free_one(self, crowds: Iterable[set[Connection]], new: Connection) -> None:
        """End one waiting connection, of the first crowd that has one. Connections in a call are left: each call has an end of its own."""
        for crowd in crowds:
            waiting = [connection for connection in crowd if connection is not new and not connection.is_calling]
            if waiting:
                least = min(waiting, key=lambda connection: connection.waits)
                self.leave(least)
                least.give_way()
                return
