"""A network between the webhook and the API server that can fail in the ways in which networks do.

If it is cut, it ends all connections and refuses new ones. If it swallows, it keeps connections open and loses all data, like a firewall
that has forgotten them. Those connections never work again; new ones work once the network is repaired.
"""

from __future__ import annotations

import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from types import TracebackType
from typing import Final, Self

#: The delay of each part of the data in a slow network, in seconds.
_LATE_SECONDS: Final = 0.5


class Condition(Enum):
    """The state of the network."""

    WHOLE = auto()
    CUT = auto()
    SWALLOWING = auto()
    SLOW = auto()


@dataclass(eq=False)
class _Link:
    """One connection through the network."""

    client: socket.socket
    server: socket.socket
    is_lost: threading.Event = field(default_factory=threading.Event)
    is_slow: threading.Event = field(default_factory=threading.Event)

    def end(self) -> None:
        """Close both sides of the connection."""
        for side in (self.client, self.server):
            with suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)

    def serve(self) -> None:
        """Pass everything on until both sides have ended."""
        with self.client, self.server:
            back = threading.Thread(target=self._pump, args=(self.server, self.client), daemon=True)
            back.start()
            self._pump(self.client, self.server)
            back.join()

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        """Pass data on until either side ends; everything on a lost connection, even its end, is dropped."""
        with suppress(OSError):
            while data := source.recv(65536):
                if self.is_slow.is_set():
                    time.sleep(_LATE_SECONDS)
                if not self.is_lost.is_set():
                    sink.sendall(data)
        if not self.is_lost.is_set():
            self.end()


class Network:
    """Passes connections on to a port of this machine."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._condition = Condition.WHOLE
        self._links: list[_Link] = []
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()
        for link in self._links:
            link.end()
        for thread in self._threads:
            thread.join()

    def become(self, condition: Condition) -> None:
        """Change the state of the network."""
        with self._lock:
            self._condition = condition
            for link in self._links:
                if condition is Condition.CUT:
                    link.end()
                elif condition is Condition.SWALLOWING:
                    link.is_lost.set()
                if condition is Condition.SLOW:
                    link.is_slow.set()
                else:
                    link.is_slow.clear()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                if self._condition is Condition.CUT:
                    client.close()
                    continue
                link = _Link(client, socket.create_connection(("127.0.0.1", self._target)))
                if self._condition is Condition.SWALLOWING:
                    link.is_lost.set()
                if self._condition is Condition.SLOW:
                    link.is_slow.set()
                self._links.append(link)
                self._threads.append(threading.Thread(target=link.serve, daemon=True))
            self._threads[-1].start()
