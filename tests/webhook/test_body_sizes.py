"""Bodies from 1 KB to the limit, in one and in many reads: a valid review is judged, whatever its size and however it arrives."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Final

import orjson
import pytest

from tests.programs.soak.hostile import Target
from tests.webhook.reviews import UID, model, review
from tests.webhook.serving import Server, serving

_KIB: Final = 1024
_LIMIT: Final = 8 * 1024 * _KIB
_SIZES: Final = [
    *(1 * _KIB, 4 * _KIB, 16 * _KIB - 1, 16 * _KIB, 16 * _KIB + 1, 32 * _KIB, 64 * _KIB - 200, 64 * _KIB, 65_500, 66 * _KIB, 80 * _KIB),
    *(100 * _KIB, 128 * _KIB, 140 * _KIB, 256 * _KIB, 1024 * _KIB, 3 * 1024 * _KIB, _LIMIT - 1, _LIMIT),
]


def _pieces(request: bytes, size: int) -> Iterator[bytes]:
    return (request[at : at + size] for at in range(0, len(request), size))


def _whole(request: bytes, _: int) -> Iterator[bytes]:
    yield request


def _head_first(request: bytes, head: int) -> Iterator[bytes]:
    yield request[:head]
    yield request[head:]


def _within_the_head(request: bytes, head: int) -> Iterator[bytes]:
    yield request[: head // 2]
    yield request[head // 2 :]


def _first_byte_with_the_head(request: bytes, head: int) -> Iterator[bytes]:
    yield request[: head + 1]
    yield request[head + 1 :]


def _last_byte_alone(request: bytes, _: int) -> Iterator[bytes]:
    yield request[:-1]
    yield request[-1:]


def _many(request: bytes, _: int) -> Iterator[bytes]:
    """At most some hundred pieces, of a size that divides neither a TLS record nor a read."""
    return _pieces(request, max(1021, len(request) // 500))


_Split = Callable[[bytes, int], Iterator[bytes]]
_SPLITS: Final[dict[str, _Split]] = {
    "in one write": _whole,
    "head first": _head_first,
    "split within the head": _within_the_head,
    "first byte with the head": _first_byte_with_the_head,
    "last byte alone": _last_byte_alone,
    "in many writes": _many,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the default limits."""
    with serving(tmp_path_factory.mktemp("certificates")) as running:
        yield running


def _review_of(size: int) -> bytes:
    """A review of exactly so many bytes."""
    without = len(review(model(quantization="")))
    return review(model(quantization="x" * (size - without)))


def _request(body: bytes) -> tuple[bytes, int]:
    """A request, and the offset at which its head ends."""
    lines = ("POST /validate?timeout=10s HTTP/1.1", "Host: weighbridge", "Content-Type: application/json")
    head = "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode()
    return head + body, len(head)


def _answers(server: Server, body: bytes, split: str, calls: int) -> list[tuple[int, bytes]]:
    """The answers to successive calls on one connection; each write here is sent in one piece."""

    async def called() -> list[tuple[int, bytes]]:
        async with Target(server.port, server.trust(), server.health).connected() as (reader, writer):
            return [await _called(reader, writer, _SPLITS[split](*_request(body))) for _ in range(calls)]

    return asyncio.run(called())


async def _called(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pieces: Iterator[bytes]) -> tuple[int, bytes]:
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
        # Otherwise two pieces might still arrive as one.
        await asyncio.sleep(0.001)
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = head.partition(b"content-length:")[2].partition(b"\r\n")[0]
    return int(head.split()[1]), await reader.readexactly(int(length))


@pytest.mark.parametrize("split", _SPLITS)
@pytest.mark.parametrize("size", _SIZES)
def test_review_of_any_size_is_judged_however_it_arrives(server: Server, size: int, split: str) -> None:
    body = _review_of(size)
    assert len(body) == size
    # The second call on a connection must be answered like the first.
    answers = _answers(server, body, split, calls=2)
    assert [status for status, _ in answers] == [200, 200]
    assert [orjson.loads(answer)["response"]["uid"] for _, answer in answers] == [UID, UID]


@pytest.mark.parametrize("split", _SPLITS)
def test_review_over_the_limit_is_refused_however_it_arrives(server: Server, split: str) -> None:
    assert _answers(server, _review_of(_LIMIT + 1), split, calls=1)[0][0] == 413
