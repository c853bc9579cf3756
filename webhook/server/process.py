"""The server process: the webhook over TLS, and the health pages on a thread of their own, from start to drain.

On SIGTERM, the readiness fails. Calls are still answered, with ``Connection: close``, until the cluster has had time to send them
elsewhere. Then the server stops accepting.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import resource
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from socket import socket
from typing import Any, Final, Protocol

import uvloop

from weighbridge.policies.ground.records import dataclass
from weighbridge.webhook.server.app import create_app
from weighbridge.webhook.server.calls import TurnedAway
from weighbridge.webhook.server.connections.http_server import http_server
from weighbridge.webhook.server.connections.places import Places
from weighbridge.webhook.server.health_server import HealthServer
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.settings import ServerSettings
from weighbridge.webhook.server.settled_memory import settle
from weighbridge.webhook.server.signals import StopSignals, stop_signals
from weighbridge.webhook.server.sockets import address, listen
from weighbridge.webhook.server.warm_up import warm_up
from weighbridge.webhook.texts.logs import FIELDS

_POLL_SECONDS: Final = 0.01
#: The thresholds of the garbage collector. Each collection of a younger generation takes some milliseconds, one of the oldest fifty.
_COLLECT_AFTER: Final = (3_000, 5, 60)
#: The most open connections, in all and of one address. An API server opens one for each call that it waits for, and keeps a few dozen. If
#: a tunnel leads from the control plane to the nodes, all API servers have the tunnel's address.
_PLACES: Final = 1280
_PLACES_OF_ONE: Final = 1024
#: The most open files of the process: the connections of both ports, those to the API server, and copies.
_FILES: Final = 8192
_log: Final = logging.getLogger("weighbridge.server")

#: A task that runs as long as the servers, such as watching files. It is ended by cancelling it.
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


def run(service: Service, listeners: Listeners, context: ssl.SSLContext, companions: Sequence[Companion] = ()) -> int:
    """Serve until a signal ends it; returns the exit code of the process. Call it only in the main thread, where signals arrive."""
    _allow_files()
    for _ in warm_up(service):
        pass
    settle()
    # A decision makes some thousand objects, which are freed when it ends. By default, Python would search them for cycles several times
    # per call, and find none.
    gc.set_threshold(*_COLLECT_AFTER)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_serve(service, listeners, context, companions))


async def _serve(service: Service, listeners: Listeners, context: ssl.SSLContext, companions: Sequence[Companion]) -> int:
    def refused() -> None:
        service.metrics.turned_away(TurnedAway.MALFORMED)

    webhook = http_server(create_app(service), service.settings, Places(_PLACES, _PLACES_OF_ONE), context, refused)
    health = HealthServer(service, listeners.health)
    with stop_signals() as stop:
        serving = [asyncio.ensure_future(webhook.serve([listeners.webhook])), asyncio.ensure_future(health.run())]
        beside = [asyncio.ensure_future(companion()) for companion in companions]
        aborted = asyncio.ensure_future(stop.abort.wait())
        asked = asyncio.ensure_future(stop.drain.wait())
        try:
            await _started((webhook, health), serving)
            _log_start(listeners)
            await asyncio.wait([asked, *serving, *beside], return_when=asyncio.FIRST_COMPLETED)
            failed = _log_failures([*serving, *beside])
            await _drain(service, stop)
            for end, task in zip((webhook.stop, health.stop), serving, strict=True):
                end()
                await asyncio.wait([task, aborted], return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _cancel([*serving, *beside, aborted, asked])
    _log.info("stopped")
    return stop.code or int(failed)


def _allow_files() -> None:
    """Raise the limit of open files, which may be 1,024 in a container, to the number that connections may need."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if most == resource.RLIM_INFINITY else min(_FILES, most)
    with suppress(OSError, ValueError):
        if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


class _Starting(Protocol):
    @property
    def started(self) -> bool: ...


async def _started(servers: Iterable[_Starting], serving: Sequence[asyncio.Future[None]]) -> None:
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
    """Log the failures of tasks that have ended; true if there are any, since a task ends only by failing."""
    ended = [task for task in tasks if task.done()]
    for task in ended:
        _log.error("a part of the server ended by itself", exc_info=task.exception())
    return bool(ended)


async def _cancel(tasks: Sequence[asyncio.Future[Any]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
