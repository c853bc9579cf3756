"""Connections to kube-apiserver that stay open from one request to the next."""

from __future__ import annotations

import http.client
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from queue import Empty, LifoQueue
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

from tests.programs.control_plane.plane import ControlPlane

TIMEOUT_SECONDS: Final = 120
_WARNING: Final = re.compile(r'299 - "((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server sent back: the status code, the body and the texts of its Warning headers."""

    code: int
    body: bytes
    warnings: list[str]


class KeptConnections:
    """Sends requests as the admin; may be used from many threads. Leaving it closes its connections."""

    def __init__(self, plane: ControlPlane) -> None:
        self._address = urlsplit(plane.server).netloc
        self._context = ssl.create_default_context(cafile=str(plane.ca_file))
        self.headers = {"Authorization": f"Bearer {plane.admin_token}", "Accept": "application/json"}
        self._idle: LifoQueue[http.client.HTTPSConnection] = LifoQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        while not self._idle.empty():
            self._idle.get_nowait().close()

    def ask(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Reply:
        """The reply to one request, with any status code. Raises OSError and HTTPException if the server doesn't answer."""
        headers = self.headers | dict(headers)
        try:
            return self._ask(self._open(), method, path, body, headers)
        except (http.client.HTTPException, OSError):
            # The server closes a connection after some refusals, and one that was idle too long.
            return self._ask(self.opened(), method, path, body, headers)

    def opened(self, timeout: float | None = TIMEOUT_SECONDS) -> http.client.HTTPSConnection:
        """A new connection, which the caller closes."""
        return http.client.HTTPSConnection(self._address, context=self._context, timeout=timeout)

    def _open(self) -> http.client.HTTPSConnection:
        try:
            return self._idle.get_nowait()
        except Empty:
            return self.opened()

    def _ask(
        self, connection: http.client.HTTPSConnection, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Reply:
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
        except BaseException:
            connection.close()
            raise
        self._idle.put(connection)
        return Reply(answer.status, content, [_unquoted(header) for header in answer.headers.get_all("Warning") or []])


def _unquoted(header: str) -> str:
    """The text of a warning header, which http.client decodes as Latin-1."""
    text = header.encode("latin-1", errors="replace").decode("utf-8", errors="replace")
    found = _WARNING.fullmatch(text)
    return re.sub(r"\\(.)", r"\1", found[1]) if found else text
