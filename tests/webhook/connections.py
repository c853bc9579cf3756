"""Connections to a server with our protocol, in the server's own event loop and without TLS."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import ServerState

from weighbridge.webhook.server.connections.places import Places
from weighbridge.webhook.server.connections.protocol import BoundedProtocol

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
START: Final = b"POST /validate HTTP/1.1\r\nHost: weighbridge\r\nContent-Type: application/json\r\n"


@asynccontextmanager
async def connected(
    app: ASGIApp,
    made: list[BoundedProtocol],
    *,
    keep_alive: int = 120,
    places: Places | None = None,
    on_refused: Callable[[], None] | None = None,
) -> AsyncIterator[Streams]:
    """A connection to a server with our protocol; `made` gets the server's side of it."""
    config = uvicorn.Config(
        app, http=BoundedProtocol, ws="none", lifespan="off", log_config=None, access_log=False, timeout_keep_alive=keep_alive
    )
    config.load()
    state, loop, held = ServerState(), asyncio.get_running_loop(), Places(1000, 1000) if places is None else places

    def make() -> BoundedProtocol:
        made.append(BoundedProtocol(config, state, {}, loop, places=held, on_refused=on_refused))
        return made[-1]

    server = await loop.create_server(make, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    try:
        yield reader, writer
    finally:
        writer.close()
        server.close()
        for connection in list(state.connections):
            connection.transport.close()
        await asyncio.sleep(0)


def run_with(app: ASGIApp, talk: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[bytes]], **options: Any) -> bytes:
    """The result of `talk` on one connection to a new server."""

    async def bounded() -> bytes:
        async with asyncio.timeout(20), connected(app, [], **options) as (reader, writer):
            return await talk(reader, writer)

    return asyncio.run(bounded())
