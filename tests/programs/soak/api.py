"""A cheap client of kube-apiserver: HTTP/1.1 on kept connections in one event loop, one request at a time on each."""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httptools
import orjson

from weighbridge.policies.ground.objects import JSONObject

JSON: Final = "application/json"
MERGE_PATCH: Final = "application/merge-patch+json"
APPLY_PATCH: Final = "application/apply-patch+yaml"
#: Seconds; longer than the API server and its webhooks may take for one request.
_ANSWER_SECONDS: Final = 30.0
#: A connection that has been idle for longer isn't used again: the API server may be about to close it.
_IDLE_SECONDS: Final = 20.0


class LostError(Exception):
    """A request without an answer; the text says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request."""

    status: int
    body: bytes
    warnings: tuple[str, ...] = ()

    @property
    def json(self) -> Any:
        """The body as JSON; an empty object if it isn't JSON."""
        try:
            return orjson.loads(self.body)
        except orjson.JSONDecodeError:
            return {}


class _Connection(asyncio.Protocol):
    """One connection; httptools calls the methods that begin with ``on_``."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.idle_since = 0.0
        self._parser = httptools.HttpResponseParser(self)
        self._waiting: asyncio.Future[Answer] | None = None
        self._parts: list[bytes] = []
        self._warnings: list[str] = []

    @property
    def usable(self) -> bool:
        """Whether another request can be sent."""
        return self.transport is not None and not self.transport.is_closing()

    def send(self, request: bytes) -> asyncio.Future[Answer]:
        """Send one request; its answer."""
        assert self.transport is not None
        self._waiting = asyncio.get_running_loop().create_future()
        self._parts, self._warnings = [], []
        self.transport.write(request)
        return self._waiting

    def close(self) -> None:
        """Close at once."""
        if self.transport is not None:
            self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(f"the API server closed the connection ({exc or 'end of file'})")

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            self._fail(f"the API server's answer isn't HTTP ({error})")
            self.close()

    def on_header(self, name: bytes, value: bytes) -> None:
        if name.lower() == b"warning":
            self._warnings.append(value.decode())

    def on_body(self, body: bytes) -> None:
        self._parts.append(body)

    def on_message_complete(self) -> None:
        waiting, self._waiting = self._waiting, None
        if not self._parser.should_keep_alive():
            self.close()
        if waiting is not None and not waiting.done():
            waiting.set_result(Answer(self._parser.get_status_code(), b"".join(self._parts), tuple(self._warnings)))

    def _fail(self, why: str) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None and not waiting.done():
            waiting.set_exception(LostError(why))


class APIClient:
    """Requests to one API server in the name of one user."""

    def __init__(self, server: str, ca_file: Path, token: str) -> None:
        parts = urlsplit(server)
        assert parts.hostname is not None
        assert parts.port is not None
        self._host, self._port = parts.hostname, parts.port
        self._trust = ssl.create_default_context(cafile=ca_file)
        self._trust.set_alpn_protocols(["http/1.1"])
        self._head = f"Host: {parts.netloc}\r\nAuthorization: Bearer {token}\r\nAccept: application/json\r\n"
        self._idle: list[_Connection] = []

    async def call(self, method: str, path: str, body: bytes = b"", content_type: str = JSON) -> Answer:
        """One request. Raises LostError if no answer comes."""
        head = f"{method} {path} HTTP/1.1\r\n{self._head}Content-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                connection = await self._connection()
                try:
                    answer = await connection.send(head.encode() + body)
                except BaseException:
                    connection.close()
                    raise
        except TimeoutError:
            raise LostError(f"the API server gave no answer within {_ANSWER_SECONDS:.0f} s") from None
        except OSError as error:
            raise LostError(f"the API server can't be reached ({error.strerror})") from error
        connection.idle_since = asyncio.get_running_loop().time()
        if connection.usable:
            self._idle.append(connection)
        return answer

    async def apply(self, path: str, obj: JSONObject) -> JSONObject:
        """Apply one object with server-side apply; `path` is its path. Raises AssertionError if the server refuses it."""
        answer = await self.call("PATCH", f"{path}?fieldManager=soak&force=true", orjson.dumps(obj), APPLY_PATCH)
        assert answer.status in {200, 201}, f"{path}: {answer.status} {answer.body!r}"
        applied: JSONObject = answer.json
        return applied

    def close(self) -> None:
        """Close the idle connections."""
        for connection in self._idle:
            connection.close()
        self._idle.clear()

    async def _connection(self) -> _Connection:
        oldest = asyncio.get_running_loop().time() - _IDLE_SECONDS
        while self._idle:
            connection = self._idle.pop()
            if connection.usable and connection.idle_since > oldest:
                return connection
            connection.close()
        loop = asyncio.get_running_loop()
        _, made = await loop.create_connection(_Connection, self._host, self._port, ssl=self._trust)
        return made
