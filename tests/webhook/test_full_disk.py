"""A full disk: calls are answered, even if nothing can be logged or cached."""

from __future__ import annotations

import http.client
import os
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.webhook.reviews import review
from tests.webhook.serving import ask, wait_for
from weighbridge.webhook.server.certificates import bring_self_signed_up_to_date

#: Makes each write to a file fail, as on a full disk.
_NO_ROOM = ("sh", "-c", 'ulimit -f 0 && exec "$@"', "sh")


@contextmanager
def _serving(directory: Path, log: str) -> Iterator[http.client.HTTPSConnection]:
    """A connection to a server that logs to `log` and can't write files; the server must end with exit code 0."""
    bring_self_signed_up_to_date(directory / "tls", ["127.0.0.1"], datetime.now(UTC))
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        port, health = (str(taken.getsockname()[1]) for taken in sockets)
    listen = ["--host", "127.0.0.1", "--port", port, "--health-port", health, "--cert-dir", str(directory / "tls"), "--drain-seconds", "0"]
    command = [sys.executable, "-m", "weighbridge.webhook.cli.main", "serve", *listen]
    environ = os.environ | {"WEIGHBRIDGE_CACHE": str(directory / "cache")}
    with open(log, "wb") as file:
        process = subprocess.Popen([*_NO_ROOM, *command], stdout=file, stderr=file, env=environ)
    try:
        wait_for(lambda: _listens(int(port)), lambda: f"exit code {process.poll()}")
        trust = ssl.create_default_context(cafile=directory / "tls" / "ca.crt")
        yield http.client.HTTPSConnection("127.0.0.1", int(port), context=trust, timeout=30)
        process.terminate()
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize("log", ["/dev/full", "/dev/null"])
def test_calls_are_answered(tmp_path: Path, log: str) -> None:
    with _serving(tmp_path, log) as connection:
        for path in ("/validate?timeout=3s", "/mutate?timeout=3s"):
            status, answer = ask(connection, review(), path)
            assert (status, answer["response"]["allowed"]) == (200, True)
        connection.close()
    assert [path for path in tmp_path.joinpath("cache").rglob("*") if path.is_file() and path.stat().st_size] == []
