"""Answers to requests that write definitions, the server's and ours, brought into one comparable form."""

from __future__ import annotations

import http.client
import json
import re
import ssl
from collections.abc import Sequence
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from tests.programs.control_plane.plane import ControlPlane
from weighbridge.policies.apiserver.acceptance import KIND, decode_definition, validate_definition
from weighbridge.policies.apiserver.refusal import Refusal
from weighbridge.policies.apiserver.warnings import headers
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import FieldValidation, JSONObject, JSONValue, Operation, Path, metadata_of
from weighbridge.policies.ground.request import Request

DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
#: Fields that only the server knows.
_UNKNOWABLE = ("uid", "creationTimestamp", "resourceVersion", "managedFields", "selfLink")

Comparable: TypeAlias = dict[str, Any]


class Client:
    """A client of the real server that sends bodies as kubectl does, over one connection."""

    def __init__(self, plane: ControlPlane) -> None:
        self._token = plane.admin_token
        address = urlsplit(plane.server)
        context = ssl.create_default_context(cafile=str(plane.ca_file))
        self._connection = http.client.HTTPSConnection(address.hostname or "", address.port, context=context, timeout=60)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def send(self, method: str, path: str, body: JSONValue = ..., *, text: str = "") -> tuple[int, JSONObject, list[str]]:
        """Status, body and warnings of the answer; `text` is sent as it is."""
        data = None if body is ... and not text else (text or json_text(body)).encode(errors="replace")
        own = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        self._connection.request(method, path, data, own)
        answer = self._connection.getresponse()
        content = answer.read()
        return answer.status, json.loads(content), _warnings(answer.headers.get_all("Warning"))

    def create(self, body: JSONValue, validation: FieldValidation = FieldValidation.STRICT, *, text: str = "") -> Comparable:
        """The answer to a creation as a dry run."""
        return _theirs(self.send("POST", f"{DEFINITIONS}?dryRun=All&fieldValidation={validation}", body, text=text))

    def try_to_create(self, body: JSONValue, validation: FieldValidation) -> Comparable | None:
        """The same; `None` if the server panics, as it does at some definitions, and closes the connection."""
        try:
            return self.create(body, validation)
        except http.client.RemoteDisconnected:
            self.close()
            return None


def put(client: Client, name: str, body: JSONObject, subresource: str = "") -> Comparable:
    """The server's answer to an update as a dry run."""
    path = f"{DEFINITIONS}/{name}{subresource and '/'}{subresource}"
    return _theirs(client.send("PUT", f"{path}?dryRun=All&fieldValidation=Strict", body))


def _warnings(texts: list[str] | None) -> list[str]:
    return [re.sub(r"\\(.)", r"\1", text.removeprefix('299 - "')[:-1]) for text in texts or []]


def _theirs(answer: tuple[int, JSONObject, list[str]]) -> Comparable:
    code, body, warnings = answer
    if code < 300:
        return comparable(code, "", [], warnings, body)
    return comparable(code, body["message"], (body.get("details") or {}).get("causes") or [], warnings, None)


def our_create(body: JSONValue, validation: FieldValidation = FieldValidation.STRICT, duplicates: Sequence[Path] = ()) -> Comparable:
    """Our answer to the same creation."""
    return _ours(_request(body, None, validation), duplicates)


def our_update(body: JSONObject, old: JSONObject, subresource: str = "") -> Comparable:
    """Our answer to the same update."""
    return _ours(_request(body, old, FieldValidation.STRICT, subresource), ())


def _request(body: JSONValue, old: JSONValue, validation: FieldValidation, subresource: str = "") -> Request:
    operation = Operation.CREATE if old is None else Operation.UPDATE
    name = "" if old is None else metadata_of(old)["name"]
    return Request(
        uid="1", operation=operation, gvk=KIND, object=body, old_object=old, name=name, dry_run=True, field_validation=validation,
        subresource=subresource,
    )  # fmt: skip


def _ours(request: Request, duplicates: Sequence[Path]) -> Comparable:
    decoded = decode_definition(request, duplicates=duplicates)
    if decoded.refusal is not None:
        return _refused(decoded.refusal, decoded.warnings)
    validated = validate_definition(request, decoded.object)
    warnings = headers(decoded.warnings + validated.warnings)
    if validated.refusal is not None:
        return _refused(validated.refusal, warnings)
    return comparable(201 if request.operation is Operation.CREATE else 200, "", [], warnings, validated.object)


def _refused(refusal: Refusal, warnings: list[str]) -> Comparable:
    return comparable(refusal.code, refusal.message, list(refusal.causes), warnings, None)


def comparable(code: int, message: str, causes: list[JSONObject], warnings: list[str], obj: JSONValue) -> Comparable:
    """An answer without what can't be equal: fields that only the server knows, generated names, the order of errors among siblings."""
    stored = None
    if isinstance(obj, dict):
        stored = obj | {"metadata": {key: value for key, value in metadata_of(obj).items() if key not in _UNKNOWABLE}}
    return {
        "code": code,
        "message": _settled(message) if len(causes) < 2 else message.partition(" is invalid: ")[0],
        "causes": sorted((cause.get("reason", ""), cause["field"], _settled(cause["message"])) for cause in causes),
        "warnings": sorted(warnings),
        "object": stored,
    }


def _settled(text: str) -> str:
    """A text without the number that the server puts into the names of types."""
    return re.sub(r"selfType\d+", "selfType", text)
