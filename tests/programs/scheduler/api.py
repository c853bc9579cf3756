"""A client of kube-apiserver for many requests: calls from several threads, and a watch on pods.

For thousands of pods both kubectl (a process for each call) and the Python client (which models every object) are too slow.
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

#: More threads than cores, since each call spends most of its time in kube-apiserver and etcd.
THREADS = 6
MERGE_PATCH = "application/merge-patch+json"


@dataclass(frozen=True, slots=True)
class Answer:
    """The server's answer: the status code and the object, which is a Status if the server refused."""

    code: int
    object: dict[str, Any]

    @property
    def ok(self) -> bool:
        """Whether the call succeeded."""
        return self.code < 300

    @property
    def message(self) -> str:
        """The text of a refusal."""
        return str(self.object.get("message", ""))


class CallError(Exception):
    """The server refused a call that had to succeed."""


class Api(KeptConnections):
    """The admin's calls to the API server of a control plane."""

    def __init__(self, plane: ControlPlane) -> None:
        super().__init__(plane)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="api")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._threads.shutdown()
        super().__exit__(kind, error, trace)

    def call(self, method: str, path: str, body: object = None, *, content_type: str = "application/json") -> Answer:
        """The answer to one call, with any status code."""
        answer = self.ask(method, path, None if body is None else orjson.dumps(body), {"Content-Type": content_type})
        content = answer.body
        return Answer(answer.code, orjson.loads(content) if content[:1] == b"{" else {"message": content.decode(errors="replace")})

    def must(self, method: str, path: str, body: object = None, *, content_type: str = "application/json") -> dict[str, Any]:
        """One call that has to succeed. Raises CallError with the server's text if it doesn't."""
        answer = self.call(method, path, body, content_type=content_type)
        if not answer.ok:
            raise CallError(f"{method} {path}: {answer.code} {answer.message}")
        return answer.object

    def each(self, function: Callable[[T], R], items: Iterable[T]) -> list[R]:
        """The function's results for the items, in their order, several at once. Raises the exception of the first one that fails."""
        return list(self._threads.map(function, items))

    def stream(self, path: str) -> tuple[http.client.HTTPSConnection, http.client.HTTPResponse]:
        """An answer without an end; the caller closes its connection."""
        connection = self.opened(timeout=None)
        connection.request("GET", path, headers=self.headers)
        response = connection.getresponse()
        if response.status != http.HTTPStatus.OK:
            raise CallError(f"GET {path}: {response.status} {response.read().decode(errors='replace')}")
        return connection, response


class PodWatch:
    """A queue with every change of a pod in the cluster from entering on; None if the watch has failed for good."""

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
        # Closing the connection would wait for the thread that reads from it; a shutdown ends the reading.
        while self._thread.is_alive():
            sock: socket.socket | None = self._connection.sock
            if sock is not None:
                with contextlib.suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)
            # One shutdown may not be enough, since the thread may just be opening the next connection.
            self._thread.join(0.2)
        self._connection.close()

    def _open(self) -> None:
        path = f"/api/v1/pods?watch=1&resourceVersion={self._version}&timeoutSeconds=36000"
        self._connection, self._response = self._api.stream(path)

    def _run(self) -> None:
        try:
            self._read()
            # The server ends the watch of a slow reader; the next watch delivers the missed changes.
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
