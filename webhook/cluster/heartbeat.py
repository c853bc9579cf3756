"""Asks the API server again and again whether it is there, since a watch doesn't show it.

A connection that a firewall has forgotten, or whose other end is gone, looks like one on which nothing happens, and on a watch of a kind
that doesn't change nothing does: bookmarks come only where etcd reports its progress. So a small question is asked every few seconds:
with an answer the watches that live are known to have brought everything; without one facts count as aging since the last, and the first
answer after that makes all watches start anew, as what they missed may never come.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final, Protocol

from weighbridge.policies.ground.fields import text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.kubernetes_api import APIError

_EVERY_SECONDS: Final = 3.0
#: More often, while the server is out of reach.
_AGAIN_SECONDS: Final = 1.0
_PATIENCE_SECONDS: Final = 4.0
#: A timeout that comes so late says that the loop has been held up, not the server.
_TARDY_SECONDS: Final = 0.5
#: Everybody may ask this, and it costs the server nothing.
_QUESTION: Final = "/version"


class Server(Protocol):
    """The API server, as far as its heartbeat matters."""

    async def get(self, path: str) -> JSONObject:
        """One answer. Raises APIError."""


class Heartbeat:
    """Whether one API server answers."""

    def __init__(
        self,
        server: Server,
        when_back: Callable[[], None],
        when_there: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
        *,
        heard: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`when_back` is called each time the server answers after it hasn't, `when_there` each time that it goes on answering.

        `heard` gets the server's version with each answer that has it.
        """
        self._told = heard
        self._server = server
        self._when_back = when_back
        self._when_there = when_there
        self._clock = clock
        self._heard = clock()
        self._is_missing = False

    def age(self) -> float:
        """Seconds since the last answer where one is missing, else 0."""
        return self._clock() - self._heard if self._is_missing else 0.0

    async def run(self) -> None:
        """Ask for as long as this runs."""
        while True:
            await self.beat()
            await asyncio.sleep(_AGAIN_SECONDS if self._is_missing else _EVERY_SECONDS)

    async def beat(self) -> None:
        """Ask once."""
        answers = await self._answers()
        if answers is None:
            return
        if not answers:
            self._is_missing = True
            return
        self._heard = self._clock()
        if self._is_missing:
            self._is_missing = False
            self._when_back()
        else:
            self._when_there()

    async def _answers(self) -> bool | None:
        """Whether the server answers; `None` where this process was too busy to listen."""
        began = self._clock()
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                answer = await self._server.get(_QUESTION)
        except APIError as error:
            # A refusal is an answer, too.
            return error.status != 0
        except TimeoutError:
            return None if self._clock() - began > _PATIENCE_SECONDS + _TARDY_SECONDS else False
        version = text(answer, "gitVersion")
        if version:
            self._told(version)
        return True
