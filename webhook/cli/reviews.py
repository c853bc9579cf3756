"""Recorded admission reviews: JSON lines, each an AdmissionReview or the request inside one.

If a line written by hand lacks kind, namespace or name, these are taken from the object. A line that can't be used gives an error, and the
others are still read.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterator
from typing import BinaryIO, Final

from weighbridge.policies.ground.objects import FieldValidation, GroupVersionKind, JSONObject, JSONValue, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.cache.inputs import not_repeatable
from weighbridge.webhook.server.envelope import EnvelopeError, as_request, shown
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.json_text import JSONTextError, loads_as_server
from weighbridge.webhook.texts.streams import as_text

_API_VERSION: Final = "admission.k8s.io/v1"
_KIND: Final = "AdmissionReview"


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """One line: the request, or the error why there is none; `identity` is its uid, or else its line number."""

    identity: str
    place: str
    request: Request | None = None
    error: str = ""


def read_reviews(source: str) -> Iterator[ReviewLine]:
    """The lines of a file, or of standard input for ``-``. Raises InputError if the file can't be opened."""
    name = as_text(source)
    # The lines are judged while they are read, and there may be too many to keep the answer.
    not_repeatable()
    try:
        if source == "-":
            yield from _lines(sys.stdin.buffer, name)
            return
        with open(source, "rb") as stream:
            yield from _lines(stream, name)
    except OSError as error:
        why = "standard input is closed" if source == "-" and error.errno == errno.EBADF else error.strerror or str(error)
        raise InputError(f"{name}: {why[:1].lower()}{why[1:]}; give a file of AdmissionReview requests, one JSON object a line") from error


def _lines(stream: BinaryIO, source: str) -> Iterator[ReviewLine]:
    for number, text in enumerate(stream, start=1):
        if text.strip():
            yield _line(text, f"{source}:{number}", f"line-{number}")


def _line(text: bytes, place: str, fallback: str) -> ReviewLine:
    try:
        review = loads_as_server(text)
    except JSONTextError as error:
        return ReviewLine(fallback, place, error=f"{place}: not JSON: {error}")
    try:
        envelope = _envelope(review)
    except EnvelopeError as error:
        return ReviewLine(fallback, place, error=f"{place}: {error}")
    uid = envelope.get("uid")
    if not isinstance(uid, str) or not uid:
        return ReviewLine(fallback, place, error=f"{place}: request.uid must be a string that isn't empty")
    try:
        _check_field_validation(envelope)
        return ReviewLine(uid, place, as_request(_completed(envelope)))
    except EnvelopeError as error:
        return ReviewLine(uid, place, error=f"{place}: {error}")


def _envelope(review: JSONValue) -> JSONObject:
    """The request of a review, or a request by itself. Raises EnvelopeError for anything else."""
    if isinstance(review, dict) and "request" in review:
        request, version = review["request"], review.get("apiVersion", _API_VERSION)
        if isinstance(request, dict) and review.get("kind", _KIND) == _KIND:
            if version != _API_VERSION:
                raise EnvelopeError(f"the {_KIND} must be of {_API_VERSION}, not {shown(version)}")
            return request
    elif isinstance(review, dict) and "uid" in review and ("object" in review or "oldObject" in review):
        return review
    raise EnvelopeError(f"not an {_KIND}: it needs a request with a uid and an object")


def _check_field_validation(envelope: JSONObject) -> None:
    """Raise EnvelopeError if the options have an unknown validation. For the server a missing or empty one is Warn."""
    options = envelope.get("options")
    found = options.get("fieldValidation") if isinstance(options, dict) else None
    if found is not None and found not in ("", *FieldValidation):
        raise EnvelopeError(f"request.options.fieldValidation must be one of {', '.join(FieldValidation)}, not {shown(found)}")


def _completed(envelope: JSONObject) -> JSONObject:
    """The request, with missing values taken from its object."""
    obj = envelope.get("object") or envelope.get("oldObject")
    gvk = GroupVersionKind.from_object(obj)
    completed = {
        "namespace": namespace_of(obj),
        "name": name_of(obj),
        **{key: value for key, value in envelope.items() if value is not None},
    }
    if "kind" not in completed and gvk is not None:
        completed["kind"] = {"group": gvk.group, "version": gvk.version, "kind": gvk.kind}
    return completed
