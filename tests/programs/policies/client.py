"""A client of kube-apiserver whose requests can be found in the audit log."""

from __future__ import annotations

import http.client
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import urlsplit

from tests.programs.control_plane.plane import ControlPlane
from tests.programs.differential.connection import _unquoted
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.webhook.texts.json_text import loads

AUDIT_POLICY: Final = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "omitStages": ["RequestReceived"],
    "rules": [{"level": "Metadata"}],
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server said."""

    code: int
    body: JSONObject
    warnings: list[str]


class Client:
    """Sends requests as the admin over one connection."""

    def __init__(self, plane: ControlPlane) -> None:
        self._token = plane.admin_token
        context = ssl.create_default_context(cafile=str(plane.ca_file))
        self._connection = http.client.HTTPSConnection(urlsplit(plane.server).netloc, context=context, timeout=60)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def send(self, method: str, path: str, value: JSONValue = None, audit: str = "") -> Answer:
        """One request; `audit` is its id in the audit log."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"} | ({"Audit-ID": audit} if audit else {})
        self._connection.request(method, path, None if value is None else json_text(value).encode(), headers)
        answer = self._connection.getresponse()
        text = answer.read()
        body = loads(text) if text.startswith(b"{") else {"message": text.decode(errors="replace")}
        return Answer(answer.status, body, list(map(_unquoted, answer.headers.get_all("Warning") or [])))

    def must(self, method: str, path: str, value: JSONValue = None) -> JSONObject:
        """The body of an answer that must be good. Raises RuntimeError."""
        answer = self.send(method, path, value)
        if answer.code >= 300:
            raise RuntimeError(f"{method} {path}: {answer.code} {answer.body.get('message')}")
        return answer.body


def audit_flags(folder: Path) -> list[str]:
    """The flags of kube-apiserver for an audit log in a folder."""
    policy = folder / "audit-policy.json"
    policy.write_text(json.dumps(AUDIT_POLICY), encoding="utf-8")
    return [f"--audit-policy-file={policy}", f"--audit-log-path={audit_log(folder)}", "--audit-log-mode=blocking"]


def audit_log(folder: Path) -> Path:
    """The audit log in a folder."""
    return folder / "audit.log"


def audited(folder: Path) -> Mapping[str, dict[str, str]]:
    """The annotations of policies in the audit log, by the ids of the requests."""
    found: dict[str, dict[str, str]] = {}
    for line in audit_log(folder).read_text(encoding="utf-8").splitlines():
        event: dict[str, Any] = json.loads(line)
        notes = {key: text for key, text in (event.get("annotations") or {}).items() if not key.startswith(_OTHERS)}
        found[event["auditID"]] = notes
    return found


#: What else there is in the log.
_OTHERS: Final = ("authorization.k8s.io/", "authentication.k8s.io/", "apiserver.latency", "k8s.io/", "pod-security", "mutation.webhook")
