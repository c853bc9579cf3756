"""Limits on the head of a request, which the application never sees."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.webhook.connections import START, connected, run_with
from tests.webhook.reviews import review
from weighbridge.webhook.server.calls import error_response
from weighbridge.webhook.server.connections import protocol
from weighbridge.webhook.server.connections.places import Places
from weighbridge.webhook.server.connections.protocol import HEAD_BYTES, BoundedProtocol

_KIB = 1024


@pytest.mark.parametrize(
    "flood", [b"X-Flood: " + b"a" * 1000 + b"\r\n", b"X-Flood: " + b"a" * HEAD_BYTES], ids=["many headers", "a long one"]
)
def test_head_that_is_too_large_is_refused(app: ASGIApp, flood: bytes) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        # Not a byte more than is needed: closing with unread bytes would destroy the answer.
        writer.write((START + flood * (HEAD_BYTES // len(flood) + 1))[: HEAD_BYTES + 1])
        return await reader.read()

    answer = run_with(app, talk)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.endswith(b"more than 65536 bytes.")


@pytest.mark.parametrize("sent", [b"P", START, START + b"X-Slow: "])
def test_head_that_does_not_end_is_given_up(app: ASGIApp, monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.05)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(sent)
        return await reader.read()

    assert run_with(app, talk) == b""


def test_head_may_arrive_byte_by_byte_and_the_next_one_too(app: ASGIApp) -> None:
    body = review()
    request = START + f"Content-Length: {len(body)}\r\n\r\n".encode() + body

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        answers = b""
        for _ in range(3):
            for at in range(0, len(request), 11):
                writer.write(request[at : at + 11])
                await asyncio.sleep(0)
            answers += await reader.readuntil(b'"allowed":true}}')
        return answers

    assert run_with(app, talk).count(b"HTTP/1.1 200 ") == 3


def test_connection_that_says_nothing_yet_is_kept(app: ASGIApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.05)
    body = review()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        await asyncio.sleep(0.2)
        writer.write(START + f"Content-Length: {len(body)}\r\n\r\n".encode())
        await asyncio.sleep(0.2)
        writer.write(body)
        return await reader.readuntil(b"\r\n")

    assert run_with(app, talk).startswith(b"HTTP/1.1 200 ")


def _request(size: int) -> bytes:
    body = review()
    body += b" " * (size - len(body))
    return START + f"Content-Length: {len(body)}\r\n\r\n".encode() + body


@pytest.mark.parametrize("size", [_KIB, 63 * _KIB, 65 * _KIB, 66 * _KIB, 97 * _KIB])
@pytest.mark.parametrize("parts", [1, 2, 3, 50])
def test_body_of_any_size_is_no_part_of_the_head(app: ASGIApp, size: int, parts: int) -> None:
    request = _request(size)
    step = -(-len(request) // parts)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        answers = b""
        for _ in range(3):
            for at in range(0, len(request), step):
                writer.write(request[at : at + step])
                await asyncio.sleep(0 if parts > 3 else 0.01)
            answers += await reader.readuntil(b'"allowed":true}}')
        return answers

    assert run_with(app, talk).count(b"HTTP/1.1 200 ") == 3


def test_requests_in_one_read_are_told_apart(app: ASGIApp) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(_request(40 * _KIB) * 3)
        return b"".join([await reader.readuntil(b'"allowed":true}}') for _ in range(3)])

    assert run_with(app, talk).count(b"HTTP/1.1 200 ") == 3


@pytest.mark.parametrize("after", [b"", b"\r\n"], ids=["nothing", "an empty line"])
def test_idle_connection_is_kept_longer_than_a_head_may_take(app: ASGIApp, monkeypatch: pytest.MonkeyPatch, after: bytes) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.05)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(_request(_KIB) + after)
        first = await reader.readuntil(b'"allowed":true}}')
        await asyncio.sleep(0.3)
        writer.write(_request(_KIB))
        return first + await reader.readuntil(b'"allowed":true}}')

    assert run_with(app, talk).count(b"HTTP/1.1 200 ") == 2


@pytest.mark.parametrize("sent", [b"", b"\r\n", _request(_KIB), _request(_KIB) + b"\r\n"], ids=["nothing", "a line", "a call", "both"])
def test_connection_without_a_request_ends_some_time(app: ASGIApp, sent: bytes) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(sent)
        return await reader.read()

    assert run_with(app, talk, keep_alive=1).count(b"HTTP/1.1 200 ") == sent.count(b"POST")


def test_rest_of_a_body_that_nobody_reads_has_to_come(app: ASGIApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.05)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"POST /else HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\nx")
        return await reader.read()

    assert run_with(app, talk).startswith(b"HTTP/1.1 404 ")


def test_connection_is_kept_once_the_rest_of_a_body_that_nobody_reads_has_come(app: ASGIApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 1)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"POST /else HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nx")
        first = await reader.readuntil(b"\r\n\r\n")
        assert first.startswith(b"HTTP/1.1 404 ")
        writer.write(b"x" * 9)
        await asyncio.sleep(1.5)
        writer.write(_request(_KIB))
        return await reader.readuntil(b'"allowed":true}}')

    assert run_with(app, talk).count(b"HTTP/1.1 200 ") == 1


def test_refused_requests_are_counted(app: ASGIApp) -> None:
    refused: list[str] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"\x16\x03\x01 no HTTP\r\n\r\n")
        return await reader.read()

    assert run_with(app, talk, on_refused=lambda: refused.append("one")).startswith(b"HTTP/1.1 400 ")
    assert refused == ["one"]


def test_whole_head_that_is_too_large_never_reaches_the_application() -> None:
    seen: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["path"])
        await error_response(200, "")(scope, receive, send)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(START + b"X-Flood: " + b"a" * HEAD_BYTES + b"\r\n\r\n")
        return await reader.read()

    assert run_with(app, talk).endswith(b"more than 65536 bytes.")
    assert seen == []


def test_lost_connection_takes_its_timers_along(app: ASGIApp) -> None:
    """Each timer would keep the connection's buffers until it fires."""
    loop_timers: list[int] = []
    connections: list[BoundedProtocol] = []

    async def test() -> None:
        async with connected(app, connections) as (reader, writer):
            writer.write(_request(_KIB))
            await reader.readuntil(b'"allowed":true}}')
            (connection,) = connections
            writer.transport.abort()
            for error in (None, ConnectionResetError()):
                connection._await_request()
                connection.connection_lost(error)
                loop_timers.append(sum(timer is not None for timer in (connection.timeout_keep_alive_task, connection._arrival_timer)))

    asyncio.run(test())
    assert loop_timers == [0, 0]


def test_lost_connection_leaves_nothing_for_the_garbage_collector() -> None:
    """A client that sends two requests at once and goes must not cost memory until the next collection."""
    made: list[BoundedProtocol] = []

    async def test() -> None:
        is_asked, ends = asyncio.Event(), asyncio.Event()

        async def answers_late(_: Scope, __: Receive, send: Send) -> None:
            is_asked.set()
            await ends.wait()
            await error_response(503, "too late")(_, __, send)

        async with asyncio.timeout(20), connected(answers_late, made) as (___, writer):
            writer.write(_request(_KIB) * 2)
            await is_asked.wait()
            (connection,) = made
            waiting = weakref.ref(connection.pipeline[0][0])
            connection.transport.abort()
            while connection.connections:
                await asyncio.sleep(0.001)
            assert waiting() is None
            ends.set()

    gc.disable()
    try:
        asyncio.run(test())
    finally:
        gc.enable()


@pytest.mark.parametrize("places", [Places(5, 1000), Places(1000, 5)], ids=["all", "of one address"])
def test_one_client_cannot_take_all_connections(app: ASGIApp, places: Places) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(_request(_KIB))
        answers = await reader.readuntil(b'"allowed":true}}')
        others = [await asyncio.open_connection(*writer.get_extra_info("peername")) for _ in range(20)]
        await asyncio.sleep(0.1)
        # The connection that has made a call is kept, and so are the newest ones.
        writer.write(_request(_KIB))
        answers += await reader.readuntil(b'"allowed":true}}')
        assert sum(other.at_eof() for other, _ in others) == 16
        for _, other in others:
            other.close()
        return answers

    assert run_with(app, talk, places=places).count(b"HTTP/1.1 200 ") == 2
