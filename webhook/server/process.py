"""The server process: the webhook over TLS and the health pages beside it, in one loop, from start to drain.

On SIGTERM the readiness fails, calls are still answered with ``Connection: close`` for as long as the cluster needs to send them
elsewhere, and only then does the server stop accepting. Keep-alive outlasts the 90 s that Go clients keep an idle connection: whichever
side closes first may close on a call that is on its way, and the API server doesn't send a call again.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import math
import ssl
from collections.abc import Awaitable, Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from socket import socket
from typing import Any, Final

import uvicorn
import uvloop
from starlette.types import ASGIApp

from webhook.logs import FIELDS
from webhook.server.app import create_app
from webhook.server.calls import TurnedAway
from webhook.server.health import create_health_app
from webhook.server.listening import address, listen
from webhook.server.protocol import BoundedProtocol
from webhook.server.service import Service
from webhook.server.settings import ServerSettings
from webhook.server.signals import StopSignals, stop_signals

_KEEP_ALIVE_SECONDS: Final = 120
_POLL_SECONDS: Final = 0.01
_COLLECT_AFTER: Final = 50_000
#: A client that connects and doesn't get through the handshake in this time is let go.
HANDSHAKE_SECONDS: Final = 10.0
_log: Final = logging.getLogger("weighbridge.server")

#: Something that goes on beside the servers for as long as they run, such as watching files; it ends by being cancelled.
Companion = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Listeners:
    """The bound sockets of the two servers."""

    webhook: socket
    health: socket

    @classmethod
    def bind(cls, settings: ServerSettings) -> Listeners:
        """Bind both addresses. Raises ListenError."""
        webhook = listen(settings.host, settings.port)
        try:
            return cls(webhook, listen(*settings.health_address))
        except OSError:
            webhook.close()
            raise


class _Server(uvicorn.Server):
    """uvicorn's server, which leaves the signals to us, and has bounds on TLS handshakes that uvicorn has no setting for."""

    def __init__(self, config: uvicorn.Config, on_refused: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._on_refused = on_refused

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield

    async def startup(self, sockets: list[socket] | None = None) -> None:
        config, loop = self.config, asyncio.get_running_loop()
        seconds = HANDSHAKE_SECONDS if config.ssl is not None else None
        self.servers = [
            await loop.create_server(self._protocol, sock=sock, ssl=config.ssl, backlog=config.backlog, ssl_handshake_timeout=seconds)
            for sock in sockets or ()
        ]
        self.started = True

    def _protocol(self) -> asyncio.Protocol:
        return BoundedProtocol(self.config, self.server_state, self.lifespan.state, on_refused=self._on_refused)


def run(service: Service, listeners: Listeners, context: ssl.SSLContext, companions: Sequence[Companion] = ()) -> int:
    """Serve until a signal says to stop; the exit code of the process. Only in the main thread, where signals arrive."""
    # The facts may be a hundred thousand objects that outlive every call: a full collection would look at them all while calls wait.
    gc.freeze()
    # A decision makes some thousand objects that go as it ends; to look for cycles among them several times a call finds none.
    gc.set_threshold(_COLLECT_AFTER)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_serve(service, listeners, context, companions))


async def _serve(service: Service, listeners: Listeners, context: ssl.SSLContext, companions: Sequence[Companion]) -> int:
    webhook = _server(create_app(service), service.settings, context, lambda: service.metrics.turned_away(TurnedAway.MALFORMED))
    health = _server(create_health_app(service), service.settings)
    with stop_signals() as stop:
        serving = [asyncio.ensure_future(webhook.serve([listeners.webhook])), asyncio.ensure_future(health.serve([listeners.health]))]
        beside = [asyncio.ensure_future(companion()) for companion in companions]
        aborted = asyncio.ensure_future(stop.abort.wait())
        asked = asyncio.ensure_future(stop.drain.wait())
        try:
            await _started((webhook, health), serving)
            _log_start(listeners)
            await asyncio.wait([asked, *serving, *beside], return_when=asyncio.FIRST_COMPLETED)
            failed = _log_failures([*serving, *beside])
            await _drain(service, stop)
            for server, task in zip((webhook, health), serving, strict=True):
                server.should_exit = True
                await asyncio.wait([task, aborted], return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _cancel([*serving, *beside, aborted, asked])
    _log.info("stopped")
    return stop.code or int(failed)


def _server(
    app: ASGIApp, settings: ServerSettings, context: ssl.SSLContext | None = None, on_refused: Callable[[], None] | None = None
) -> _Server:
    config = uvicorn.Config(
        app,
        http=BoundedProtocol,
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        # A call that is being answered when serving stops has its own deadline.
        timeout_graceful_shutdown=math.ceil(settings.deadline) + 1,
        ssl_context_factory=(lambda _config, _default: context) if context is not None else None,
    )
    return _Server(config, on_refused)


async def _started(servers: Iterable[uvicorn.Server], serving: Sequence[asyncio.Future[None]]) -> None:
    while not all(server.started for server in servers) and not any(task.done() for task in serving):
        await asyncio.sleep(_POLL_SECONDS)


async def _drain(service: Service, stop: StopSignals) -> None:
    service.readiness.draining = True
    _log.info("draining", extra={FIELDS: {"seconds": service.settings.drain_seconds}})
    try:
        async with asyncio.timeout(service.settings.drain_seconds):
            await stop.abort.wait()
    except TimeoutError:
        return


def _log_start(listeners: Listeners) -> None:
    where = {"webhook": f"https://{address(listeners.webhook)}", "health": f"http://{address(listeners.health)}"}
    _log.info("serving", extra={FIELDS: where})


def _log_failures(tasks: Iterable[asyncio.Future[Any]]) -> bool:
    """Whether one of the tasks, none of which ends by itself, has ended."""
    ended = [task for task in tasks if task.done()]
    for task in ended:
        _log.error("a part of the server ended by itself", exc_info=task.exception())
    return bool(ended)


async def _cancel(tasks: Sequence[asyncio.Future[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
