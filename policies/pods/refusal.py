"""The API server's answer to a pod that it doesn't take: 403 of an admission plugin, or 422 of validation."""

from __future__ import annotations

from collections.abc import Sequence

from weighbridge.policies.ground.field_errors import FieldError, invalid_message
from weighbridge.policies.ground.go_text import quote


class Refused(Exception):  # noqa: N818 - an outcome of admission, not a defect
    """The API server doesn't take the pod; the text is what it answers."""


class Missing(Refused):
    """The same for want of an object that the pod names, and that another manifest may bring."""


def missing(name: str, cause: str) -> Refused:
    """The answer of an admission plugin that doesn't find an object."""
    return Missing(f"pods {quote(name)} is forbidden: {cause}")


def forbidden(name: str, cause: str) -> Refused:
    """What an admission plugin answers."""
    return Refused(f"pods {quote(name)} is forbidden: {cause}")


def invalid(name: str, errors: Sequence[FieldError]) -> Refused:
    """What validation answers."""
    return Refused(invalid_message("Pod", "", name, errors))
