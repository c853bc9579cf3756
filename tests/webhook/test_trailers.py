"""Trailers and other parts after a head that are no body, and repeated parts of a head: all are bounded, whatever the application does
meanwhile.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.webhook.connections import START, run_with
from tests.webhook.reviews import review
from weighbridge.webhook.server.connections.protocol import HEAD_BYTES, HEADERS, PIPELINED

_CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
_LAST = b"2\r\n{}\r\n0\r\n"
_ELSE = b"POST /else HTTP/1.1\r\nHost: weighbridge\r\n"


async def _never_answers(_: Scope, __: Receive, ___: Send) -> None:
    await asyncio.Event().wait()


async def _flooded(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: bytes, flood: bytes) -> bytes:
    """How much could be sent before the server closed the connection: at most 100 floods."""
    writer.write(head)
    reading, sent = asyncio.create_task(reader.read()), 0
    with suppress(ConnectionError):
        while sent < 100 and not reading.done():
            writer.write(flood)
            sent += 1
            await writer.drain()
            await asyncio.sleep(0.001)
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    return str(sent).encode()


@pytest.mark.parametrize("path", [START, _ELSE], ids=["judged", "answered at once"])
@pytest.mark.parametrize(
    "flood",
    [b"a:b\r\n" * 1000, b"X-Long: " + b"a" * 8192, b"a" * 8192],
    ids=["many trailers", "values of trailers", "a name"],
)
def test_trailers_without_end_are_refused(app: ASGIApp, path: bytes, flood: bytes) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        return await _flooded(reader, writer, path + _CHUNKED + _LAST, flood)

    assert int(run_with(app, talk)) < 100


def test_trailers_are_refused_while_the_application_has_the_request() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(START + _CHUNKED + _LAST + b"a: b\r\nc: d\r\n")
        return await reader.read()

    answer = run_with(_never_answers, talk)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.endswith(b"The request has trailers.")


def test_what_comes_between_the_parts_of_a_body_is_bounded() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        return await _flooded(reader, writer, START + _CHUNKED + b"2;", b"a" * 8192)

    assert int(run_with(_never_answers, talk)) < 100


def test_body_in_small_chunks_may_have_more_around_them_than_a_head(app: ASGIApp) -> None:
    body = review() + b" " * 9000
    assert len(body) * len(b"1;x=y\r\n\r\n") > HEAD_BYTES

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(START + _CHUNKED)
        for at in range(len(body)):
            writer.write(b"1;x=y\r\n" + body[at : at + 1] + b"\r\n")
            if at % 100 == 0:
                await asyncio.sleep(0)
        writer.write(b"0\r\n\r\n")
        return await reader.readuntil(b'"allowed":true}}')

    assert run_with(app, talk).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(("count", "status"), [(HEADERS, b"400"), (HEADERS - 4, b"200")], ids=["too many", "many"])
def test_a_head_has_few_headers(app: ASGIApp, count: int, status: bytes) -> None:
    body = review()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(START + b"a:b\r\n" * count + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        return await reader.readuntil(b"\r\n")

    assert run_with(app, talk).split()[1] == status


@pytest.mark.parametrize(("count", "closed"), [(PIPELINED + 1, False), (PIPELINED + 2, True)])
def test_few_requests_may_wait_for_the_one_before_them(count: int, closed: bool) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * count)
        try:
            async with asyncio.timeout(0.3):
                return await reader.read()
        except TimeoutError:
            return b"open"

    answer = run_with(_never_answers, talk)
    assert answer.endswith(f"More than {PIPELINED} requests wait for an answer.".encode()) if closed else answer == b"open"
