"""Runs `weighbridge serve` as a separate process and talks to it over TLS on the loopback interface."""

from __future__ import annotations

import http.client
import json
import os
import signal
import ssl
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.error import HTTPError

_PATIENCE_SECONDS = 30.0
_POLL_SECONDS = 0.02
_COMMAND = (sys.executable, "-m", "weighbridge.webhook.cli.main", "serve")
_HEADERS = {"Content-Type": "application/json"}
_Found = TypeVar("_Found")


def run_serve(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command to its end."""
    return subprocess.run([*_COMMAND, *arguments], capture_output=True, text=True, timeout=_PATIENCE_SECONDS)


@dataclass
class Server:
    """A running server; `lines` has what it has logged so far."""

    process: subprocess.Popen[str]
    directory: Path
    lines: list[dict[str, Any]] = field(default_factory=list)

    def read_log(self) -> None:
        """Collects the log until the process ends."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(json.loads(line))

    def logged(self, message: str) -> dict[str, Any]:
        """The first line with this message; waits for it."""
        return wait_for(lambda: next((line for line in self.lines if line["message"].startswith(message)), None), self._explain)

    @property
    def port(self) -> int:
        """The webhook's port."""
        return int(self.logged("serving")["webhook"].rpartition(":")[2])

    @property
    def health(self) -> int:
        """The health port."""
        return int(self.logged("serving")["health"].rpartition(":")[2])

    def connect(self, timeout: float = _PATIENCE_SECONDS) -> http.client.HTTPSConnection:
        """A new connection that trusts the server's own CA."""
        return http.client.HTTPSConnection("127.0.0.1", self.port, context=self.trust(), timeout=timeout)

    def trust(self) -> ssl.SSLContext:
        """The TLS context of a client that trusts the server's CA."""
        return ssl.create_default_context(cafile=self.directory / "ca.crt")

    def call(self, body: bytes, path: str = "/validate?timeout=3s") -> tuple[int, Any]:
        """One call on a new connection."""
        connection = self.connect()
        try:
            return ask(connection, body, path)
        finally:
            connection.close()

    def page(self, path: str) -> tuple[int, str]:
        """A page of the health port."""
        try:
            with urllib.request.urlopen(self.logged("serving")["health"] + path, timeout=_PATIENCE_SECONDS) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def metric(self, sample: str) -> float:
        """The value of one sample, such as `weighbridge_ready`."""
        (line,) = (line for line in self.page("/metrics")[1].splitlines() if line.startswith(f"{sample} "))
        return float(line.rpartition(" ")[2])

    def send(self, number: signal.Signals) -> None:
        """Sends a signal."""
        self.process.send_signal(number)

    def wait(self) -> int:
        """Waits for the end; returns the exit code."""
        return self.process.wait(_PATIENCE_SECONDS)

    def _explain(self) -> str:
        return f"exit code {self.process.poll()}, log: {self.lines}"


def ask(connection: http.client.HTTPSConnection, body: bytes, path: str = "/validate?timeout=3s") -> tuple[int, Any]:
    """One call on a connection that may have been used before; the answer is JSON, whatever its status."""
    connection.request("POST", path, body, _HEADERS)
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def serving(directory: Path, options: Sequence[str] = ()) -> AbstractContextManager[Server]:
    """A server with a new certificate in `directory`; it is killed at the end if it still runs."""
    where = ("--host", "127.0.0.1", "--port", "0", "--health-port", "0", "--cert-dir", str(directory), "--self-signed", "127.0.0.1")
    return started(directory, [*_COMMAND, *where, *options])


@contextmanager
def started(directory: Path, command: Sequence[str]) -> Iterator[Server]:
    """The server that a command starts, whose certificate is in `directory`."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"})
    server = Server(process, directory)
    reader = threading.Thread(target=server.read_log)
    reader.start()
    try:
        server.logged("serving")
        yield server
    finally:
        process.kill()
        process.wait()
        reader.join()
        assert process.stderr is not None
        process.stderr.close()


def wait_for(get: Callable[[], _Found | None], explain: Callable[[], str] = lambda: "") -> _Found:
    """The first result of `get` that isn't empty."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < deadline:
        found = get()
        if found:
            return found
        time.sleep(_POLL_SECONDS)
    raise AssertionError(f"nothing came within {_PATIENCE_SECONDS:.0f} s; {explain()}")
