"""Clients that call a webhook over TLS on kept connections, as kube-apiserver does.

At a steady rate every call is timed; one call after the other keeps the server busy, so that its CPU time is all spent on calls.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import orjson

_PATH = "/validate?timeout=3s"
_RETRY_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Latencies:
    """Seconds from the time at which each call was due to its answer, in rising order."""

    seconds: Sequence[float]

    def quantile(self, share: float) -> float:
        """The time within which that share of the calls was answered."""
        return self.seconds[min(len(self.seconds) - 1, int(share * len(self.seconds)))]


@dataclass(frozen=True, slots=True)
class Storm:
    """Many calls at once: the seconds of each and of all, and how often a call was turned away."""

    latencies: Latencies
    seconds: float
    turned_away: int


async def call_steadily(port: int, trust: ssl.SSLContext, body: bytes, *, rate: float, calls: int, connections: int = 8) -> Latencies:
    """Make `calls` calls, `rate` a second. Raises AssertionError for an answer that isn't an allowing review.

    A call that is due while all connections wait is late, and its time counts from when it was due: so calls that were delayed by a slow
    answer show it.
    """
    loop = asyncio.get_running_loop()
    due: asyncio.Queue[float] = asyncio.Queue()
    request = _request(body)
    taken: list[float] = []

    async def caller() -> None:
        reader, writer = await _connected(port, trust)
        try:
            while True:
                at = await due.get()
                writer.write(request)
                _check(await _answer(reader))
                taken.append(loop.time() - at)
                due.task_done()
        finally:
            writer.close()

    callers = [asyncio.create_task(caller()) for _ in range(connections)]
    start = loop.time() + 0.1
    for number in range(calls):
        at = start + number / rate
        await asyncio.sleep(max(0.0, at - loop.time()))
        due.put_nowait(at)
        failed = next((task for task in callers if task.done()), None)
        if failed is not None:
            failed.result()
    await due.join()
    for task in callers:
        task.cancel()
    await asyncio.gather(*callers, return_exceptions=True)
    return Latencies(sorted(taken))


async def call_without_pause(port: int, trust: ssl.SSLContext, body: bytes, *, calls: int, connections: int = 4) -> None:
    """Make `calls` calls, on each connection the next as soon as the last is answered.

    Raises AssertionError for an answer that isn't an allowing review.
    """
    request = _request(body)
    left = iter(range(calls))

    async def caller() -> None:
        reader, writer = await _connected(port, trust)
        try:
            for _ in left:
                writer.write(request)
                _check(await _answer(reader))
        finally:
            writer.close()

    async with asyncio.TaskGroup() as group:
        for _ in range(connections):
            group.create_task(caller())


async def call_for_each(port: int, trust: ssl.SSLContext, bodies: Iterable[bytes], paths: Sequence[str], *, connections: int) -> Storm:
    """Call each path for each body, one path after the other, on that many connections at once.

    A call that is turned away is made again, as the server asks for.
    """
    loop, left, taken, away = asyncio.get_running_loop(), iter(bodies), list[float](), 0

    async def caller() -> None:
        nonlocal away
        reader, writer = await _connected(port, trust)
        try:
            for body in left:
                for path in paths:
                    began = loop.time()
                    answer = b""
                    while b'"response"' not in answer:
                        if answer:
                            away += 1
                            await asyncio.sleep(_RETRY_SECONDS)
                        writer.write(_request(body, path))
                        answer = await _answer(reader)
                    _check(answer)
                    taken.append(loop.time() - began)
        finally:
            writer.close()

    began = loop.time()
    async with asyncio.TaskGroup() as group:
        for _ in range(connections):
            group.create_task(caller())
    return Storm(Latencies(sorted(taken)), loop.time() - began, away)


async def _connected(port: int, trust: ssl.SSLContext) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port, ssl=trust, server_hostname="127.0.0.1")


def _request(body: bytes, path: str = "") -> bytes:
    head = f"POST {path or _PATH} HTTP/1.1\r\nHost: weighbridge\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


async def _answer(reader: asyncio.StreamReader) -> bytes:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = head.partition(b"content-length:")[2].partition(b"\r\n")[0]
    return await reader.readexactly(int(length))


def _check(answer: bytes) -> None:
    response = orjson.loads(answer)["response"]
    assert response["allowed"], answer
