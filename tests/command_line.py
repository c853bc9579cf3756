"""Runs `weighbridge` in this process, as quickly as a function: what it writes, and its exit code.

A process of its own takes a second to start, and shows no more. What only a process has is tested by one: its real streams, signals, what
it imports (`tests/cli/test_streams.py`, `test_interrupts.py`, `test_small_install.py`).
"""

from __future__ import annotations

import io
import logging
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

from webhook.cli.program import exit_code


def run(
    *arguments: str, text: str | bytes = "", cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command with `text` as its standard input, in the folder `cwd`, with `env` beside the environment that there is."""
    given = text.encode() if isinstance(text, str) else text
    out, err = _stream(errors="backslashreplace"), _stream(errors="backslashreplace")
    with (
        patch("sys.stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")),
        redirect_stdout(out),
        redirect_stderr(err),
        patch.dict(os.environ, env or {}),
        chdir(cwd or Path.cwd()),
        _same_logging(),
    ):
        code = exit_code(arguments)
    return subprocess.CompletedProcess(["weighbridge", *arguments], code, _written(out), _written(err))


def _stream(errors: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors=errors, newline="\n")


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()


@contextmanager
def _same_logging() -> Iterator[None]:
    """Leave the program's logger as it was: a run adds a handler that writes to the streams of that run."""
    logger = logging.getLogger("weighbridge")
    handlers, level, propagates = list(logger.handlers), logger.level, logger.propagate
    try:
        yield
    finally:
        logger.handlers[:] = handlers
        logger.setLevel(level)
        logger.propagate = propagates
