"""Accepts connections to a port with TLS, each with a place from its first packet on.

An event loop's own server announces a connection only after its handshake. But before that it already costs as much memory as any other, so
the only bound for a client that begins handshakes without end would be the process's limit of open files.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable
from typing import Final

from weighbridge.webhook.server.connections.protocol import BoundedProtocol

#: The pause after a failure to accept, which happens while too many files are open.
_PAUSE_SECONDS: Final = 0.1
_log: Final = logging.getLogger("weighbridge.server")


class Acceptor:
    """Accepts the connections of one listening socket in place of `asyncio.Server`, until it is closed."""

    def __init__(self, listener: socket.socket, context: ssl.SSLContext, seconds: float, make: Callable[[], BoundedProtocol]) -> None:
        """A TLS handshake may take `seconds`, and so may a TLS shutdown; `make` creates the protocol of each connection."""
        self._listener = listener
        self._context = context
        self._seconds = seconds
        self._make = make
        self._loop = asyncio.get_running_loop()
        self._handshakes: set[asyncio.Task[None]] = set()
        listener.setblocking(False)
        self._accepting = asyncio.create_task(self._accept())

    def close(self) -> None:
        """Accept no more."""
        self._accepting.cancel()
        for handshake in self._handshakes:
            handshake.cancel()

    async def wait_closed(self) -> None:
        """Wait until all its tasks have ended."""
        await asyncio.gather(self._accepting, *self._handshakes, return_exceptions=True)

    async def _accept(self) -> None:
        while True:
            try:
                connection, _ = await self._loop.sock_accept(self._listener)
            except OSError as error:
                _log.warning("no connection could be accepted: %s", error.strerror)
                await asyncio.sleep(_PAUSE_SECONDS)
                continue
            self._begin(connection)
            # The existing connections have their turn before the next is accepted.
            await asyncio.sleep(0)

    def _begin(self, connection: socket.socket) -> None:
        try:
            address = connection.getpeername()[0]
        except OSError:
            # The client has gone again.
            connection.close()
            return
        protocol = self._make()
        handshake = asyncio.create_task(self._shake_hands(connection, protocol))
        self._handshakes.add(handshake)
        handshake.add_done_callback(self._handshakes.discard)
        protocol.begin_handshake(address, handshake.cancel)

    async def _shake_hands(self, connection: socket.socket, protocol: BoundedProtocol) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            await self._loop.connect_accepted_socket(
                lambda: protocol,
                connection,
                ssl=self._context,
                ssl_handshake_timeout=self._seconds,
                ssl_shutdown_timeout=self._seconds,
            )
        except OSError:
            # An OSError may be an ssl.SSLError: no TLS, no common version, or not in time.
            protocol.handshake_failed()
        except asyncio.CancelledError:
            protocol.handshake_failed()
            raise
