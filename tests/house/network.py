"""No test reaches beyond this machine: sockets and the resolver of this process refuse any address that isn't loopback.

An audit hook sees each call of any library, and stays until the process ends. Processes that a test starts (kube-apiserver, kubectl,
`weighbridge serve`) aren't covered, and neither are clients written in C, such as uvloop's.
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
    """Refuse from now on, even while tests are collected."""
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
    # pytest's exception isn't an Exception, so no handler of connection errors swallows it.
    pytest.fail(f"a test {what}; tests may use loopback and Unix sockets only")


def _text(host: object) -> str:
    return host.decode(errors="replace") if isinstance(host, bytes) else str(host or "localhost")


def _is_address(host: object) -> bool:
    """Whether it is a numeric address, which needs no look-up."""
    try:
        ip_address(_text(host))
    except ValueError:
        return False
    return True


def _is_loopback(host: object) -> bool:
    """Whether it is this machine; as the peer of a connection the unspecified address is, too."""
    if not _is_address(host):
        return _text(host) == "localhost"
    address = ip_address(_text(host))
    return address.is_loopback or address.is_unspecified
