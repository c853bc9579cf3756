"""Calls that aren't answered with a review, because the call itself is bad, or the server can't take it now.

The caller gets a status and ``{"error": ...}``. An answer of 503 with Retry-After makes kube-apiserver come again within its timeout;
any other fails the webhook, and the failure policy of its registration holds.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from enum import StrEnum
from typing import Final, TypeAlias

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from weighbridge.webhook.texts.json_text import dumps

#: The headers of a call, with names in lower case; the last of several with the same name.
Headers: TypeAlias = dict[bytes, bytes]
_JSON: Final = b"application/json"
#: How many bytes of a body that is too large are still read. A client that is still sending doesn't read the answer, and closing the
#: connection would lose it.
_LINGER_BYTES: Final = 64 * 1024 * 1024
_LINGER_SECONDS: Final = 5.0


class TurnedAway(StrEnum):
    """The reason why a call wasn't judged."""

    MALFORMED = "malformed"
    MEDIA_TYPE = "media_type"
    TOO_LARGE = "too_large"
    TOO_SLOW = "too_slow"
    NOT_READY = "not_ready"
    SHED = "shed"
    DEFECT = "defect"


STATUS: Final = {
    TurnedAway.MALFORMED: 400,
    TurnedAway.MEDIA_TYPE: 415,
    TurnedAway.TOO_LARGE: 413,
    TurnedAway.TOO_SLOW: 408,
    TurnedAway.NOT_READY: 503,
    TurnedAway.SHED: 503,
    TurnedAway.DEFECT: 500,
}


class CallError(Exception):
    """The call has to be answered with an error."""

    def __init__(self, reason: TurnedAway, message: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[type[CallError], tuple[TurnedAway, str]]:
        return CallError, (self.reason, str(self))

    def response(self) -> Response:
        """The answer to the call."""
        status, headers = STATUS[self.reason], {}
        if status == STATUS[TurnedAway.SHED]:
            headers["Retry-After"] = "1"
        if self.reason in {TurnedAway.TOO_LARGE, TurnedAway.TOO_SLOW}:
            # The connection is closed, since the unread rest of the body would come before the next call.
            headers["Connection"] = "close"
        kind = LingeringResponse if self.reason is TurnedAway.TOO_LARGE else Response
        return kind(dumps({"error": str(self)}), status, headers, "application/json")


def error_response(status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    """An answer with this status, and the message as JSON."""
    return Response(dumps({"error": message}), status, headers, "application/json")


class LingeringResponse(Response):
    """A response that is sent at once, but ends only after the request's body, or once that has taken too long or become too large."""

    async def __call__(self, _: Scope, receive: Receive, send: Send) -> None:
        """Send the answer, then read the rest of the body for a while."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        with suppress(TimeoutError):
            async with asyncio.timeout(_LINGER_SECONDS):
                await _pass_over(receive)
        await send({"type": "http.response.body", "body": b""})


async def _pass_over(receive: Receive) -> None:
    seen, more = 0, True
    while more and seen < _LINGER_BYTES:
        message = await receive()
        seen += len(message.get("body", b""))
        more = message.get("more_body", False)


def check_media_type(headers: Headers) -> None:
    """Raise CallError for a body that isn't declared as JSON in UTF-8."""
    found = headers.get(b"content-type", b"")
    if found != _JSON:
        _check_spelling(found.decode("latin-1"))
    if headers.get(b"content-encoding", b"identity").lower() != b"identity":
        raise CallError(TurnedAway.MEDIA_TYPE, "the body must not be compressed")


def _check_spelling(content_type: str) -> None:
    media_type, _, parameters = content_type.partition(";")
    if media_type.strip().lower() != _JSON.decode():
        raise CallError(TurnedAway.MEDIA_TYPE, f"the content type must be application/json, not {media_type.strip() or 'missing'}")
    name, _, value = parameters.partition("=")
    if name.strip().lower() == "charset" and value.strip(' "').lower() not in {"utf-8", "utf8", "us-ascii"}:
        raise CallError(TurnedAway.MEDIA_TYPE, f"the charset must be utf-8, not {value.strip()}")


def declared_size(headers: Headers) -> int | None:
    """The size that a call declares for its body, in bytes; `None` if it declares none."""
    declared = headers.get(b"content-length", b"").decode("latin-1")
    return int(declared) if declared.isdecimal() else None
