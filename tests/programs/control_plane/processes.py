"""Programs of a control plane as child processes: none outlives the tests, each has its log, and their ports are free.

A test run that is killed with SIGKILL can't clean up, so the programs are in one process group with a guard: a shell that waits on a pipe
whose other end only the test process holds. The kernel closes that end however the test process ends, and the guard then removes the
directory and kills its whole group, itself included.
"""

from __future__ import annotations

import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

POLL_SECONDS = 0.05
LOG_TAIL_LINES = 25
# Below the ranges of outgoing connections in Linux and macOS, and of NodePorts in Kubernetes. A free port there stays free until a program
# listens on it, unless another test run draws the same number.
FIRST_PORT, LAST_PORT = 20000, 29999

_GUARD = 'read -r _; rm -rf -- "$1"; kill -KILL 0'


class StartError(Exception):
    """A program ended or wasn't ready in time; the text has the end of its log."""

    def __init__(self, text: str, log: str) -> None:
        super().__init__(f"{text}; the end of its log:\n{_tail(log)}")
        self.address_in_use = "address already in use" in log


class ProcessGroup:
    """A process group that ends with this process, and its directory.

    PR_SET_PDEATHSIG exists only on Linux, depends on the thread that starts the program rather than on the process, and needs preexec_fn,
    of which Python warns as soon as there is a second thread.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        # A new group in the same session: programs can join it, and Ctrl-C on the terminal doesn't reach them before the fixtures have
        # ended.
        self._guard = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "control-plane-guard", str(directory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )
        self._processes: list[subprocess.Popen[bytes]] = []

    def spawn(self, command: Sequence[str], log: Path, environ: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """Starts a program in the group, its output appended to the log."""
        with log.open("ab") as output:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=environ,
                cwd=self._directory,
                process_group=self._guard.pid,
            )
        self._processes.append(process)
        return process

    def end(self) -> None:
        """Kills all processes of the group and removes the directory; a second call does nothing."""
        if self._guard.stdin is not None:
            self._guard.stdin.close()
        self._guard.wait()
        for process in self._processes:
            # The group is dead by now, unless the guard was killed before it could do its work.
            process.kill()
            process.wait()
        # A program may have written a file while the guard removed the directory.
        shutil.rmtree(self._directory, ignore_errors=True)


class Program:
    """One program of a control plane, which can be started again after it was stopped."""

    def __init__(self, command: Sequence[str], *, group: ProcessGroup, log: Path, environ: Mapping[str, str]) -> None:
        self._command = command
        self._name = Path(command[0]).name
        self._group = group
        self._log = log
        self._environ = environ
        self._process: subprocess.Popen[bytes] | None = None
        self._log_start = 0

    @property
    def pid(self) -> int | None:
        """The process id while it runs, else None."""
        running = self._process is not None and self._process.poll() is None
        return self._process.pid if running and self._process is not None else None

    def start(self, is_ready: Callable[[], bool], *, timeout: float) -> None:
        """Starts it and returns once it is ready. Raises StartError when it ends, or isn't ready in time."""
        self._log_start = self._log.stat().st_size if self._log.exists() else 0
        self._process = self._group.spawn(self._command, self._log, self._environ)
        deadline = time.monotonic() + timeout
        while not is_ready():
            self.check_running()
            if time.monotonic() > deadline:
                raise StartError(f"{self._name} wasn't ready within {timeout:.0f} s", self._log_text())
            time.sleep(POLL_SECONDS)

    def check_running(self) -> None:
        """Raises StartError when the process has ended."""
        if self.pid is None:
            code = self._process.returncode if self._process is not None else None
            raise StartError(f"{self._name} ended with exit code {code}", self._log_text())

    def kill(self) -> None:
        """Kills it; does nothing if it isn't running."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _log_text(self) -> str:
        """Its log since its last start."""
        with self._log.open("rb") as log:
            log.seek(self._log_start)
            return log.read().decode(errors="replace")


def free_ports(count: int) -> list[int]:
    """Distinct loopback ports that are free now; another process may take one before it is used."""
    ports: list[int] = []
    while len(ports) < count:
        # The module random isn't used: two test processes with the same seed would draw the same ports.
        port = FIRST_PORT + secrets.randbelow(LAST_PORT - FIRST_PORT + 1)
        if port not in ports and _is_free(port):
            ports.append(port)
    return ports


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _tail(log: str) -> str:
    return "\n".join(log.splitlines()[-LOG_TAIL_LINES:])
