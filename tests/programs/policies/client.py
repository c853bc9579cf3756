"""A client of kube-apiserver whose requests can be found in the audit log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.programs.control_plane.kept import KeptConnections
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
    """The answer of the server."""

    code: int
    body: JSONObject
    warnings: list[str]


class Client(KeptConnections):
    """Sends requests as the admin."""

    def send(self, method: str, path: str, value: JSONValue = None, audit: str = "") -> Answer:
        """One request; `audit` is its id in the audit log."""
        headers = {"Content-Type": "application/json"} | ({"Audit-ID": audit} if audit else {})
        answer = self.ask(method, path, None if value is None else json_text(value).encode(), headers)
        text = answer.body
        return Answer(answer.code, loads(text) if text.startswith(b"{") else {"message": text.decode(errors="replace")}, answer.warnings)

    def must(self, method: str, path: str, value: JSONValue = None) -> JSONObject:
        """The body of the answer. Raises RuntimeError if the server refuses the request."""
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


#: The other entries of the log.
_OTHERS: Final = ("authorization.k8s.io/", "authentication.k8s.io/", "apiserver.latency", "k8s.io/", "pod-security", "mutation.webhook")
