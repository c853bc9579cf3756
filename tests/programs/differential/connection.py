"""Requests to the real kube-apiserver, and its replies."""

from __future__ import annotations

from dataclasses import dataclass

from tests.programs.control_plane.kept import KeptConnections
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.server_release import RELEASES, ServerRelease, nearest
from weighbridge.webhook.texts.json_text import loads


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of the server."""

    code: int
    body: JSONValue
    warnings: list[str]


class Connections(KeptConnections):
    """Sends manifests and values; may be used from many threads. Leaving it closes its connections."""

    def send(self, method: str, path: str, body: str | None = None, *, is_yaml: bool = False) -> Reply:
        """One request; the body is JSON or YAML text."""
        # A patch is a server-side apply; its JSON is valid YAML.
        kind = "application/apply-patch+yaml" if method == "PATCH" else "application/yaml" if is_yaml else "application/json"
        data = None if body is None else body.encode("utf-8", errors="surrogatepass")
        answer = self.ask(method, path, data, {} if data is None else {"Content-Type": kind})
        text = answer.body
        return Reply(answer.code, loads(text) if text.startswith(b"{") else text.decode(errors="replace"), answer.warnings)

    def release(self) -> ServerRelease:
        """The server's release. Raises LookupError if it isn't a modelled one."""
        version = self.send("GET", "/version").body
        found = nearest(version["gitVersion"])
        if found is None or not version["gitVersion"].startswith(f"v{found.name}."):
            raise LookupError(f"the server is {version['gitVersion']}; modelled are {', '.join(known.name for known in RELEASES)}")
        return found

    def send_value(self, method: str, path: str, value: JSONValue) -> Reply:
        """One request whose body is a plain value."""
        return self.send(method, path, json_text(value))
