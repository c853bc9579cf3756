"""Writes the head of an answer together with the beginning of its body: over TLS, two writes cost two records and two system calls."""

from __future__ import annotations

import asyncio
from typing import Final

_INTERIM: Final = b"HTTP/1.1 100 "


class OneWrite:
    """The transport of a connection, for one answer. A head without a body after it has to be written to the transport itself."""

    __slots__ = ("_head", "_is_begun", "_transport")

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._head = b""
        self._is_begun = False

    def write(self, data: bytes) -> None:
        """Keep the head until the body begins; write everything else."""
        if self._is_begun:
            self._transport.write(self._head + data)
            self._head = b""
        elif data.startswith(_INTERIM):
            # The client sends its body after this.
            self._transport.write(data)
        else:
            self._head, self._is_begun = data, True

    def is_closing(self) -> bool:
        """Whether the connection is closing or closed."""
        return self._transport.is_closing()

    def close(self) -> None:
        """Close the connection once everything is written, also a head that is still kept."""
        if self._head:
            self.write(b"")
        self._transport.close()
