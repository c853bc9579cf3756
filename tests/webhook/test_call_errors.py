"""The answer to a rejected call: its status, its message, its headers, and when the connection ends with it."""

from __future__ import annotations

import asyncio
import pickle

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.webhook.asgi import call
from tests.webhook.reviews import Judge
from weighbridge.webhook.server import calls, health
from weighbridge.webhook.server.calls import CallError, TurnedAway, check_media_type, declared_size, error_response
from weighbridge.webhook.server.health import create_health_app
from weighbridge.webhook.server.service import Service


@pytest.mark.parametrize(
    ("reason", "status", "more"),
    [
        (TurnedAway.MALFORMED, 400, {}),
        (TurnedAway.MEDIA_TYPE, 415, {}),
        (TurnedAway.TOO_LARGE, 413, {"connection": "close"}),
        (TurnedAway.TOO_SLOW, 408, {"connection": "close"}),
        (TurnedAway.NOT_READY, 503, {"retry-after": "1"}),
        (TurnedAway.SHED, 503, {"retry-after": "1"}),
        (TurnedAway.DEFECT, 500, {}),
    ],
)
def test_each_reason_has_its_status_and_what_the_caller_is_to_do(reason: TurnedAway, status: int, more: dict[str, str]) -> None:
    error = CallError(reason, "no")
    response = error.response()
    assert response.status_code == status
    assert dict(response.headers) == {"content-length": "14", "content-type": "application/json", **more}
    assert response.body == b'{"error":"no"}'
    copied = pickle.loads(pickle.dumps(error))
    assert (copied.reason, str(copied)) == (reason, "no")


def test_an_error_without_headers_of_its_own_is_json() -> None:
    response = error_response(404, "Not Found", {"allow": "POST"})
    assert (response.status_code, response.body, response.headers["allow"]) == (404, b'{"error":"Not Found"}', "POST")
    assert dict(error_response(500, "x").headers) == {"content-length": "13", "content-type": "application/json"}


def lingered(incoming: list[Message]) -> tuple[list[Message], list[Message]]:
    """The answer to a call whose body is too large, and of which only so much comes, and how much of that was read."""
    sent: list[Message] = []
    left = list(incoming)

    async def receive() -> Message:
        if not left:
            await asyncio.Event().wait()
        return left.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    async def run() -> None:
        await CallError(TurnedAway.TOO_LARGE, "no").response()({"type": "http"}, receive, send)

    asyncio.run(run())
    return sent, incoming[: len(incoming) - len(left)]


HEADERS = [(b"connection", b"close"), (b"content-length", b"14"), (b"content-type", b"application/json")]
ANSWER: list[Message] = [
    {"type": "http.response.start", "status": 413, "headers": HEADERS},
    {"type": "http.response.body", "body": b'{"error":"no"}', "more_body": True},
    {"type": "http.response.body", "body": b""},
]


def piece(size: int, *, more: bool = True) -> Message:
    """A part of a body."""
    return {"type": "http.request", "body": b" " * size, "more_body": more}


def test_the_rest_of_too_large_a_body_is_read_to_its_end() -> None:
    last = piece(1, more=False)
    for body in ([piece(9), piece(0), last, piece(7)], [piece(9), piece(2), {"type": "http.disconnect"}, piece(7)]):
        assert lingered(body) == (ANSWER, body[:3])


def test_of_too_large_a_body_only_so_much_more_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "_LINGER_BYTES", 10)
    body = [piece(9), piece(1), piece(1)]
    assert lingered(body) == (ANSWER, body[:2])
    body = [piece(8), piece(1), piece(1), piece(1)]
    assert lingered(body) == (ANSWER, body[:3])


def test_a_body_that_stalls_once_it_is_too_large_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "_LINGER_SECONDS", 0.01)
    body = [piece(9)]
    assert lingered(body) == (ANSWER, body)


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({b"content-type": b"application/json"}, ""),
        ({b"content-type": b" Application/JSON ; charset=UTF8 "}, ""),
        ({b"content-type": b"application/json;charset=us-ascii"}, ""),
        ({b"content-type": b"application/json; version=2"}, ""),
        ({b"content-type": b"application/json", b"content-encoding": b"Identity"}, ""),
        ({}, "the content type must be application/json, not missing"),
        ({b"content-type": b" ; charset=utf-8"}, "the content type must be application/json, not missing"),
        ({b"content-type": b"text/x\xfc; a=b"}, "the content type must be application/json, not text/x\xfc"),
        ({b"content-type": b'application/json; Charset = "utf-16" '}, 'the charset must be utf-8, not "utf-16"'),
        ({b"content-type": b"application/json", b"content-encoding": b"br"}, "the body must not be compressed"),
        ({b"content-type": b"application/json", b"content-encoding": b""}, "the body must not be compressed"),
    ],
)
def test_a_body_must_say_that_it_is_json_in_utf_8(headers: dict[bytes, bytes], said: str) -> None:
    found = ""
    try:
        check_media_type(headers)
    except CallError as error:
        found = f"{error.reason}: {error}"
    assert found == (f"media_type: {said}" if said else "")


@pytest.mark.parametrize(
    ("headers", "size"),
    [
        ({b"content-length": b"0"}, 0),
        ({b"content-length": b"3145728"}, 3_145_728),
        ({}, None),
        ({b"content-length": b"-1"}, None),
        ({b"content-length": b"1e3"}, None),
        ({b"content-length": b"\xb2"}, None),
    ],
)
def test_a_call_may_say_how_large_its_body_is(headers: dict[bytes, bytes], size: int | None) -> None:
    assert declared_size(headers) == size


def test_what_no_handler_caught_is_answered_and_raised(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PlainTextResponse", lambda *_: 1 / 0)
    app = create_health_app(service)

    async def raising(scope: Scope, receive: Receive, send: Send) -> None:
        with pytest.raises(ZeroDivisionError):
            await app(scope, receive, send)

    answer = asyncio.run(call(raising, "/livez", method="GET"))
    assert (answer.status, answer.json) == (500, {"error": "the webhook failed; its log has the details"})


def test_a_server_that_is_not_ready_or_has_too_many_calls_says_so(app: ASGIApp, service: Service, judge: Judge) -> None:
    service.readiness.hold("cluster", "reading nodes")
    answer = asyncio.run(call(app, "/mutate", b"{}"))
    assert (answer.status, answer.json) == (503, {"error": "not ready: cluster: reading nodes"})
    service.readiness.release("cluster")
    service.in_flight = service.settings.concurrency
    answer = asyncio.run(call(app, "/mutate", b"{}"))
    assert (answer.status, answer.json) == (503, {"error": "4 calls are being answered already"})
    assert (answer.headers["retry-after"], judge.seen) == ("1", [])
