"""A client of the real server, and a comparable form of its answers and ours."""

from __future__ import annotations

import http.client
import re
import ssl
from typing import Any, Final
from urllib.parse import urlsplit

from tests.apiserver.probe import Answer
from tests.programs.control_plane.plane import ControlPlane
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue, metadata_of
from weighbridge.webhook.texts.json_text import loads

GROUP: Final = "/apis/weighbridge.test/v1"
PROBES: Final = f"{GROUP}/namespaces/default/probes"
#: Fields that only the server knows, and the name that it draws.
UNKNOWABLE: Final = ("uid", "creationTimestamp", "resourceVersion", "managedFields")


class Server:
    """A client of the real server that sends bodies as kubectl does, over one connection."""

    def __init__(self, plane: ControlPlane) -> None:
        self._token = plane.admin_token
        context = ssl.create_default_context(cafile=str(plane.ca_file))
        self._connection = http.client.HTTPSConnection(urlsplit(plane.server).netloc, context=context, timeout=30)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def send(self, method: str, path: str, body: JSONValue = None) -> tuple[int, JSONObject, list[str]]:
        """Status, body and warnings of the answer."""
        return self.send_text(method, path, None if method in {"GET", "DELETE"} else json_text(body).encode())

    def send_text(self, method: str, path: str, text: bytes | None) -> tuple[int, JSONObject, list[str]]:
        """The same with any text as the body."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        self._connection.request(method, path, text, headers)
        answer = self._connection.getresponse()
        return answer.status, loads(answer.read()), _warnings(answer.headers.get_all("Warning"))


def _warnings(headers: list[str] | None) -> list[str]:
    texts = (header.encode("latin-1").decode() for header in headers or [])
    return [re.sub(r"\\(.)", r"\1", text.removeprefix('299 - "')[:-1]) for text in texts]


def comparable(code: int, message: str, causes: list[JSONObject], warnings: list[str], obj: JSONValue) -> dict[str, Any]:
    """An answer without what can't be equal: fields that only the server knows, and the order of errors among siblings."""
    stored = None
    if code < 300 and isinstance(obj, dict):
        metadata = {key: value for key, value in metadata_of(obj).items() if key not in UNKNOWABLE}
        if "generateName" in metadata:
            del metadata["name"]
        stored = obj | {"metadata": metadata}
    return {
        "code": code,
        "message": message if len(causes) < 2 else (message.partition(" is invalid: ")[0], len(message)),
        "causes": sorted((cause.get("reason", ""), cause["field"], cause["message"]) for cause in causes),
        "warnings": warnings,
        "object": stored,
    }


def theirs(answer: tuple[int, JSONObject, list[str]]) -> dict[str, Any]:
    code, body, warnings = answer
    if code < 300:
        return comparable(code, "", [], warnings, body)
    return comparable(code, body["message"], (body.get("details") or {}).get("causes") or [], warnings, None)


def ours(answer: Answer) -> dict[str, Any]:
    obj = answer.object
    if isinstance(obj, dict) and "generateName" in obj["metadata"]:
        obj = obj | {"metadata": {"name": "drawn", **obj["metadata"]}}
    return comparable(answer.code, answer.message, list(answer.causes), answer.warnings, obj)
