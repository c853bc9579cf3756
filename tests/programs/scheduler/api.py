"""kube-apiserver for those who ask much of it: calls from several threads, and a watch on pods.

Neither kubectl (a process a call) nor the Python client (which models every object) would do for pods by the thousand.
"""

from __future__ import annotations

import contextlib
import http.client
import queue
import socket
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar

import orjson

from tests.programs.control_plane.kept import KeptConnections
from tests.programs.control_plane.plane import ControlPlane

T = TypeVar("T")
R = TypeVar("R")

#: More than the cores, as each call spends most of its time in kube-apiserver and etcd.
THREADS = 6
MERGE_PATCH = "application/merge-patch+json"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server answered: the status code and the object, a Status where it refused."""

    code: int
    object: dict[str, Any]

    @property
    def ok(self) -> bool:
        """Whether the call did what was asked."""
        return self.code < 300

    @property
    def message(self) -> str:
        """The text of a refusal."""
        return str(self.object.get("message", ""))


class CallError(Exception):
    """The server refused what it should have taken."""


class Api(KeptConnections):
    """The admin's calls to the API server of a control plane."""

    def __init__(self, plane: ControlPlane) -> None:
        super().__init__(plane)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="api")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._threads.shutdown()
        super().__exit__(kind, error, trace)

    def call(self, method: str, path: str, body: object = None, *, content_type: str = "application/json") -> Answer:
        """One call, answered whatever the status code."""
        answer = self.ask(method, path, None if body is None else orjson.dumps(body), {"Content-Type": content_type})
        content = answer.body
        return Answer(answer.code, orjson.loads(content) if content[:1] == b"{" else {"message": content.decode(errors="replace")})

    def must(self, method: str, path: str, body: object = None, *, content_type: str = "application/json") -> dict[str, Any]:
        """One call that has to succeed. Raises CallError with the server's text when it doesn't."""
        answer = self.call(method, path, body, content_type=content_type)
        if not answer.ok:
            raise CallError(f"{method} {path}: {answer.code} {answer.message}")
        return answer.object

    def each(self, function: Callable[[T], R], items: Iterable[T]) -> list[R]:
        """The function's results for the items, in their order, several at once. Raises what the first one to fail raised."""
        return list(self._threads.map(function, items))

    def stream(self, path: str) -> tuple[http.client.HTTPSConnection, http.client.HTTPResponse]:
        """An answer that goes on; its connection is the caller's to close."""
        connection = self.opened(timeout=None)
        connection.request("GET", path, headers=self.headers)
        response = connection.getresponse()
        if response.status != http.HTTPStatus.OK:
            raise CallError(f"GET {path}: {response.status} {response.read().decode(errors='replace')}")
        return connection, response


class PodWatch:
    """Every change of a pod in the cluster from entering on, in a queue; None when watching failed for good."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self.changes: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pod-watch", daemon=True)

    def __enter__(self) -> Self:
        self._version = self._api.must("GET", "/api/v1/pods?limit=1")["metadata"]["resourceVersion"]
        self._open()
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._leaving.set()
        # To close it while another thread reads would wait for that thread, or worse; this ends its reading.
        while self._thread.is_alive():
            sock: socket.socket | None = self._connection.sock
            if sock is not None:
                with contextlib.suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)
            # Once may not do: the thread may just have been opening the next connection.
            self._thread.join(0.2)
        self._connection.close()

    def _open(self) -> None:
        path = f"/api/v1/pods?watch=1&resourceVersion={self._version}&timeoutSeconds=36000"
        self._connection, self._response = self._api.stream(path)

    def _run(self) -> None:
        try:
            self._read()
            # The server ends the watch of a reader that was slow for a moment; what it missed comes with the next one.
            while not self._leaving.is_set():
                self._connection.close()
                self._open()
                self._read()
        finally:
            self.changes.put(None)

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError, http.client.HTTPException):
            while line := self._response.readline():
                change = orjson.loads(line)
                if change["type"] == "ERROR":
                    raise CallError(f"watch on pods: {change['object'].get('message')}")
                self._version = change["object"]["metadata"]["resourceVersion"]
                self.changes.put(change)
