"""Connections take places even before their handshakes are done."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
import uvloop

from tests.webhook.reviews import review
from weighbridge.webhook.server.app import create_app
from weighbridge.webhook.server.certificates import ServingCertificate, bring_self_signed_up_to_date
from weighbridge.webhook.server.connections.http_server import http_server
from weighbridge.webhook.server.connections.places import Places
from weighbridge.webhook.server.service import Service
from weighbridge.webhook.server.sockets import listen

#: A record of TLS that says that a ClientHello of 508 bytes follows.
_HALF_HELLO = bytes.fromhex("16030101fc010001f80303") + b"\x01" * 32
_MOST = 5


class _Port:
    """A port with TLS and few places."""

    def __init__(self, port: int, folder: Path, places: Places) -> None:
        self.port = port
        self.places = places
        #: A client that stays connected until the server has ended.
        self.held: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.held.set_result(None)
        self._trust = ssl.create_default_context(cafile=folder / "ca.crt")

    async def half_handshake(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection of a client that stops within the handshake."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(_HALF_HELLO)
        await asyncio.sleep(0.02)
        return reader, writer

    async def call(self) -> bytes:
        """The beginning of the answer to a good call."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, ssl=self._trust, server_hostname="127.0.0.1")
        body = review()
        head = "POST /validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = await reader.readline()
        writer.close()
        return answer


def _run(service: Service, folder: Path, test: Callable[[_Port], Awaitable[None]]) -> None:
    @asynccontextmanager
    async def serving() -> AsyncIterator[_Port]:
        bring_self_signed_up_to_date(folder, ["127.0.0.1"], datetime.now(UTC))
        listener, places = listen("127.0.0.1", 0), Places(_MOST, _MOST)
        server = http_server(create_app(service), service.settings, places, ServingCertificate(folder, service.metrics).context)
        task = asyncio.ensure_future(server.serve([listener]))
        port = _Port(listener.getsockname()[1], folder, places)
        yield port
        server.stop(at_once=True)
        await task
        await port.held

    async def bounded() -> None:
        async with asyncio.timeout(30), serving() as port:
            await test(port)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(bounded())


def test_handshakes_that_never_end_give_way_the_oldest_first(service: Service, tmp_path: Path) -> None:
    async def test(port: _Port) -> None:
        held = [await port.half_handshake() for _ in range(_MOST + 2)]
        assert len(port.places) == _MOST
        assert [await reader.read() for reader, _ in held[:2]] == [b"", b""]
        assert not any(reader.at_eof() for reader, _ in held[2:])
        assert await port.call() == b"HTTP/1.1 200 OK\r\n"
        assert await held[2][0].read() == b""
        for _, writer in held:
            writer.close()

    _run(service, tmp_path, test)


@pytest.mark.parametrize("sent", [b"GET /livez HTTP/1.1\r\n\r\n", b""], ids=["no TLS", "nothing"])
def test_a_handshake_that_fails_frees_its_place(service: Service, tmp_path: Path, sent: bytes) -> None:
    async def test(port: _Port) -> None:
        for _ in range(_MOST):
            reader, writer = await asyncio.open_connection("127.0.0.1", port.port)
            writer.write(sent)
            writer.write_eof()
            await reader.read()
            writer.close()
        while len(port.places):
            await asyncio.sleep(0.01)
        assert await port.call() == b"HTTP/1.1 200 OK\r\n"

    _run(service, tmp_path, test)


def test_a_server_that_ends_waits_for_no_handshake(service: Service, tmp_path: Path) -> None:
    ended: list[bytes] = []

    async def test(port: _Port) -> None:
        reader, writer = await port.half_handshake()

        async def held() -> None:
            ended.append(await reader.read())
            writer.close()

        port.held = asyncio.ensure_future(held())

    _run(service, tmp_path, test)
    assert ended == [b""]
