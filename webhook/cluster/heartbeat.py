"""Checks regularly whether the API server answers, since a watch doesn't show it.

A connection that a firewall has dropped, or whose other end is gone, looks like a silent one. The watch of a kind that doesn't change is
silent too: bookmarks come only if etcd reports its progress. So a small request is sent every few seconds. After an answer, live watches
are known to be current. Without one, facts age since the last answer, and the next answer restarts all watches, since missed changes may
never come.
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
#: The shorter interval while the server doesn't answer.
_AGAIN_SECONDS: Final = 1.0
_PATIENCE_SECONDS: Final = 4.0
#: If a timeout comes so late, the loop was blocked, not the server.
_TARDY_SECONDS: Final = 0.5
#: Every user may read this, and it costs the server nothing.
_QUESTION: Final = "/version"


class Server(Protocol):
    """The calls of the API server that the heartbeat needs."""

    async def get(self, path: str) -> JSONObject:
        """One answer. Raises APIError."""


class Heartbeat:
    """Checks whether one API server answers."""

    def __init__(
        self,
        server: Server,
        when_back: Callable[[], None],
        when_there: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
        *,
        heard: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`when_back` is called when the server answers again, `when_there` each time that it still answers.

        `heard` gets the server's version from each answer that has it.
        """
        self._told = heard
        self._server = server
        self._when_back = when_back
        self._when_there = when_there
        self._clock = clock
        self._heard = clock()
        self._is_missing = False

    def age(self) -> float:
        """Seconds since the last answer if one is missing, else 0."""
        return self._clock() - self._heard if self._is_missing else 0.0

    async def run(self) -> None:
        """Check as long as this runs."""
        while True:
            await self.beat()
            await asyncio.sleep(_AGAIN_SECONDS if self._is_missing else _EVERY_SECONDS)

    async def beat(self) -> None:
        """Check once."""
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
        """Whether the server answers; `None` if this process was too busy to notice."""
        began = self._clock()
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                answer = await self._server.get(_QUESTION)
        except APIError as error:
            # A refusal is an answer too.
            return error.status != 0
        except TimeoutError:
            return None if self._clock() - began > _PATIENCE_SECONDS + _TARDY_SECONDS else False
        version = text(answer, "gitVersion")
        if version:
            self._told(version)
        return True
