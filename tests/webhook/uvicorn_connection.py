"""A connection of uvicorn without a socket, which records the bytes that are written and the callbacks that are called."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

HEAD: Final = b"POST /validate?timeout=3s HTTP/1.1\r\nHost: weighbridge\r\n"
CALL: Final = HEAD + b"Content-Length: 2\r\n\r\n{}"
ANSWER: Final = b"HTTP/1.1 204 No Content\r\n\r\n"


class Transport(asyncio.Transport):
    """Keeps the bytes that are written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closed = False
        self.reading = True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += bytes(data)

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True


class Recording(HttpToolsProtocol):
    """Keeps which of its callbacks were called, in order."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.seen: list[str] = []

    def on_message_begin(self) -> None:
        self.seen.append("message begins")
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self.seen.append(f"head of {self.url.decode()} with {len(self.headers)}")
        if self.url == b"/refused":
            raise ValueError
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.seen.append("message ends")
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self.seen.append("answered")
        super().on_response_complete()


async def reads_and_answers(_: Scope, receive: Receive, send: Send) -> None:
    """An application that reads the body and answers."""
    while (await receive())["more_body"]:
        pass
    await answers(_, receive, send)


async def answers(_: Scope, __: Receive, send: Send) -> None:
    """An application that answers without reading the body."""
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def never_answers(_: Scope, __: Receive, ___: Send) -> None:
    """An application that is busy for ever."""
    await asyncio.Event().wait()


def configured(app: Any, **changes: Any) -> uvicorn.Config:
    """Settings like the server's own."""
    settings = {"http": HttpToolsProtocol, "ws": "none", "lifespan": "off", "log_config": None, "access_log": False, "date_header": False}
    return uvicorn.Config(app, **{**settings, "server_header": False, "timeout_keep_alive": 120, **changes})


def connected(app: Any = reads_and_answers, **changes: Any) -> tuple[Recording, Transport]:
    """A connection that was just made."""
    made, transport = Recording(configured(app, **changes), ServerState(), {}, asyncio.get_running_loop()), Transport()
    made.connection_made(transport)
    return made, transport


def run_bounded(test: Callable[[], Awaitable[None]]) -> None:
    """Runs a test in a new event loop, with a time limit; tasks that are left are cancelled."""

    async def bounded() -> None:
        async with asyncio.timeout(20):
            await test()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    asyncio.run(bounded())


async def settled() -> None:
    """Lets every task run as far as it can."""
    for _ in range(10):
        await asyncio.sleep(0)
