"""The API server's answer to a pod that it refuses: 403 of an admission plugin, or 422 of validation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from weighbridge.policies.ground.field_errors import FieldError, invalid_message
from weighbridge.policies.pods import wordings


class Refused(Exception):  # noqa: N818 - an outcome of admission, not a defect
    """The API server refuses a pod. The text is its answer, and `answer` gives the text for an equal pod with another name."""

    def __init__(self, answer: Callable[[str], str], pod: str) -> None:
        super().__init__(answer(pod))
        self.answer = answer


class Missing(Refused):
    """The API server refuses a pod because it names a missing object, which another manifest may contain."""


def missing(name: str, cause: str) -> Refused:
    """The answer of an admission plugin that doesn't find an object."""
    return Missing(lambda pod: wordings.forbidden(pod, cause), name)


def forbidden(name: str, cause: str) -> Refused:
    """The answer of an admission plugin."""
    return Refused(lambda pod: wordings.forbidden(pod, cause), name)


def invalid(name: str, errors: Sequence[FieldError]) -> Refused:
    """The answer of validation."""
    return Refused(lambda pod: invalid_message("Pod", "", pod, errors), name)


def unreadable(cause: str) -> Refused:
    """The answer of a server that can't read the pod."""
    return Refused(lambda _: wordings.unreadable(cause), "")
