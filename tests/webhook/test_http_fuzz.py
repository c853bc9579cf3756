"""Whatever bytes come over TLS: no answer is a failure of ours, the server lives, and the next good call is judged."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Final

import pytest

from policies.objects import JSONValue
from tests.programs.soak.hostile import Target, call, mutated
from tests.webhook.reviews import UID, model, request, review
from tests.webhook.serving import Server, serving

_ROUNDS: Final = 60
_AT_A_TIME: Final = 12
#: Long enough for an answer; what gets none is a request that hasn't ended.
_WAIT_SECONDS: Final = 0.3
#: Answers of the webhook, of which only 503 is a server's: it asks the client to come again.
_STATUSES: Final = {100, 200, 400, 404, 405, 408, 413, 415, 503}
_STATUS_LINE: Final = re.compile(rb"HTTP/1\.1 (\d{3}) ")

_BODY: Final = review()
_HEADS: Final = [
    b"GET / HTTP/1.1\r\n\r\n",
    b"POST /validate HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}",
    b"POST /validate HTTP/9.9\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"POST /validate?timeout=\xff HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
    b"POST /validate?timeout=99999999999999999999s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    b"POST http://other/validate HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
    b"POST * HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
    b"POST //validate HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
    b"POST /%00%ff%zz HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
    b"CONNECT other:443 HTTP/1.1\r\nHost: other\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    b"POST /validate HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    b"POST /validate HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    b"POST /validate HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n",
    b"POST /validate HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST /validate HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    b"POST /validate HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
    b"POST /validate HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\nX-Trailer: y\r\n\r\n",
    b"POST /validate HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Key: x\r\n\r\n",
    b"POST /validate HTTP/1.1\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: 0\r\n\r\n",
    b"POST /validate HTTP/1.1\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    b"POST /validate HTTP/1.1\r\nContent-Type: \xff\xfe\r\nContent-Length: 2\r\n\r\n{}",
    b"POST /validate HTTP/1.1\r\nContent-Type: application/json; charset=\x01\r\nContent-Length: 2\r\n\r\n{}",
    b"POST /validate HTTP/1.1\r\n folded: x\r\n\r\n",
    b"POST /validate HTTP/1.1\r\n" + b"X: y\r\n" * 3000 + b"\r\n",
    b"\r\n\r\n\r\n\r\n",
    b"\x00" * 100,
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the limits that it has by default."""
    with serving(tmp_path_factory.mktemp("certificates")) as running:
        yield running


async def _sent(target: Target, data: bytes) -> bytes:
    """What comes back within a moment, or until the server closes."""
    received = b""
    async with target.connected() as (reader, writer):
        writer.write(data)
        with suppress(TimeoutError, OSError):
            async with asyncio.timeout(_WAIT_SECONDS):
                while part := await reader.read(65536):
                    received += part
    return received


def _statuses(server: Server, sent: list[bytes]) -> list[tuple[bytes, int]]:
    """What was sent, each with the status of each answer that it got."""
    target = Target(server.port, server.trust())

    async def all_of_it() -> list[bytes]:
        received: list[bytes] = []
        for at in range(0, len(sent), _AT_A_TIME):
            received += await asyncio.gather(*(_sent(target, data) for data in sent[at : at + _AT_A_TIME]))
        return received

    received = asyncio.run(all_of_it())
    assert all(not answer or answer.startswith(b"HTTP/1.1 ") for answer in received)
    return [(data, int(found)) for data, answer in zip(sent, received, strict=True) for found in _STATUS_LINE.findall(answer)]


def _check(server: Server, sent: list[bytes], *, least: int) -> None:
    """Nothing of it was answered with a failure of ours, and at least so many of it were answered."""
    statuses = _statuses(server, sent)
    assert [(data[:200], status) for data, status in statuses if status not in _STATUSES] == []
    assert len(statuses) >= least
    assert [line for line in server.lines if line["level"] == "error" or "traceback" in line] == []
    status, answer = server.call(review())
    assert (status, answer["response"]["uid"]) == (200, UID)


def _noise(random: Random) -> bytes:
    return random.randbytes(random.randint(1, 3000))


def _mutated_head(random: Random) -> bytes:
    head, _, body = call(_BODY).partition(b"\r\n\r\n")
    return mutated(head, random) + b"\r\n\r\n" + body


def _mutated_review(random: Random) -> bytes:
    return call(mutated(_BODY, random))


def _mutated_request(random: Random) -> bytes:
    """A head and a body that go together badly, with more after it."""
    return mutated(call(_BODY), random) + mutated(call(_BODY), random)


def _other_types(random: Random) -> bytes:
    """A review in which values stand where values of other types have to."""
    values: list[JSONValue] = [None, True, 0, -1, 1e308, "", "x" * 300, [], [[]], {}, {"": None}, model()]
    inner = request()
    for key in random.sample(sorted(inner), 3):
        inner[key] = random.choice(values)
    return call(review(inner["object"], **{key: value for key, value in inner.items() if key != "object"}))


_KINDS: Final[list[Callable[[Random], bytes]]] = [_noise, _mutated_head, _mutated_review, _mutated_request, _other_types]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", _KINDS, ids=lambda kind: kind.__name__.strip("_"))
def test_mutated_requests_are_never_a_failure_of_ours(server: Server, kind: Callable[[Random], bytes], seed: int) -> None:
    random = Random(seed)
    _check(server, [kind(random) for _ in range(_ROUNDS)], least=1)


def test_odd_heads_are_never_a_failure_of_ours(server: Server) -> None:
    _check(server, _HEADS, least=len(_HEADS) // 2)
