"""The API server's checks of ports: their numbers, their names, a container's list of them, and a pod's ports of its node.

Source: Kubernetes v1.37, pkg/apis/core/validation (validateContainerPorts, checkHostPortConflicts, validatePodHostNetworkDeps),
apimachinery pkg/util/validation (IsValidPortName).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.field_errors import ErrorType, FieldError, unsupported, value_errors
from weighbridge.policies.ground.fields import flag, items, text, whole
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.requests import containers
from weighbridge.policies.pods.validation.wordings import (
    OTHER_HOST_PORT,
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


def host_port_errors(spec: JSONObject, path: str, *, is_pod: bool) -> Iterator[FieldError]:
    """The errors of the ports of the node that a pod's containers take.

    In a pod with the node's network each port is one of the node; in a template those that aren't written are filled in later.
    """
    has_network = flag(spec, "hostNetwork")
    together = set[str]()
    for kind, index, container in containers(spec):
        is_init = kind == "initContainers"
        taken = set[str]() if is_init else together
        for number, port in enumerate(items(container, "ports")):
            inside, outside_port = whole(port, "containerPort"), whole(port, "hostPort")
            if has_network and not is_init and outside_port not in (0, inside):
                yield FieldError(ErrorType.INVALID, f"{path}.{kind}[{index}].ports[{number}].hostPort", outside_port, OTHER_HOST_PORT)
            found = outside_port or (inside if has_network and is_pod else 0)
            called = f"{text(port, 'protocol') or 'TCP'}/{text(port, 'hostIP')}/{found}"
            if found and called in taken:
                # NB: for an init container the server's index is always 0.
                yield FieldError(ErrorType.DUPLICATE, f"{path}.{kind}[{0 if is_init else index}].ports[{number}].hostPort", called)
            taken.add(called)


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
