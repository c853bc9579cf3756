"""A TCP forwarder in place of a Service: each connection goes to the ready replica with the fewest, and stays there.

Like kube-proxy it learns with a delay whether a replica is ready, and doesn't touch open connections when a replica is removed.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final

_BACKLOG: Final = 1024


class Service:
    """The forwarder and its endpoints, which are ports of this machine; `delay` is in seconds."""

    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._endpoints: set[int] = set()
        self._open: Counter[int] = Counter()
        self._server: asyncio.Server | None = None
        self.refused = 0

    @property
    def port(self) -> int:
        """The port on which it listens."""
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    @property
    def endpoints(self) -> list[int]:
        """The replicas that it sends new connections to."""
        return sorted(self._endpoints)

    async def start(self) -> None:
        """Begin to listen."""
        self._server = await asyncio.get_running_loop().create_server(lambda: _Client(self), "127.0.0.1", 0, backlog=_BACKLOG)

    def close(self) -> None:
        """Accept no more connections."""
        if self._server is not None:
            self._server.close()

    def add(self, port: int) -> None:
        """Send new connections there, after the delay."""
        asyncio.get_running_loop().call_later(self._delay, self._endpoints.add, port)

    def remove(self, port: int) -> None:
        """Send no new connections there, after the delay."""
        asyncio.get_running_loop().call_later(self._delay, self._endpoints.discard, port)

    def choose(self) -> int | None:
        """The endpoint for a new connection, which counts as open from now on; `None` if there is none."""
        port = min(self._endpoints, key=lambda endpoint: self._open[endpoint], default=None)
        if port is None:
            self.refused += 1
        else:
            self._open[port] += 1
        return port

    def release(self, port: int) -> None:
        """A connection to the endpoint has ended."""
        self._open[port] -= 1


class _Side(asyncio.Protocol):
    """One side of a forwarded connection; it passes all that it reads to its peer."""

    def __init__(self) -> None:
        self.peer: _Side | None = None
        self.transport: asyncio.Transport | None = None
        self.early = b""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if self.peer is not None and self.peer.transport is not None:
            self.peer.transport.write(data)
        else:
            # The data that the client sends while the other side is still being connected.
            self.early += data

    def pause_writing(self) -> None:
        if self.peer is not None and self.peer.transport is not None:
            self.peer.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.peer is not None and self.peer.transport is not None:
            self.peer.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.peer is not None and self.peer.transport is not None:
            self.peer.transport.abort() if exc is not None else self.peer.transport.close()


class _Client(_Side):
    """The side of the client."""

    def __init__(self, service: Service) -> None:
        super().__init__()
        self._service = service
        self._port: int | None = None
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        assert self.transport is not None
        self._port = self._service.choose()
        if self._port is None:
            self.transport.abort()
        else:
            self._task = asyncio.create_task(self._connect(self._port))

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._port is not None:
            self._service.release(self._port)

    async def _connect(self, port: int) -> None:
        assert self.transport is not None
        try:
            _, peer = await asyncio.get_running_loop().create_connection(_Side, "127.0.0.1", port)
        except OSError:
            self.transport.abort()
            return
        assert peer.transport is not None
        if self.transport.is_closing():
            peer.transport.abort()
            return
        self.peer, peer.peer = peer, self
        peer.transport.write(self.early)
