"""Refusals: the statuses with which the API server answers what it doesn't take.

Source: k8s.io/apimachinery/pkg/api/errors/errors.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Sequence

from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.ground.field_errors import FieldError, invalid_message
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import release


@dataclass(frozen=True, slots=True)
class Refusal:
    """The answer to a refused request: the HTTP status, the text, and ``details.causes``, which only a 422 has."""

    code: int
    message: str
    causes: Sequence[JSONObject] = ()


def bad_request(message: str) -> Refusal:
    """400: the body couldn't be taken for an object of this kind."""
    return Refusal(400, message)


def misplaced(namespace: str, requested: str) -> Refusal | None:
    """400: the namespace of the body isn't that of the URL; `None` where it is, or where the URL has none."""
    if not requested or namespace == requested:
        return None
    return bad_request("the namespace of the provided object does not match the namespace sent on the request")


def misnamed(name: str, requested: str) -> Refusal | None:
    """400: the name of the body isn't that of the URL, or there is none; `None` where all is well."""
    if not name:
        return bad_request(f"the name of the object ({requested} based on URL) was undeterminable: name must be provided")
    if requested and name != requested:
        return bad_request(f"the name of the object ({name}) does not match the name on the URL ({requested})")
    return None


def not_registered(what: str) -> str:
    """Why a body of a kind that the server's scheme doesn't have can't be read. The scheme is named by the line that made it."""
    return f'no kind {what} in scheme "pkg/runtime/scheme.go:{111 if release().has_moved_schemes else 110}"'


def not_found(definition: ResourceDefinition, name: str) -> Refusal:
    """404: no such object, or no such subresource."""
    return Refusal(404, f"{definition.resource} {quote(name)} not found")


def conflict(definition: ResourceDefinition, name: str, why: str) -> Refusal:
    """409: the stored object isn't the one that the request was made for."""
    return Refusal(409, f"Operation cannot be fulfilled on {definition.resource} {quote(name)}: {why}")


def unfit(found: str, version: str, wanted: str, why: str) -> Refusal:
    """400: the body is of a kind and version that couldn't be taken for the wanted kind."""
    return bad_request(f"{found} in version {quote(version)} cannot be handled as a {wanted}: {why}")


def internal_error(message: str) -> Refusal:
    """500, with which the server also answers some mistakes of the user."""
    return Refusal(500, message)


def invalid(kind: str, group: str, name: str, errors: Sequence[FieldError]) -> Refusal:
    """422: every error of the object in one text, and as causes."""
    return Refusal(422, invalid_message(kind, group, name, errors), [error.cause() for error in errors])
