"""The head of an answer and its body go out in one write, and a body that has arrived is read without waiting."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from tests.webhook.uvicorn_connection import HEAD, Transport, configured, run_bounded, settled
from weighbridge.webhook.server.bodies import Bodies
from weighbridge.webhook.server.calls import CallError, TurnedAway, error_response
from weighbridge.webhook.server.connections.places import Places
from weighbridge.webhook.server.connections.protocol import ARRIVED, BoundedProtocol


class Writes(Transport):
    """Keeps each write on its own."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[bytes] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.writes.append(bytes(data))


def connected(app: Any) -> tuple[BoundedProtocol, Writes]:
    """A connection with our protocol that was just made."""
    made, transport = BoundedProtocol(configured(app), ServerState(), {}, asyncio.get_running_loop(), places=Places(9, 9)), Writes()
    made.connection_made(transport)
    return made, transport


async def reads_and_says(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that answers with the body."""
    body = (await receive())["body"]
    await error_response(200, body.decode())(scope, receive, send)


@pytest.mark.parametrize("calls", [1, 3])
def test_answer_is_one_write(calls: int) -> None:
    async def test() -> None:
        made, transport = connected(reads_and_says)
        made.data_received((HEAD + b"Content-Length: 2\r\n\r\nhi") * calls)
        await settled()
        assert len(transport.writes) == calls
        assert all(written.startswith(b"HTTP/1.1 200 ") and written.endswith(b'{"error":"hi"}') for written in transport.writes)

    run_bounded(test)


def test_answer_without_a_body_is_written() -> None:
    async def says_nothing(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"9")]})
        await send({"type": "http.response.body", "body": b"ignored!!"})

    async def test() -> None:
        made, transport = connected(says_nothing)
        made.data_received(HEAD.replace(b"POST", b"HEAD") + b"\r\n")
        await settled()
        assert transport.writes == [b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n"]

    run_bounded(test)


def test_client_that_waits_to_send_its_body_is_asked_for_it() -> None:
    async def test() -> None:
        made, transport = connected(reads_and_says)
        made.data_received(HEAD + b"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        await settled()
        assert transport.writes == [b"HTTP/1.1 100 Continue\r\n\r\n"]
        made.data_received(b"hi")
        await settled()
        assert len(transport.writes) == 2
        assert transport.writes[1].endswith(b'{"error":"hi"}')

    run_bounded(test)


def test_head_of_an_answer_that_breaks_off_is_written_before_the_connection_closes() -> None:
    async def breaks_off(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"9")]})
        raise ValueError

    async def test() -> None:
        made, transport = connected(breaks_off)
        made.data_received(HEAD + b"Content-Length: 2\r\n\r\nhi")
        await settled()
        assert transport.writes == [b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n"]
        assert transport.closed

    run_bounded(test)


@pytest.mark.parametrize(("sent", "arrived"), [(b"hi", [True]), (b"h", [False]), (b"", [False])], ids=["whole", "half", "only a head"])
def test_scope_says_if_the_body_has_arrived(sent: bytes, arrived: list[bool]) -> None:
    seen: list[bool] = []

    async def looks(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(ARRIVED in scope)
        await reads_and_says(scope, receive, send)

    async def test() -> None:
        made, _ = connected(looks)
        made.data_received(HEAD + b"Content-Length: 2\r\n\r\n" + sent)
        await settled()
        assert seen == arrived

    run_bounded(test)


@pytest.mark.parametrize("limit", [10, 5])
def test_body_that_has_arrived_takes_no_place_and_has_to_be_small_enough(limit: int) -> None:
    async def receive() -> dict[str, Any]:
        assert len(bodies) == 0
        return {"type": "http.request", "body": b"123456", "more_body": False}

    bodies = Bodies(0, limit)
    if limit == 10:
        assert asyncio.run(bodies.read(receive, {}, 5, has_arrived=True)) == b"123456"
    else:
        with pytest.raises(CallError, match="the body has more than 5 bytes") as raised:
            asyncio.run(bodies.read(receive, {}, 5, has_arrived=True))
        assert raised.value.reason is TurnedAway.TOO_LARGE
