"""One replica of the webhook: a process that follows the cluster, with its memory, its log and its health page."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import ssl
import subprocess
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson
from cryptography import x509

from tests.e2e.process import WEIGHBRIDGE
from tests.programs.control_plane.processes import ProcessGroup
from tests.programs.soak.memory import Memory
from tests.programs.soak.tally import cause

_POLL_SECONDS: Final = 0.1
_PAGE_SECONDS: Final = 5.0
#: Seconds; longer than a replica takes to start, or to end, on a busy machine.
_PATIENCE_SECONDS: Final = 60.0
#: A log that has grown larger is begun anew, once it has been read.
_MOST_LOG: Final = 16 * 1024 * 1024
_BAD_LINE: Final = re.compile(rb'"level":"(?:error|warning|critical)"')
_TURNED_AWAY: Final = re.compile(r'^weighbridge_calls_turned_away_total\{reason="(\w+)"\} ([\d.e+]+)$', re.MULTILINE)


class SoakError(Exception):
    """The run can't go on; the text says why."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The settings with which every replica is started."""

    certificates: Path
    kubeconfig: Path
    drain_seconds: float
    environ: Mapping[str, str]

    def command(self) -> list[str]:
        """The command."""
        listen = ("--host", "127.0.0.1", "--port", "0", "--health-port", "0")
        files = ("--cert-dir", str(self.certificates), "--kubeconfig", str(self.kubeconfig))
        return [WEIGHBRIDGE, "serve", "--live", *listen, *files, "--drain-seconds", f"{self.drain_seconds:g}"]


class Replica:
    """One process, which ends with its group at the latest."""

    def __init__(self, number: int, group: ProcessGroup, folder: Path, setting: Setting) -> None:
        self.number = number
        self.webhook = self.health = 0
        self.is_leaving = False
        self.logged: Counter[str] = Counter()
        self._log = folder / f"replica-{number}.log"
        self._read = 0
        # Replicas share the cache of compiled units, as on a node.
        environ = {"PATH": os.environ.get("PATH", ""), "HOME": str(folder), "WEIGHBRIDGE_CACHE": str(folder / "cache")}
        self.process: subprocess.Popen[bytes] = group.spawn(setting.command(), self._log, {**environ, **setting.environ})
        self.memory = Memory(self.process.pid)

    async def started(self) -> None:
        """Wait until it listens. Raises SoakError if it ends instead."""
        for _ in range(int(_PATIENCE_SECONDS / _POLL_SECONDS)):
            serving = next((line for line in self._log.read_bytes().splitlines() if b'"message":"serving"' in line), None)
            if serving is not None:
                line = orjson.loads(serving)
                self.webhook, self.health = (int(line[key].rpartition(":")[2]) for key in ("webhook", "health"))
                return
            if self.process.poll() is not None:
                break
            await asyncio.sleep(_POLL_SECONDS)
        raise SoakError(f"replica {self.number} didn't start: {self._log.read_text(errors='replace')[-2000:]}")

    async def is_ready(self) -> bool:
        """Whether it reports that it is ready."""
        return (await self.page("/readyz")).startswith("HTTP/1.1 200 ")

    async def page(self, path: str) -> str:
        """A page of the health port, with its head; empty if there is no answer."""
        try:
            async with asyncio.timeout(_PAGE_SECONDS):
                reader, writer = await asyncio.open_connection("127.0.0.1", self.health)
                writer.write(f"GET {path} HTTP/1.1\r\nHost: soak\r\nConnection: close\r\n\r\n".encode())
                page = await reader.read()
                writer.close()
        except (OSError, TimeoutError):
            return ""
        return page.decode()

    async def turned_away(self) -> Mapping[str, int]:
        """How many calls it didn't judge, by reason."""
        return {reason: int(float(count)) for reason, count in _TURNED_AWAY.findall(await self.page("/metrics"))}

    async def serves(self, certificate: x509.Certificate, trust: ssl.SSLContext) -> bool:
        """Whether a new connection gets this certificate."""
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.webhook, ssl=trust, server_hostname="127.0.0.1")
        except OSError:
            return False
        shown = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        writer.close()
        return bool(shown) and x509.load_der_x509_certificate(shown) == certificate

    def read_log(self) -> None:
        """Count the errors and warnings that it has logged since the last time."""
        with self._log.open("rb") as log:
            log.seek(self._read)
            text = log.read()
        whole = text[: text.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.splitlines():
            if _BAD_LINE.search(line) or not line.startswith(b"{"):
                self.logged[_said(line)] += 1
        if self._read > _MOST_LOG and len(whole) == len(text):
            os.truncate(self._log, 0)
            self._read = 0

    async def stop(self) -> str:
        """Ask it to end, as kubelet does. Returns what was wrong with its end; empty if nothing was."""
        self.process.send_signal(signal.SIGTERM)
        for _ in range(int(_PATIENCE_SECONDS / _POLL_SECONDS)):
            if self.process.poll() is not None:
                break
            await asyncio.sleep(_POLL_SECONDS)
        else:
            self.process.kill()
            self.process.wait()
            return f"a replica didn't end within {_PATIENCE_SECONDS:.0f} s after SIGTERM"
        self.read_log()
        return "" if self.process.returncode == 0 else f"a replica ended with exit code {self.process.returncode}"


def _said(line: bytes) -> str:
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        return cause(line.decode(errors="replace"))
    return f"{record.get('level')}: {cause(str(record.get('message')))}"
