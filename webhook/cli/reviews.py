"""Recorded admission reviews: JSON lines, each an AdmissionReview or the request inside one.

What a recording by hand leaves out is taken from the object: its kind, namespace and name. A line that can't be used says why and the
others go on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from policies.objects import GroupVersionKind, JSONObject, JSONValue, name_of, namespace_of
from policies.request import Request
from webhook.envelope import EnvelopeError, as_request
from webhook.errors import InputError
from webhook.json_text import JSONTextError, loads


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """One line: the request, or why there is none; `identity` is its uid, else its line number."""

    identity: str
    place: str
    request: Request | None = None
    error: str = ""


def read_reviews(source: str) -> Iterator[ReviewLine]:
    """The lines of a file, or of standard input for ``-``. Raises InputError where the file can't be opened."""
    if source == "-":
        yield from _lines(sys.stdin.buffer, "-")
        return
    try:
        with open(source, "rb") as stream:
            yield from _lines(stream, source)
    except OSError as error:
        raise InputError(f"{source}: {error.strerror}: give a file of AdmissionReview requests, one JSON object a line") from error


def _lines(stream: BinaryIO, source: str) -> Iterator[ReviewLine]:
    for number, text in enumerate(stream, start=1):
        if text.strip():
            yield _line(text, f"{source}:{number}", f"line-{number}")


def _line(text: bytes, place: str, fallback: str) -> ReviewLine:
    try:
        review = loads(text)
    except JSONTextError as error:
        return ReviewLine(fallback, place, error=f"{place}: not JSON: {error}")
    envelope = _envelope(review)
    if envelope is None:
        return ReviewLine(fallback, place, error=f"{place}: not an AdmissionReview: it needs a request with a uid and an object")
    uid = envelope.get("uid")
    if not isinstance(uid, str) or not uid:
        return ReviewLine(fallback, place, error=f"{place}: request.uid must be a string that isn't empty")
    try:
        return ReviewLine(uid, place, as_request(_completed(envelope)))
    except EnvelopeError as error:
        return ReviewLine(uid, place, error=f"{place}: {error}")


def _envelope(review: JSONValue) -> JSONObject | None:
    """The request of a review, or a request on its own."""
    if not isinstance(review, dict):
        return None
    if "request" in review:
        request = review["request"]
        return request if isinstance(request, dict) and review.get("kind", "AdmissionReview") == "AdmissionReview" else None
    return review if "uid" in review and ("object" in review or "oldObject" in review) else None


def _completed(envelope: JSONObject) -> JSONObject:
    """The request with what its object says where the request itself says nothing."""
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
