"""Hostile clients on the replicas' own ports: each holds, floods or breaks something, and reports how it went.

Their answers don't matter, with two exceptions: a good review that is sent in a rude way must be answered, and no request may be answered
with 500, a failure of the server.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Final

from tests.webhook.reviews import model, review

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

#: The seconds for which a client holds a connection, which is longer than any limit of the server.
HOLD_SECONDS: Final = 15.0
_ANSWER_SECONDS: Final = 20.0
_MANY: Final = 80
_MIB: Final = 1024 * 1024
#: More connections than the health port accepts at once.
_HALF_HEADS: Final = 300
_PROBES: Final = 20
_PROBE_SECONDS: Final = 5.0
_START: Final = b"POST /validate?timeout=3s HTTP/1.1\r\nHost: weighbridge\r\nContent-Type: application/json\r\n"
#: A record of TLS that says that a ClientHello of 508 bytes follows.
_HALF_HELLO: Final = bytes.fromhex("16030101fc010001f80303") + b"\x01" * 32
#: Answers that no client may be able to cause.
_OURS: Final = ("500", "502", "504")


@dataclass(frozen=True, slots=True)
class Target:
    """A replica's port, what its certificate is verified with, and its health port."""

    port: int
    trust: ssl.SSLContext
    health: int

    @asynccontextmanager
    async def connected(self, *, plainly: bool = False) -> AsyncIterator[Streams]:
        """A new connection, over TLS unless it is to be a plain one; leaving the block closes it immediately."""
        trust, name = (None, None) if plainly else (self.trust, "127.0.0.1")
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, ssl=trust, server_hostname=name)
        try:
            yield reader, writer
        finally:
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()


@dataclass(frozen=True, slots=True)
class Attempt:
    """One kind of hostile client: the number of its connections, and its function, whose returned text says how it ended."""

    name: str
    act: Callable[[Target, Random], Awaitable[str]]
    connections: int = 1
    #: The allowed beginnings of the text; empty if everything except a failure of the server is allowed.
    must: str | tuple[str, ...] = ""

    async def run(self, target: Target, random: Random) -> tuple[str, bool]:
        """Run it. Returns how it ended, and whether that is allowed."""
        try:
            async with asyncio.timeout(HOLD_SECONDS + _ANSWER_SECONDS):
                ended = await self.act(target, random)
        except TimeoutError:
            ended = "held until we let go"
        except (OSError, asyncio.IncompleteReadError):
            # The server closed the connection, which it may do in most of these cases.
            ended = "closed"
        # An answer that asks to retry is fine: a good client does.
        return ended, not ended.startswith(_OURS) and ended.replace("503", "200").startswith(self.must)


def call(body: bytes) -> bytes:
    """A request."""
    return _START + f"Content-Length: {len(body)}\r\n\r\n".encode() + body


async def status(reader: asyncio.StreamReader) -> str:
    """The status of one answer, which is read to its end."""
    return (await _answer(reader))[0]


async def _answer(reader: asyncio.StreamReader) -> tuple[str, bool]:
    """The status of one answer, which is read to its end, and whether the server closes the connection after it."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = head.partition(b"content-length:")[2].partition(b"\r\n")[0]
    await reader.readexactly(int(length or 0))
    return head.split()[1].decode(), b"\r\nconnection: close" in head


async def _until_closed(reader: asyncio.StreamReader, drip: Callable[[], None] = lambda: None) -> str:
    """Hold the connection until the server closes it. Returns the received bytes."""
    received = b""
    async with asyncio.timeout(HOLD_SECONDS):
        while True:
            drip()
            try:
                async with asyncio.timeout(1):
                    part = await reader.read(65536)
            except TimeoutError:
                continue
            received += part
            if not part:
                return received.split()[1].decode() if b" " in received else "closed"


async def _endless_head(target: Target, _: Random) -> str:
    async with target.connected() as (reader, writer):
        writer.write(_START + b"X-Slow: ")
        return await _until_closed(reader, lambda: writer.write(b"a"))


async def _large_head(target: Target, _: Random) -> str:
    async with target.connected() as (reader, writer):
        with suppress(OSError):
            writer.write(_START)
            for _number in range(64):
                writer.write(b"X-Flood: " + b"a" * 16384 + b"\r\n")
                await writer.drain()
        return await status(reader)


async def _slow_body(target: Target, _: Random) -> str:
    async with target.connected() as (reader, writer):
        writer.write(_START + b"Content-Length: 5000\r\n\r\n")
        return await _until_closed(reader, lambda: writer.write(b" "))


async def _many_bodies_of_a_byte(target: Target, _: Random) -> str:
    async def one() -> str:
        async with target.connected() as (reader, writer):
            writer.write(_START + b"Content-Length: 5000\r\n\r\n{")
            return await _until_closed(reader)

    ended = await asyncio.gather(*(one() for _ in range(_MANY)), return_exceptions=True)
    told = [text if isinstance(text, str) else type(text).__name__ for text in ended]
    return max(sorted(set(told)), key=told.count)


async def _huge_body(target: Target, random: Random) -> str:
    size = random.choice([8 * _MIB + 1, 64 * _MIB, 10_000 * _MIB])
    async with target.connected() as (reader, writer):
        writer.write(_START + f"Content-Length: {size}\r\n\r\n".encode())
        with suppress(OSError):
            for _number in range(9):
                writer.write(b" " * _MIB)
                await writer.drain()
        return await status(reader)


async def _noise(target: Target, random: Random) -> str:
    async with target.connected(plainly=True) as (reader, writer):
        writer.write(random.randbytes(random.randint(1, 4096)))
        await _until_closed(reader)
    return "closed"


async def _half_handshake(target: Target, random: Random) -> str:
    async with target.connected(plainly=True) as (reader, writer):
        writer.write(_HALF_HELLO[: random.randint(0, len(_HALF_HELLO))])
        await _until_closed(reader)
    return "closed"


async def _plain_http(target: Target, _: Random) -> str:
    async with target.connected(plainly=True) as (reader, writer):
        writer.write(call(review()))
        await _until_closed(reader)
    return "closed"


async def _reset_after_a_call(target: Target, _: Random) -> str:
    async with target.connected() as (reader, writer):
        writer.write(call(review()))
        ended = await status(reader)
        _reset(writer)
    return ended


async def _reset_before_the_answer(target: Target, _: Random) -> str:
    async with target.connected() as (_reader, writer):
        writer.write(call(review()))
        await writer.drain()
        _reset(writer)
    return "reset"


def _reset(writer: asyncio.StreamWriter) -> None:
    """Reset the connection, so that its end is an error for the server."""
    descriptor = os.dup(writer.get_extra_info("socket").fileno())
    with socket.socket(fileno=descriptor) as plain:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def _pipeline(target: Target, _: Random) -> str:
    """Pipelined calls. One that a draining server leaves unanswered is sent again (RFC 9112, section 9.6)."""
    answers: list[str] = []
    while (left := 3 - len(answers)) > 0:
        async with target.connected() as (reader, writer):
            writer.write(call(review()) * left)
            closes = False
            while left and not closes:
                answer, closes = await _answer(reader)
                answers.append(answer)
                left -= 1
    return " ".join(answers)


async def _mutated_review(target: Target, random: Random) -> str:
    async with target.connected() as (reader, writer):
        writer.write(call(mutated(review(), random)))
        return await status(reader)


async def _mutated_head(target: Target, random: Random) -> str:
    async with target.connected() as (reader, writer):
        head, _, body = call(review()).partition(b"\r\n\r\n")
        writer.write(mutated(head, random) + b"\r\n\r\n" + body)
        return await status(reader)


async def _trailers(target: Target, random: Random) -> str:
    """Trailers without end, many or one, after a body that is answered at once or one that is judged."""
    path, line = random.choice([b"/validate", b"/else"]), random.choice([b"a:b\r\n" * 2000, b"a" * 10_000])
    until = asyncio.get_running_loop().time() + HOLD_SECONDS
    async with target.connected() as (reader, writer):
        reading = asyncio.create_task(reader.read())
        head = b"POST " + path + b" HTTP/1.1\r\nHost: weighbridge\r\nContent-Type: application/json\r\n"
        writer.write(head + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n")
        with suppress(OSError):
            while asyncio.get_running_loop().time() < until and not reading.done():
                writer.write(line)
                await writer.drain()
                await asyncio.sleep(0.001)
        is_over = reading.done() or writer.transport.is_closing()
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
    return "closed" if is_over else "taken without end"


async def _half_heads_beside_probes(target: Target, _: Random) -> str:
    """More half heads on the health port than it accepts, each of which begins again once it is closed; and probes like kubelet's."""
    return await half_heads_beside_probes(target.health, _HALF_HEADS, _PROBES)


async def half_heads_beside_probes(port: int, heads: int, probes: int) -> str:
    """The number of answered probes of a health port while a number of connections are held with half a head each."""
    held: list[Streams] = []

    async def hold() -> None:
        while True:
            for _, writer in (gone := [streams for streams in held if streams[0].at_eof() or streams[0].exception()]):
                writer.close()
            held[:] = [streams for streams in held if streams not in gone]
            with suppress(OSError):
                while len(held) < heads:
                    held.append(await asyncio.open_connection("127.0.0.1", port))
                    held[-1][1].write(b"GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ")
            await asyncio.sleep(0.1)

    holding = asyncio.create_task(hold())
    try:
        while len(held) < heads:
            await asyncio.sleep(0.01)
        answered = [await _probe(port) for _number in range(probes)]
    finally:
        holding.cancel()
        for _, writer in held:
            writer.transport.abort()
        await asyncio.gather(holding, *(writer.wait_closed() for _, writer in held), return_exceptions=True)
    return f"{sum(answered)} of {probes} probes answered"


async def _probe(port: int) -> bool:
    """Whether the port answers on a new connection within the second that kubelet waits, and on a busy machine a few."""
    try:
        async with asyncio.timeout(_PROBE_SECONDS):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(b"GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                return (await reader.read()).startswith(b"HTTP/1.1 200 ")
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return False


async def _long_bodies(target: Target, _: Random) -> str:
    return await long_bodies(target, 4, 3 * _MIB)


async def long_bodies(target: Target, count: int, size: int) -> str:
    """The answers to a number of simultaneous reviews of a size: lists of small objects, which take the most memory for their bytes."""
    sent = call(_list_of_objects(size))

    async def one() -> str:
        async with target.connected() as (reader, writer):
            writer.write(sent)
            return await status(reader)

    found = await asyncio.gather(*(one() for _number in range(count)))
    others = set(found) - {"200", "408", "503"}
    return f"answered {sorted(others)}" if others else "judged or asked to come again"


@cache
def _list_of_objects(size: int) -> bytes:
    item = {"a": 1}
    return review(model(junk=[item] * (size // len('{"a": 1}, '))))


def mutated(text: bytes, random: Random) -> bytes:
    """The text with some bytes changed, taken out, doubled or put in."""
    found = bytearray(text)
    for _ in range(random.randint(1, 8)):
        at, length = random.randrange(len(found)), random.randint(1, 6)
        found[at : at + random.choice([0, length])] = random.choice([b"", random.randbytes(length), bytes(found[at : at + length]) * 2])
        found = found or bytearray(b" ")
    return bytes(found)


ATTEMPTS: Final = (
    Attempt("head that never ends", _endless_head),
    Attempt("head of 1 MiB", _large_head),
    Attempt("slow body", _slow_body),
    Attempt("80 bodies of a byte", _many_bodies_of_a_byte, connections=_MANY),
    Attempt("body over the limit", _huge_body),
    Attempt("noise in place of TLS", _noise),
    Attempt("half a handshake", _half_handshake),
    Attempt("no TLS", _plain_http),
    Attempt("reset after a call", _reset_after_a_call, must="200"),
    Attempt("reset before the answer", _reset_before_the_answer),
    Attempt("three calls at once", _pipeline, must="200 200 200"),
    Attempt("trailers without end", _trailers, must="closed"),
    # Fewer connections, since each of these costs the machine more than others.
    Attempt("half heads and probes", _half_heads_beside_probes, connections=_HALF_HEADS // 4, must=f"{_PROBES} of {_PROBES} "),
    Attempt("4 long bodies", _long_bodies, connections=_MANY, must="judged"),
    Attempt("mutated review", _mutated_review),
    Attempt("mutated head", _mutated_head),
)
