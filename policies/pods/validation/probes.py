"""The API server's checks of a container's probes, and of what is run when it starts and before it stops.

Signals for stopping aren't checked: the server drops them, unless an administrator turns ContainerStopSignals on.
Source: Kubernetes v1.37, pkg/apis/core/validation (validateProbe, validateHandler, validateLifecycle, validateInitContainers).
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
    NOT_OF_INIT_CONTAINERS,
    NOT_OF_READINESS,
    NOT_ONE,
    SEVERAL_HANDLERS,
    beyond_grace,
)

#: The seconds that a pod has to stop if it doesn't say otherwise.
GRACE: Final = 30
_HANDLERS: Final = ("exec", "httpGet", "tcpSocket", "grpc")
_HOOKS: Final = ("postStart", "preStop")
_HOOK_HANDLERS: Final = ("exec", "httpGet", "tcpSocket", "sleep")
_PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")
_COUNTS: Final = ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")
_HEADER: Final = expression(r"[-A-Za-z0-9]+", re.ASCII)


def life_errors(container: JSONObject, path: str, grace: int, *, is_init: bool) -> Iterator[FieldError]:
    """The errors of what a container runs at its start and end, and of its probes; `grace` are the seconds that its pod has to stop.

    An init container has none of these unless it always restarts.
    """
    if is_init and text(container, "restartPolicy") != "Always":
        for field in ("lifecycle", *_PROBES):
            if isinstance(container.get(field), dict):
                yield FieldError(ErrorType.FORBIDDEN, f"{path}.{field}", detail=NOT_OF_INIT_CONTAINERS)
        return
    lifecycle = container.get("lifecycle")
    if isinstance(lifecycle, dict):
        for hook in _HOOKS:
            if isinstance(lifecycle.get(hook), dict):
                yield from _all_handlers_errors(lifecycle[hook], f"{path}.lifecycle.{hook}", _HOOK_HANDLERS, grace)
    for kind in _PROBES:
        probe = container.get(kind)
        if isinstance(probe, dict):
            yield from probe_errors(probe, f"{path}.{kind}", kind)


def probe_errors(probe: JSONObject, path: str, kind: str) -> Iterator[FieldError]:
    """The errors of a probe; `kind` is the container's field that has it."""
    yield from _all_handlers_errors(probe, path, _HANDLERS)
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


def _all_handlers_errors(holder: JSONObject, path: str, handlers: Sequence[str], grace: int = 0) -> Iterator[FieldError]:
    """The errors of the handlers of a probe or a hook, which has exactly one of them."""
    named = [handler for handler in handlers if isinstance(holder.get(handler), dict)]
    if not named:
        yield FieldError(ErrorType.REQUIRED, path, detail=NO_HANDLER)
    for number, handler in enumerate(named):
        if number:
            yield FieldError(ErrorType.FORBIDDEN, f"{path}.{handler}", detail=SEVERAL_HANDLERS)
        else:
            yield from _handler_errors(handler, part(holder, handler), f"{path}.{handler}", grace)


def _handler_errors(handler: str, asked: JSONObject, path: str, grace: int) -> Iterator[FieldError]:
    if handler == "sleep":
        seconds = whole(asked, "seconds")
        if not 0 <= seconds <= grace:
            yield FieldError(ErrorType.INVALID, path, seconds, beyond_grace(grace))
        return
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
