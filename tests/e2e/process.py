"""`weighbridge serve` as a process, and the forwarder in place of a cluster's Service."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self
from urllib.request import urlopen

from weighbridge.policies.ground.objects import JSONObject

WEIGHBRIDGE = str(Path(sys.executable).with_name("weighbridge"))
_START_SECONDS = 20.0


class WebhookProcess:
    """One server process on free ports; `directory` has its certificates and its log."""

    def __init__(self, directory: Path, *options: str, port: int = 0, drain_seconds: float = 0) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.certificates = directory / "certs"
        self.log = directory / f"serve-{time.monotonic_ns()}.log"
        arguments = ["--self-signed", "127.0.0.1", "--cert-dir", str(self.certificates), "--drain-seconds", str(drain_seconds), *options]
        listen = ["--host", "127.0.0.1", "--port", str(port), "--health-port", "0"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([WEIGHBRIDGE, "serve", *listen, *arguments], stderr=log, stdout=log)
        self.webhook, self.health = self._addresses()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def port(self) -> int:
        """The webhook's port."""
        return int(self.webhook.rpartition(":")[2])

    @property
    def ca_bundle(self) -> bytes:
        """The authority that signed the server's certificate, as PEM."""
        return (self.certificates / "ca.crt").read_bytes()

    def page(self, path: str) -> str:
        """One of the health pages."""
        with urlopen(f"{self.health}{path}", timeout=10) as answer:
            text: str = answer.read().decode()
            return text

    def lines(self) -> list[dict[str, object]]:
        """The lines of the log."""
        return [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]

    def send(self, number: signal.Signals) -> None:
        """Send a signal."""
        self.process.send_signal(number)

    def stop(self) -> int:
        """End the process. Returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()
        return self.process.wait()

    def _addresses(self) -> tuple[str, str]:
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            for line in self.lines():
                if line.get("message") == "serving":
                    return str(line["webhook"]), str(line["health"])
            time.sleep(0.02)
        raise AssertionError(f"the server didn't start: {self.log.read_text()}")


class TurningProcess(WebhookProcess):
    """The same server, whose facts and configuration `turn` replaces while it runs."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.certificates = directory
        self.log = directory / "turning.log"
        command = [sys.executable, "-m", "tests.e2e.turning_server", str(directory)]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stderr=log, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.webhook, self.health = self._addresses()

    def turn(
        self, cluster: Path | None = None, config: Path | None = None, *, beside: Sequence[JSONObject] = (), lets_all_in: bool = False
    ) -> None:
        """Serve with other facts and another configuration from now on, or accept everything unchanged."""
        paths = {"cluster": str(cluster) if cluster else None, "config": str(config) if config else None}
        wanted = {**paths, "beside": list(beside), "open": lets_all_in}
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(wanted).encode() + b"\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline(), self.log.read_text()

    def stop(self) -> int:
        """End the process. Returns its exit code."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        # It ends as soon as its input is closed; otherwise a thread that waits for the next line would keep it alive.
        self.process.stdin.close()
        code = super().stop()
        self.process.stdout.close()
        return code


class Forwarder:
    """Passes connections on to `target` as a Service does to its endpoints: each connection stays with its first endpoint."""

    def __init__(self, target: int) -> None:
        self.target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Accept no more connections."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            threading.Thread(target=_connect, args=(client, server), daemon=True).start()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    """Pass data on until either side ends; the two directions of a connection are closed together."""
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    finally:
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def _connect(client: socket.socket, server: socket.socket) -> None:
    """Serve one connection to its end."""
    with client, server:
        back = threading.Thread(target=_pump, args=(server, client), daemon=True)
        back.start()
        _pump(client, server)
        back.join()


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command as a user does."""
    return subprocess.run([WEIGHBRIDGE, *arguments], input=text, capture_output=True, text=True, timeout=60, check=False)
