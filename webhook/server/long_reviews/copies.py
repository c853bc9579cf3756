"""Chooses the long review that is judged next in a copy of the process: few at a time, within the available memory, each namespace in turn.

A copy costs a processor and memory, so two run at a time, and only one if their bodies are large for the container. A namespace has at most
one, and the namespace whose last turn is the longest ago comes first, so that one team's reviews don't keep out another's. Waiting reviews
are limited, too; clients beyond that are asked to try again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from weighbridge.policies.ground.records import dataclass, field
from weighbridge.webhook.server.calls import CallError, TurnedAway

_MOST: Final = 2
_MIB: Final = 1024 * 1024
#: The bytes that a copy needs in addition to the server's own memory: a fixed number, and some for each byte of a body. For a body that
#: lists small objects, up to 44 of these were measured.
_FIXED_BYTES: Final = 32 * _MIB
_BYTES_A_BYTE: Final = 48
#: The copies' share of the memory; the rest is for the server and its facts of the cluster.
_SHARE: Final = 0.5
#: The most reviews and bytes that may wait; one namespace may have a quarter of each.
_MOST_WAITING: Final = 64
_WAITING_BYTES: Final = 64 * _MIB
_MOST_OF_ONE: Final = 0.25


@dataclass(slots=True, eq=False)
class _Review:
    namespace: str
    size: int
    starts: asyncio.Future[None]


@dataclass(slots=True)
class Copies:
    """The long reviews of one server; `memory` is how many bytes it may use in all."""

    memory: int
    _waiting: list[_Review] = field(default_factory=list)
    _running: list[_Review] = field(default_factory=list)
    _turns: dict[str, int] = field(default_factory=dict)
    _turn: int = 0

    def __len__(self) -> int:
        return len(self._waiting) + len(self._running)

    @asynccontextmanager
    async def turn(self, namespace: str, size: int) -> AsyncIterator[int]:
        """Wait for the turn of a review with a body of `size` bytes; gives the number of bytes by which its copy may grow.

        Raises CallError if too many already wait.
        """
        review = _Review(namespace, size, asyncio.get_running_loop().create_future())
        self._check_waiting(review)
        self._waiting.append(review)
        self._start_next()
        try:
            await review.starts
            yield self._growth(review)
        finally:
            (self._running if review in self._running else self._waiting).remove(review)
            self._start_next()

    def _check_waiting(self, new: _Review) -> None:
        of_one = [review for review in self._waiting if review.namespace == new.namespace]
        for reviews, share in ((self._waiting, 1.0), (of_one, _MOST_OF_ONE)):
            # A single review may always wait, however large it is.
            size = sum(review.size for review in reviews) + new.size
            if len(reviews) >= _MOST_WAITING * share or (reviews and size > _WAITING_BYTES * share):
                raise CallError(TurnedAway.SHED, f"{len(reviews)} long reviews wait already")

    def _start_next(self) -> None:
        """Start the reviews that may run, beginning with the namespace whose last turn is the longest ago."""
        for review in sorted(self._waiting, key=lambda review: self._turns.get(review.namespace, 0)):
            if self._may_run(review):
                self._waiting.remove(review)
                self._running.append(review)
                self._turn += 1
                self._turns[review.namespace] = self._turn
                if not review.starts.done():
                    review.starts.set_result(None)
        # A namespace that has had no turn lately needs no entry.
        if len(self._turns) > 2 * _MOST_WAITING:
            self._turns = dict(sorted(self._turns.items(), key=lambda entry: entry[1])[-_MOST_WAITING:])

    def _may_run(self, review: _Review) -> bool:
        if any(running.namespace == review.namespace for running in self._running):
            return False
        growth = self._growth(review) + sum(map(self._growth, self._running))
        return not self._running or (len(self._running) < _MOST and growth <= self.memory * _SHARE)

    def _growth(self, review: _Review) -> int:
        return min(_FIXED_BYTES + _BYTES_A_BYTE * review.size, int(self.memory * _SHARE))
