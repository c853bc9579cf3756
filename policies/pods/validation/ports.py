"""The API server's checks of ports: their numbers, their names, and a container's list of them.

Source: Kubernetes v1.36, pkg/apis/core/validation (validateContainerPorts), apimachinery pkg/util/validation (IsValidPortName).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.field_errors import ErrorType, FieldError, unsupported, value_errors
from weighbridge.policies.ground.fields import text, whole
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.wordings import (
    PORT_NAME_CHARACTERS,
    PORT_NAME_ENDS,
    PORT_NAME_HYPHENS,
    PORT_NAME_LETTERS,
    outside,
    too_long,
)

_MAX_PORT: Final = 65535
_MAX_NAME: Final = 15
_NAME: Final = expression(r"[-a-z0-9]+", re.ASCII)
PROTOCOLS: Final = ("SCTP", "TCP", "UDP")


def number_errors(port: int, path: str) -> Iterator[FieldError]:
    """The errors of the number of a port."""
    if not 0 < port <= _MAX_PORT:
        yield FieldError(ErrorType.INVALID, path, port, outside(1, _MAX_PORT))


def name_errors(name: str, path: str) -> list[FieldError]:
    """The errors of the name of a port."""
    return value_errors(path, name, _name_messages(name))


def port_errors(ports: list[JSONObject], path: str) -> Iterator[FieldError]:
    """The errors of the ports of a container."""
    seen = set[str]()
    for index, port in enumerate(ports):
        where, name, number = f"{path}[{index}]", text(port, "name"), whole(port, "containerPort")
        wrong = name_errors(name, f"{where}.name") if name else []
        yield from wrong
        if name in seen:
            yield FieldError(ErrorType.DUPLICATE, f"{where}.name", name)
        elif name and not wrong:
            seen.add(name)
        if number == 0:
            yield FieldError(ErrorType.REQUIRED, f"{where}.containerPort")
        else:
            yield from number_errors(number, f"{where}.containerPort")
        if whole(port, "hostPort"):
            yield from number_errors(whole(port, "hostPort"), f"{where}.hostPort")
        # An empty protocol is TCP.
        if (protocol := text(port, "protocol")) and protocol not in PROTOCOLS:
            yield unsupported(f"{where}.protocol", protocol, PROTOCOLS)


def _name_messages(name: str) -> Iterator[str]:
    if len(name) > _MAX_NAME:
        yield too_long(_MAX_NAME)
    if not _NAME.fullmatch(name):
        yield PORT_NAME_CHARACTERS
    if not any("a" <= char <= "z" for char in name):
        yield PORT_NAME_LETTERS
    if "--" in name:
        yield PORT_NAME_HYPHENS
    if name.startswith("-") or name.endswith("-"):
        yield PORT_NAME_ENDS
