"""Whatever bytes come over TLS: no answer is an internal error, the server keeps running, and the next good call is judged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

import pytest

from tests.programs.fuzz.client import STATUSES, statuses_of
from tests.programs.fuzz.requests import KINDS
from tests.programs.soak.hostile import Target
from tests.webhook.reviews import UID, review
from tests.webhook.serving import Server, serving

_ROUNDS: Final = 60
_AT_A_TIME: Final = 12

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
    """A server with the default limits."""
    with serving(tmp_path_factory.mktemp("certificates")) as running:
        yield running


def _check(server: Server, sent: list[bytes], *, least: int) -> None:
    """Checks that no answer was an internal error, and that at least so many requests were answered."""
    statuses = asyncio.run(statuses_of(Target(server.port, server.trust(), server.health), sent, _AT_A_TIME))
    assert [(data[:200], status) for data, status in statuses if status not in STATUSES] == []
    assert len(statuses) >= least
    assert [line for line in server.lines if line["level"] == "error" or "traceback" in line] == []
    status, answer = server.call(review())
    assert (status, answer["response"]["uid"]) == (200, UID)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_mutated_requests_are_never_a_failure_of_ours(server: Server, kind: Callable[[Random], bytes], seed: int) -> None:
    random = Random(seed)
    _check(server, [kind(random) for _ in range(_ROUNDS)], least=1)


def test_odd_heads_are_never_a_failure_of_ours(server: Server) -> None:
    _check(server, _HEADS, least=len(_HEADS) // 2)
