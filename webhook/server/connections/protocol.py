"""uvicorn's HTTP/1.1, with limits on the parts that the application never sees: heads, trailers, idle connections, and unread bodies.

Without them, one client that reaches the port could fill the memory with a header, or hold connections open for ever. A connection is in
one of four states; this module limits each but the third:

- idle: no request has begun. It is kept for the keep-alive time, which outlasts the client's.
- head: a request has begun. Its head has to end within `HEAD_SECONDS`, `HEAD_BYTES` and `HEADERS`.
- call: the application has the request. The application bounds the body and the answer.
- rest: the call is answered, but its body has not ended. The rest has to end within `HEAD_SECONDS`.

Only a body may follow a head. In a chunked body, there are bytes around the chunks that the application doesn't see: between two parts of a
body there may be `HEAD_BYTES` of them. Trailers, which the parser would collect without end, are refused.

`tests/webhook/test_uvicorn_parts.py` lists and checks the undocumented parts of uvicorn that this module uses.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from weighbridge.webhook.server.connections.one_write import OneWrite
from weighbridge.webhook.server.connections.places import Places

HEAD_BYTES: Final = 64 * 1024
HEAD_SECONDS: Final = 10.0
#: The most lines of a head. Each takes many times its bytes in memory, and an API server sends a dozen.
HEADERS: Final = 128
#: The most requests that wait on one connection for the answer to the previous one. Go's clients send none before they have an answer.
PIPELINED: Final = 8
#: A key of the scope: the whole message has arrived, so the application can read it without waiting.
ARRIVED: Final = "weighbridge.arrived"
_GOODBYE_SECONDS: Final = 1.0
_TOO_LARGE: Final = f"The request's head has more than {HEAD_BYTES} bytes."


class RefusedError(Exception):
    """The request is larger than allowed; the text is the answer."""


class BoundedProtocol(HttpToolsProtocol):
    """One connection; `on_refused` is called for each request that is refused before it reaches the application."""

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        places: Places,
        on_refused: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.address = ""
        self._places = places
        self._on_refused = on_refused
        self._refusal = ""
        self._waits_since = 0.0
        self._end_handshake: Callable[[], object] | None = None
        self._is_in_head = False
        self._is_in_message = False
        self._has_called = False
        self._heads_begun = 0
        self._head_size = 0
        self._read_size = 0
        self._beside_size = 0
        self._has_brought_body = False
        self._arrival_timer: asyncio.TimerHandle | None = None

    # --- the connection ---

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place, and wait for a request."""
        super().connection_made(transport)
        if self._end_handshake is None:
            self._take_place(self.client[0] if self.client else "")
        self._end_handshake = None
        # NB: a client may connect without sending anything yet: Go keeps connections that it opened for a call and then didn't need.
        self._await_request()

    def begin_handshake(self, address: str, end: Callable[[], object]) -> None:
        """Take a place for a connection that is still in its handshake; `end` closes it if it has to give way."""
        self._end_handshake = end
        self._take_place(address)

    def handshake_failed(self) -> None:
        """Free the place after a failed handshake."""
        self._places.leave(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place, and everything that the connection keeps in memory."""
        self._places.leave(self)
        self._stop_arrival_timer()
        super().connection_lost(exc)
        # NB: after an error, uvicorn leaves its timer running, and the timer keeps the connection's buffers in memory.
        self._unset_keepalive_if_required()
        # NB: a request refers to its connection. A request that still waits would keep both in memory until garbage is collected.
        self.pipeline.clear()
        self.cycle = None  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        """Parse the data, and enforce the limits of heads and of what comes along with a body."""
        was_between, was_in_head = not self._is_in_message, self._is_in_head
        self._heads_begun, self._read_size, self._has_brought_body = 0, len(data), False
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._is_in_head:
            if was_in_head and not self._heads_begun:
                self._head_size += len(data)
            else:
                # If one read has the end of one message and the beginning of the next, it isn't known how much belongs to which.
                self._head_size = len(data) if was_between and self._heads_begun == 1 else 0
            self._bound_head()
        elif self._is_in_message:
            self._bound_beside(len(data))
        elif not self.is_calling:
            self._await_request()
        self._bound_arrival()

    # --- the events of the parser ---

    def on_message_begin(self) -> None:
        """Note that a head begins."""
        self._is_in_message = self._is_in_head = True
        self._heads_begun += 1
        self._waits_since = self.loop.time()
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header. Refuses trailers and too many headers."""
        if not self._is_in_head:
            raise self._refused("The request has trailers.")
        if len(self.headers) >= HEADERS:
            raise self._refused(f"The request's head has more than {HEADERS} headers.")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin the call. Refuses a head that is too large, and too many calls in a row."""
        self._stop_arrival_timer()
        if self._head_size + self._read_size > HEAD_BYTES and self._parsed_head_size() > HEAD_BYTES:
            raise self._refused(_TOO_LARGE)
        if len(self.pipeline) >= PIPELINED:
            raise self._refused(f"More than {PIPELINED} requests wait for an answer.")
        self._is_in_head, self._head_size, self._beside_size = False, 0, 0
        super().on_headers_complete()
        if self.scope["method"] != "HEAD":
            self.cycle.transport = OneWrite(self.transport)  # type: ignore[assignment]

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        self._has_brought_body = True
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Note in the scope that the whole body has arrived."""
        self._is_in_message = False
        self._stop_arrival_timer()
        super().on_message_complete()
        # The scope is that of the message which has just ended: the next one gets a scope of its own.
        self.scope[ARRIVED] = True  # type: ignore[typeddict-unknown-key]

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._has_called = True
        self._waits_since = self.loop.time()
        super().on_response_complete()
        self._bound_arrival()

    def send_400_response(self, msg: str) -> None:
        """Say why the request is refused, and close the connection soon after."""
        if self._on_refused is not None:
            self._on_refused()
        super().send_400_response(self._refusal or msg)
        # A closing connection still reads, over TLS as long as the client sends. So it is ended once there was enough time for the answer.
        self.loop.call_later(_GOODBYE_SECONDS, self.transport.abort)

    # --- bounds ---

    @property
    def is_calling(self) -> bool:
        """Whether the application has a request that isn't answered."""
        # NB: uvicorn declares the attribute `cycle`, but it is unset before the first request.
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    @property
    def waits(self) -> tuple[bool, float]:
        """Whether it is kept for a next call after an answered one, and since when it has been waiting."""
        return self._has_called and not self._is_in_head, self._waits_since

    def give_way(self) -> None:
        """End the connection at once. Over TLS, a mere close would let a client that doesn't answer keep the connection."""
        if self._end_handshake is not None:
            self._end_handshake()
        else:
            self.transport.abort()

    def _take_place(self, address: str) -> None:
        self.address, self._waits_since = address, self.loop.time()
        self._places.take(self)

    def _refused(self, why: str) -> RefusedError:
        self._refusal = why
        return RefusedError(why)

    @property
    def _is_head_too_large(self) -> bool:
        return self._is_in_head and max(self._head_size, self._parsed_head_size()) > HEAD_BYTES

    def _parsed_head_size(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + len(b": \r\n") for name, value in self.headers)

    def _await_request(self) -> None:
        if self.timeout_keep_alive_task is None:
            self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    def _bound_head(self) -> None:
        if self._is_head_too_large:
            self.send_400_response(_TOO_LARGE)

    def _bound_beside(self, size: int) -> None:
        """Limit the bytes after a head that aren't the body: chunk sizes with their extensions, and unfinished trailers."""
        self._beside_size = 0 if self._has_brought_body else self._beside_size + size
        if self._beside_size > HEAD_BYTES:
            self.send_400_response(f"The request has more than {HEAD_BYTES} bytes outside of its body.")

    def _bound_arrival(self) -> None:
        """Limit the time of the current state, unless the application does so."""
        is_bounded = self._is_in_message and not self.transport.is_closing() and (self._is_in_head or not self.is_calling)
        if is_bounded and self._arrival_timer is None:
            self._arrival_timer = self.loop.call_later(HEAD_SECONDS, self._end_arrival)

    def _end_arrival(self) -> None:
        self._arrival_timer = None
        if self.is_calling:
            # An earlier request is still being answered, and this one isn't read before that.
            self._bound_arrival()
        else:
            self.transport.close()

    def _stop_arrival_timer(self) -> None:
        if self._arrival_timer is not None:
            self._arrival_timer.cancel()
            self._arrival_timer = None
