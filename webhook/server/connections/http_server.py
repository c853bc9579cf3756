"""The HTTP server of one port: uvicorn's, with our protocol, and with limits on TLS handshakes, which uvicorn doesn't have.

The keep-alive time is longer than the 90 s for which Go clients keep an idle connection. If the server closed first, it could lose a call
that is on its way, and the API server doesn't send a call again.
"""

from __future__ import annotations

import asyncio
import math
import ssl
from collections.abc import Callable, Generator
from contextlib import contextmanager
from socket import socket
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp

from weighbridge.webhook.server.connections.acceptor import Acceptor
from weighbridge.webhook.server.connections.places import Places
from weighbridge.webhook.server.connections.protocol import BoundedProtocol
from weighbridge.webhook.server.settings import ServerSettings

_KEEP_ALIVE_SECONDS: Final = 120
#: A connection is dropped if its TLS handshake takes longer than this, or if the client doesn't answer the TLS shutdown in this time.
HANDSHAKE_SECONDS: Final = 10.0


class HTTPServer(uvicorn.Server):
    """uvicorn's server without its handling of signals."""

    def __init__(self, config: uvicorn.Config, places: Places, on_refused: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._places = places
        self._on_refused = on_refused

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Do nothing: the process handles its signals itself."""
        yield

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Begin to accept connections."""
        config, loop = self.config, asyncio.get_running_loop()
        servers: list[Any] = [
            Acceptor(sock, config.ssl, HANDSHAKE_SECONDS, self._protocol)
            if config.ssl is not None
            else await loop.create_server(self._protocol, sock=sock, backlog=config.backlog)
            for sock in sockets or ()
        ]
        self.servers = servers
        self.started = True

    def stop(self, *, at_once: bool = False) -> None:
        """Make the server end; it first answers open calls, unless it has to end at once."""
        self.should_exit, self.force_exit = True, at_once

    def _protocol(self) -> BoundedProtocol:
        return BoundedProtocol(self.config, self.server_state, self.lifespan.state, places=self._places, on_refused=self._on_refused)


def http_server(
    app: ASGIApp,
    settings: ServerSettings,
    places: Places,
    context: ssl.SSLContext | None = None,
    on_refused: Callable[[], None] | None = None,
) -> HTTPServer:
    """The server of one port; `on_refused` is called for each request that is refused before it reaches the application."""
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
        # Calls that are still open when serving stops have their own deadlines.
        timeout_graceful_shutdown=math.ceil(settings.deadline) + 1,
        ssl_context_factory=(lambda _config, _default: context) if context is not None else None,
    )
    return HTTPServer(config, places, on_refused)
