"""The health server, in a separate thread with its own loop, so that reviews don't delay kubelet and Prometheus.

A review blocks the webhook's loop, and kubelet restarts a container that doesn't answer. A thread gets its share of the processor whatever
the loop does, so it can answer, and can distinguish a busy loop from one that is blocked for ever.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from contextlib import suppress
from socket import socket
from typing import Final

import uvloop

from weighbridge.webhook.server.connections.http_server import http_server
from weighbridge.webhook.server.connections.places import Places
from weighbridge.webhook.server.health import create_health_app
from weighbridge.webhook.server.service import Service

_BEAT_SECONDS: Final = 1.0
#: Time for the server to end: it notices within a tenth of a second that it should, and closes its connections.
_END_SECONDS: Final = 2.0
#: The most connections at a time, in all and of one address. Kubelet and Prometheus have a handful.
_PLACES: Final = 256
_PLACES_OF_ONE: Final = 64
_log: Final = logging.getLogger("weighbridge.server")


class HealthServer:
    """Serves the health pages of a service on one socket."""

    def __init__(self, service: Service, listener: socket) -> None:
        self._service = service
        self._listener = listener
        self._server = http_server(create_health_app(service), service.settings, Places(_PLACES, _PLACES_OF_ONE))
        # At its end, the process would wait for a thread that isn't a daemon.
        self._thread = threading.Thread(target=self._serve, name="health", daemon=True)
        self._ended = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    @property
    def started(self) -> bool:
        """Whether the server listens."""
        return bool(self._server.started)

    async def run(self) -> None:
        """Serve until stopped or failed. This runs in the webhook's loop, and shows the pages that the loop is alive."""
        self._thread.start()
        try:
            while not self._ended.is_set():
                self._service.last_turn = self._service.clock()
                with suppress(TimeoutError):
                    async with asyncio.timeout(_BEAT_SECONDS):
                        await self._ended.wait()
        finally:
            self._server.stop(at_once=True)
            self._thread.join(_END_SECONDS)

    def stop(self) -> None:
        """Make the server end."""
        self._server.stop()

    async def _serving(self) -> None:
        await self._server.serve([self._listener])

    def _serve(self) -> None:
        try:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(self._serving())
        except Exception:
            _log.exception("the health server failed")
        finally:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._ended.set)
