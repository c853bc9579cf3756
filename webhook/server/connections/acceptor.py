"""Accepts connections to a port with TLS, each with a place from its first packet on.

An event loop's own server announces a connection once its handshake is done. Until then it costs as much memory as any other, and a client
that begins handshakes without end would be bounded by nothing but the files that the process may have open.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable
from typing import Final

from weighbridge.webhook.server.connections.protocol import BoundedProtocol

#: Pause after a failure to accept, as it happens while too many files are open.
_PAUSE_SECONDS: Final = 0.1
_log: Final = logging.getLogger("weighbridge.server")


class Acceptor:
    """Takes what `asyncio.Server` would: the connections of one listening socket, until it is closed."""

    def __init__(self, listener: socket.socket, context: ssl.SSLContext, seconds: float, make: Callable[[], BoundedProtocol]) -> None:
        """A handshake, and a goodbye, may take so many seconds; `make` makes the protocol of each connection."""
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
            # The connections that are there have their turn before the next is accepted.
            await asyncio.sleep(0)

    def _begin(self, connection: socket.socket) -> None:
        try:
            address = connection.getpeername()[0]
        except OSError:
            # It has gone again.
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
            # ssl.SSLError among them: no TLS, or none that both speak, or not in time.
            protocol.handshake_failed()
        except asyncio.CancelledError:
            protocol.handshake_failed()
            raise
