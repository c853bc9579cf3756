"""Limits on the head of a request, which the application never sees."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import ServerState

from tests.webhook.reviews import review
from webhook import protocol
from webhook.protocol import HEAD_BYTES, BoundedProtocol

_Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
_START = b"POST /validate HTTP/1.1\r\nHost: weighbridge\r\nContent-Type: application/json\r\n"


@asynccontextmanager
async def _connected(app: ASGIApp) -> AsyncIterator[_Streams]:
    """A connection to a server that serves with our protocol."""
    config = uvicorn.Config(app, http=BoundedProtocol, ws="none", lifespan="off", log_config=None, access_log=False, timeout_keep_alive=120)
    config.load()
    state, loop = ServerState(), asyncio.get_running_loop()
    server = await loop.create_server(lambda: BoundedProtocol(config, state, {}, loop), "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    try:
        yield reader, writer
    finally:
        writer.close()
        server.close()
        for connection in list(state.connections):
            connection.transport.close()
        await asyncio.sleep(0)


def _run(app: ASGIApp, talk: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[bytes]]) -> bytes:
    async def connected() -> bytes:
        async with asyncio.timeout(20), _connected(app) as (reader, writer):
            return await talk(reader, writer)

    return asyncio.run(connected())


@pytest.mark.parametrize(
    "flood", [b"X-Flood: " + b"a" * 200 + b"\r\n", b"X-Flood: " + b"a" * HEAD_BYTES], ids=["many headers", "a long one"]
)
def test_head_that_is_too_large_is_refused(app: ASGIApp, flood: bytes) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        # Not a byte more than is needed: closing on unread bytes would take the answer away.
        writer.write((_START + flood * (HEAD_BYTES // len(flood) + 1))[: HEAD_BYTES + 1])
        return await reader.read()

    answer = _run(app, talk)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.endswith(b"more than 65536 bytes.")


@pytest.mark.parametrize("sent", [b"P", _START, _START + b"X-Slow: "])
def test_head_that_does_not_end_is_given_up(app: ASGIApp, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.05)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(sent)
        return await reader.read()

    assert _run(app, talk) == b""


def test_head_may_arrive_byte_by_byte_and_the_next_one_too(app: ASGIApp) -> None:
    body = review()
    request = _START + f"Content-Length: {len(body)}\r\n\r\n".encode() + body

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        answers = b""
        for _ in range(3):
            for at in range(0, len(request), 11):
                writer.write(request[at : at + 11])
                await asyncio.sleep(0)
            answers += await reader.readuntil(b'"allowed":true}}')
        return answers

    assert _run(app, talk).count(b"HTTP/1.1 200 ") == 3


def test_connection_that_says_nothing_yet_is_kept(app: ASGIApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.05)
    body = review()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        await asyncio.sleep(0.2)
        writer.write(_START + f"Content-Length: {len(body)}\r\n\r\n".encode())
        await asyncio.sleep(0.2)
        writer.write(body)
        return await reader.readuntil(b"\r\n")

    assert _run(app, talk).startswith(b"HTTP/1.1 200 ")
