"""No test reaches beyond this machine: sockets and the resolver of this process refuse any address that isn't loopback.

An audit hook sees each call, whichever library makes it, and stays until the process ends. What a test starts as a process of its own
(kube-apiserver, kubectl, `weighbridge serve`) isn't covered, nor is a client written in C, as uvloop's is.
"""

from __future__ import annotations

import socket
import sys
from ipaddress import ip_address
from typing import Any, Final

import pytest

_CONNECTING: Final = {"socket.connect", "socket.sendto", "socket.sendmsg"}
_RESOLVING: Final = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}


def pytest_configure() -> None:
    """Refuse from here on, also while tests are collected."""
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _CONNECTING:
        peer, address = arguments[:2]
        if peer.family in (socket.AF_INET, socket.AF_INET6) and address is not None and not _is_loopback(address[0]):
            peer.close()  # or it would be reported as a leak as well
            _fail(f"connects to {address[0]}")
    elif event in _RESOLVING and not (_is_address(arguments[0]) or _is_loopback(arguments[0])):
        _fail(f"looks up {arguments[0]}")


def _fail(what: str) -> None:
    # pytest's own exception is no Exception, so no handler of connection errors swallows it.
    pytest.fail(f"a test {what}; tests may use loopback and Unix sockets only")


def _text(host: object) -> str:
    return host.decode(errors="replace") if isinstance(host, bytes) else str(host or "localhost")


def _is_address(host: object) -> bool:
    """Whether it is a numeric address, which takes no look-up."""
    try:
        ip_address(_text(host))
    except ValueError:
        return False
    return True


def _is_loopback(host: object) -> bool:
    """Whether it is this machine; the unspecified address is, as the peer of a connection."""
    if not _is_address(host):
        return _text(host) == "localhost"
    address = ip_address(_text(host))
    return address.is_loopback or address.is_unspecified
