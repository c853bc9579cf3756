"""Limits the open connections of one port, in all and per address, and chooses which one is closed for a new one.

A new connection is never closed for this: kubelet opens one for each probe, and so does an API server that has no idle one. Of the
connections that wait, those still in a head, or without any call yet, are closed before those kept for a next call; among equals the one
that has waited the longest. A good client sends its head within a moment, so crowding it out takes more new connections in that moment than
there are places.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from weighbridge.policies.ground.records import dataclass, field


class Connection(Protocol):
    """The methods that a connection needs."""

    @property
    def address(self) -> str:
        """The address of the client."""

    @property
    def is_calling(self) -> bool:
        """Whether a call on it is being answered. If so, it is never closed."""

    @property
    def waits(self) -> tuple[bool, float]:
        """Whether it is kept for a next call after an answered one; and since when it has been waiting for a call or the rest of one."""

    def give_way(self) -> None:
        """End the connection at once."""


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
        """Give a new connection a place. If there are too many, the least needed one is closed.

        That is one from the new one's address if this address has too many, else one from the address with the most.
        """
        own = self._taken.setdefault(new.address, set())
        own.add(new)
        self._count += 1
        if len(own) > self.most_of_one:
            self._free_one([own], new)
        elif self._count > self.most:
            self._free_one(sorted(self._taken.values(), key=len, reverse=True), new)

    def leave(self, connection: Connection) -> None:
        """Free the place of a connection that has ended or is about to."""
        own = self._taken.get(connection.address, set())
        if connection not in own:
            return
        own.remove(connection)
        self._count -= 1
        if not own:
            del self._taken[connection.address]

    def _free_one(self, crowds: Iterable[set[Connection]], new: Connection) -> None:
        """End one waiting connection, in the first crowd that has one. Connections in a call stay, since each call has a deadline."""
        for crowd in crowds:
            waiting = [connection for connection in crowd if connection is not new and not connection.is_calling]
            if waiting:
                least = min(waiting, key=lambda connection: connection.waits)
                self.leave(least)
                least.give_way()
                return
