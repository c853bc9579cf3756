"""HTTP/1.1 as uvicorn speaks it, with limits on a request's head; the application bounds the body, but never sees a head that doesn't end.

Without them one client that reaches the port could fill the memory with a header, or hold connections open for ever.
"""

from __future__ import annotations

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES: Final = 64 * 1024
HEAD_SECONDS: Final = 10.0


class BoundedProtocol(HttpToolsProtocol):
    """One connection."""

    _in_head = True
    _head_size = 0
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # NB: a client that connects may send nothing yet: Go opens connections that another call then doesn't need, and keeps them.
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        was_in_head = self._in_head
        super().data_received(data)
        if self._in_head and was_in_head:
            self._head_size += len(data)
            self._bound_head()

    def on_headers_complete(self) -> None:
        self._in_head, self._head_size = False, 0
        self._stop_timer()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._in_head = True
        super().on_message_complete()

    def _bound_head(self) -> None:
        if self.transport.is_closing():
            return
        if self._head_size > HEAD_BYTES:
            self.send_400_response(f"The request's head has more than {HEAD_BYTES} bytes.")
        elif self._head_timer is None:
            self._head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
