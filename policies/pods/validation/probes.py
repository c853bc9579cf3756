"""The API server's checks of a container's probes.

Source: Kubernetes v1.36, pkg/apis/core/validation (validateProbe, validateHandler, validateLivenessProbe).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.field_errors import NEGATIVE, ErrorType, FieldError, unsupported
from weighbridge.policies.ground.fields import items, part, text, texts, whole
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.pods.validation.ports import name_errors, number_errors
from weighbridge.policies.pods.validation.wordings import (
    HEADER_SHAPE,
    NO_HANDLER,
    NOT_ABOVE_ZERO,
    NOT_OF_READINESS,
    NOT_ONE,
    SEVERAL_HANDLERS,
)

PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")
_HANDLERS: Final = ("exec", "httpGet", "tcpSocket", "grpc")
_COUNTS: Final = ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")
_HEADER: Final = expression(r"[-A-Za-z0-9]+", re.ASCII)


def probe_errors(probe: JSONObject, path: str, kind: str) -> Iterator[FieldError]:
    """The errors of a probe; `kind` is the container's field that has it."""
    yield from handler_errors(probe, path, _HANDLERS)
    for field in _COUNTS:
        if field in probe and whole(probe, field) < 0:
            yield FieldError(ErrorType.INVALID, f"{path}.{field}", whole(probe, field), NEGATIVE)
    grace = probe.get("terminationGracePeriodSeconds")
    if isinstance(grace, int):
        if grace <= 0:
            yield FieldError(ErrorType.INVALID, f"{path}.terminationGracePeriodSeconds", grace, NOT_ABOVE_ZERO)
        if kind == "readinessProbe":
            yield FieldError(ErrorType.INVALID, f"{path}.terminationGracePeriodSeconds", grace, NOT_OF_READINESS)
    if kind != "readinessProbe" and "successThreshold" in probe and whole(probe, "successThreshold") not in (0, 1):
        yield FieldError(ErrorType.INVALID, f"{path}.successThreshold", whole(probe, "successThreshold"), NOT_ONE)


def handler_errors(asked: JSONObject, path: str, handlers: Sequence[str]) -> Iterator[FieldError]:
    """The errors of a part that must have one of these handlers."""
    named = [handler for handler in handlers if handler in asked and isinstance(asked[handler], dict)]
    if not named:
        yield FieldError(ErrorType.REQUIRED, path, detail=NO_HANDLER)
    for number, handler in enumerate(named):
        if number:
            yield FieldError(ErrorType.FORBIDDEN, f"{path}.{handler}", detail=SEVERAL_HANDLERS)
        elif handler != "sleep":
            yield from _handler_errors(handler, part(asked, handler), f"{path}.{handler}")


def _handler_errors(handler: str, asked: JSONObject, path: str) -> Iterator[FieldError]:
    if handler == "exec":
        if not texts(asked, "command"):
            yield FieldError(ErrorType.REQUIRED, f"{path}.command")
        return
    yield from _port_errors(asked.get("port"), f"{path}.port")
    if handler != "httpGet":
        return
    scheme = text(asked, "scheme") if "scheme" in asked else ""
    if scheme and scheme not in ("HTTP", "HTTPS"):
        yield unsupported(f"{path}.scheme", scheme, ("HTTP", "HTTPS"))
    for header in items(asked, "httpHeaders") if "httpHeaders" in asked else ():
        if not _HEADER.fullmatch(text(header, "name")):
            yield FieldError(ErrorType.INVALID, f"{path}.httpHeaders", text(header, "name"), HEADER_SHAPE)


def _port_errors(port: JSONValue, path: str) -> Iterator[FieldError]:
    # NB: for the server a missing port and null are the number 0.
    port = 0 if port is None else port
    if isinstance(port, str):
        yield from name_errors(port, path)
    elif isinstance(port, int) and not isinstance(port, bool):
        yield from number_errors(port, path)
