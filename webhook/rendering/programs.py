"""Runs an external program for a bounded time, with bounded output, without the network and without the user's cluster.

Invalid proxies, and a Git without protocols, keep programs from downloading a base or a chart.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from typing import Final

from weighbridge.policies.ground.records import dataclass

_NOWHERE: Final = "http://127.0.0.1:9"
_PROXIES: Final = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
_SETTINGS: Final = {
    **dict.fromkeys(_PROXIES, _NOWHERE),
    "NO_PROXY": "",
    "no_proxy": "",
    "GIT_ALLOW_PROTOCOL": "none",
    "KUBECONFIG": os.devnull,
}
_AT_ONCE: Final = 1 << 16
_POLL: Final = 0.1
MOST_SECONDS: Final = 60.0
MOST_BYTES: Final = 32 << 20


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a program: its output, and the error, which is empty if there is none."""

    output: bytes
    problem: str


def ended(arguments: list[str], folder: str) -> Ended:
    """Run a program in a folder to its end."""
    try:
        process = subprocess.Popen(  # noqa: S603 - helm, kustomize or kubectl, with paths as arguments
            arguments,
            cwd=folder,
            env={**os.environ, **_SETTINGS},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        return Ended(b"", f"{os.path.basename(arguments[0])} can't be started: {error.strerror}")
    except ValueError as error:
        # An argument has a character that arguments can't have.
        return Ended(b"", f"{os.path.basename(arguments[0])} can't be given this: {error}")
    with process:
        try:
            return _read(process, time.monotonic() + MOST_SECONDS)
        finally:
            # Its own child processes too.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)


def _read(process: subprocess.Popen[bytes], end: float) -> Ended:
    late = Ended(b"", f"not done after {MOST_SECONDS:g} seconds")
    output, errors = bytearray(), bytearray()
    with DefaultSelector() as selector:
        selector.register(process.stdout, EVENT_READ, output)  # type: ignore[arg-type]  # it is a pipe
        selector.register(process.stderr, EVENT_READ, errors)  # type: ignore[arg-type]  # it is a pipe
        has_ended = False
        while selector.get_map():
            ready = selector.select(0 if has_ended else _POLL)
            if not ready and has_ended:
                # A child process keeps its output open.
                break
            # What it wrote last may have come since the selector looked.
            has_ended = has_ended or (not ready and process.poll() is not None)
            if time.monotonic() >= end:
                return late
            for key, _ in ready:
                data = os.read(key.fd, _AT_ONCE)
                key.data.extend(data)
                if not data:
                    selector.unregister(key.fileobj)
                if len(output) > MOST_BYTES or len(errors) > MOST_BYTES:
                    return Ended(b"", f"more than {MOST_BYTES >> 20} MiB of output")
    try:
        code = process.wait(max(end - time.monotonic(), 0.1))
    except subprocess.TimeoutExpired:
        return late
    text = errors.decode(errors="replace").strip()
    return Ended(bytes(output), (text or f"exit code {code}") if code else "")
