"""The ban on the network refuses connections that would leave the machine, and no others."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import pytest

#: An address that is reserved for documentation: no host answers there.
NOWHERE = ("192.0.2.1", 9)


def _send(address: tuple[str, int]) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", address)


def _connect_ex(address: tuple[str, int]) -> None:
    with socket.socket() as client:
        client.connect_ex(address)


async def _open(address: tuple[str, int]) -> None:
    await asyncio.open_connection(*address)


@pytest.mark.parametrize(
    ("reaching", "said"),
    [
        (lambda: socket.create_connection(NOWHERE, 0.1), "a test connects to 192.0.2.1; tests may use loopback and Unix sockets only"),
        (lambda: socket.create_connection(("2001:db8::1", 9), 0.1), "a test connects to 2001:db8::1;"),
        (lambda: _connect_ex(NOWHERE), "a test connects to 192.0.2.1;"),
        (lambda: _send(NOWHERE), "a test connects to 192.0.2.1;"),
        (lambda: asyncio.run(_open(NOWHERE)), "a test connects to 192.0.2.1;"),
        (lambda: socket.getaddrinfo("example.com", 443), "a test looks up example.com;"),
        (lambda: socket.gethostbyname("example.com"), "a test looks up example.com;"),
        (lambda: urlopen("http://example.com", timeout=0.1), "a test looks up example.com;"),
    ],
    ids=["connect", "connect-v6", "connect_ex", "sendto", "asyncio", "getaddrinfo", "gethostbyname", "urlopen"],
)
def test_what_leaves_the_machine_fails_the_test(reaching: Callable[[], object], said: str) -> None:
    with pytest.raises(pytest.fail.Exception) as caught:
        reaching()
    assert str(caught.value).startswith(said)


def test_loopback_and_unix_sockets_are_open(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server, socket.create_connection(("localhost", server.getsockname()[1])):
        pass
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(str(tmp_path / "s"))
        server.listen()
        client.connect(str(tmp_path / "s"))
    assert socket.getaddrinfo("0.0.0.0", 0)
