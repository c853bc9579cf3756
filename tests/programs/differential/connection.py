"""Connections to the real kube-apiserver that stay open from one request to the next."""

from __future__ import annotations

import http.client
import re
import ssl
from dataclasses import dataclass
from queue import Empty, LifoQueue
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

from tests.programs.control_plane.plane import ControlPlane
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.server_release import RELEASES, ServerRelease, nearest
from weighbridge.webhook.texts.json_text import loads

TIMEOUT_SECONDS: Final = 120
_WARNING: Final = re.compile(r'299 - "((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server sent back."""

    code: int
    body: JSONValue
    warnings: list[str]


class Connections:
    """Sends requests as the admin; may be used from many threads. Leaving it closes what it has opened."""

    def __init__(self, plane: ControlPlane) -> None:
        self._address = urlsplit(plane.server).netloc
        self._context = ssl.create_default_context(cafile=str(plane.ca_file))
        self._headers = {"Authorization": f"Bearer {plane.admin_token}", "Accept": "application/json"}
        self._idle: LifoQueue[http.client.HTTPSConnection] = LifoQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        while not self._idle.empty():
            self._idle.get_nowait().close()

    def send(self, method: str, path: str, body: str | None = None, *, is_yaml: bool = False) -> Reply:
        """One request; the body is JSON or YAML text."""
        # A patch is an apply on the server's side; JSON is YAML too.
        kind = "application/apply-patch+yaml" if method == "PATCH" else "application/yaml" if is_yaml else "application/json"
        headers = self._headers if body is None else self._headers | {"Content-Type": kind}
        data = None if body is None else body.encode("utf-8", errors="surrogatepass")
        try:
            return self._ask(self._open(), method, path, data, headers)
        except (http.client.HTTPException, OSError):
            # The server closes a connection after some refusals, and one that was idle too long.
            return self._ask(self._new(), method, path, data, headers)

    def release(self) -> ServerRelease:
        """The server's release. Raises LookupError if it is none that is modelled."""
        version = self.send("GET", "/version").body
        found = nearest(version["gitVersion"])
        if found is None or not version["gitVersion"].startswith(f"v{found.name}."):
            raise LookupError(f"the server is {version['gitVersion']}; modelled are {', '.join(known.name for known in RELEASES)}")
        return found

    def send_value(self, method: str, path: str, value: JSONValue) -> Reply:
        """One request whose body is a plain value."""
        return self.send(method, path, json_text(value))

    def _open(self) -> http.client.HTTPSConnection:
        try:
            return self._idle.get_nowait()
        except Empty:
            return self._new()

    def _new(self) -> http.client.HTTPSConnection:
        return http.client.HTTPSConnection(self._address, context=self._context, timeout=TIMEOUT_SECONDS)

    def _ask(self, connection: http.client.HTTPSConnection, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> Reply:
        try:
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            text = answer.read()
        except BaseException:
            connection.close()
            raise
        self._idle.put(connection)
        warnings = [_unquoted(header) for header in answer.headers.get_all("Warning") or []]
        return Reply(answer.status, loads(text) if text.startswith(b"{") else text.decode(errors="replace"), warnings)


def _unquoted(header: str) -> str:
    """The text of a warning header, which http.client hands over as Latin-1."""
    text = header.encode("latin-1", errors="replace").decode("utf-8", errors="replace")
    found = _WARNING.fullmatch(text)
    return re.sub(r"\\(.)", r"\1", found[1]) if found else text
