"""Calls an ASGI application in process, with full control over how the body arrives."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Message

JSON_HEADERS = {"content-type": "application/json"}


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of the application."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


async def _whole(body: bytes) -> AsyncIterator[bytes]:
    yield body


async def pieces(parts: Iterable[bytes], *, then: asyncio.Event | None = None) -> AsyncIterator[bytes]:
    """A body in parts; with `then` it ends only once that is set."""
    for part in parts:
        yield part
    if then is not None:
        await then.wait()


async def call(
    app: ASGIApp,
    path: str,
    body: bytes | AsyncIterator[bytes] = b"",
    *,
    method: str = "POST",
    headers: dict[str, str] = JSON_HEADERS,
    query: str = "timeout=3s",
    hang_up: bool = False,
) -> Answer:
    """Sends one request. With `hang_up` the client disconnects where the body would end."""
    parts = _whole(body) if isinstance(body, bytes) else body
    sent: list[Message] = []
    ended = False

    async def receive() -> Message:
        nonlocal ended
        if ended:
            return {"type": "http.disconnect"}
        try:
            return {"type": "http.request", "body": await anext(parts), "more_body": True}
        except StopAsyncIteration:
            ended = True
            return {"type": "http.disconnect"} if hang_up else {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "https",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers.items()],
        "server": ("weighbridge.weighbridge-system.svc", 443),
        "client": ("10.0.0.1", 40000),
    }
    await app(scope, receive, send)
    start = sent[0]
    return Answer(
        status=start["status"],
        headers={name.decode(): value.decode() for name, value in start["headers"]},
        body=b"".join(message.get("body", b"") for message in sent[1:]),
    )


def post(app: ASGIApp, path: str, body: bytes, **options: Any) -> Answer:
    """One call in a separate event loop."""
    return asyncio.run(call(app, path, body, **options))
