"""Refusals: the statuses with which the API server answers requests that it doesn't accept.

Source: k8s.io/apimachinery/pkg/api/errors/errors.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Sequence

from weighbridge.policies.apiserver import wordings
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.ground.field_errors import ErrorType, FieldError, invalid_message
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.metadata_errors import NO_RESOURCE_VERSION


@dataclass(frozen=True, slots=True)
class Refusal:
    """The answer to a refused request: the HTTP status, the text, and ``details.causes``, which only a 422 has."""

    code: int
    message: str
    causes: Sequence[JSONObject] = ()


def bad_request(message: str) -> Refusal:
    """400: the body can't be read as an object of this kind."""
    return Refusal(400, message)


def misplaced(namespace: str, requested: str) -> Refusal | None:
    """400: the namespace of the body isn't that of the URL. `None` if it is, or if the URL has none."""
    if not requested or namespace == requested:
        return None
    return bad_request(wordings.WRONG_NAMESPACE)


def misnamed(name: str, requested: str) -> Refusal | None:
    """400: the name of the body isn't that of the URL, or is missing. `None` if it is right."""
    if not name:
        return bad_request(wordings.no_name(requested))
    if requested and name != requested:
        return bad_request(wordings.wrong_name(name, requested))
    return None


def not_registered(what: str) -> str:
    """The reason for refusing a kind that isn't in the server's scheme."""
    return wordings.not_registered(what, 111 if release().has_moved_schemes else 110)


def not_found(definition: ResourceDefinition, name: str) -> Refusal:
    """404: no such object, or no such subresource."""
    return Refusal(404, wordings.not_found(definition.resource, name))


def conflict(resource: str, name: str, why: str) -> Refusal:
    """409: the stored object isn't the one for which the request was made."""
    return Refusal(409, wordings.conflict(resource, name, why))


def unfit(found: str, version: str, wanted: str, why: str) -> Refusal:
    """400: the body has a kind and version that can't be read as the wanted kind."""
    return bad_request(wordings.not_readable_as(found, version, wanted, why))


def internal_error(message: str) -> Refusal:
    """500, which the server also answers to some mistakes of the user."""
    return Refusal(500, message)


def invalid(kind: str, group: str, name: str, errors: Sequence[FieldError]) -> Refusal:
    """422: every error of the object in one text, and as causes."""
    return Refusal(422, invalid_message(kind, group, name, errors), [error.cause() for error in errors])


def unversioned(plural: str, group: str, name: str) -> Refusal:
    """422: an update doesn't say which version it changes. Only this refusal names the resource; others name the kind."""
    return invalid(plural, group, name, [FieldError(ErrorType.INVALID, "metadata.resourceVersion", 0, NO_RESOURCE_VERSION)])
