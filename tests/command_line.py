"""Runs `weighbridge` in this process, as quickly as a function: its output, and its exit code.

A separate process takes a second to start, and shows no more. Tests of real streams, signals and imports need a process
(`tests/cli/test_streams.py`, `test_interrupts.py`, `test_small_install.py`).
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

from weighbridge.webhook.cli.program import exit_code


def run(
    *arguments: str, text: str | bytes = "", cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command with `text` as its standard input, in the folder `cwd`, with `env` added to the environment."""
    given = text.encode() if isinstance(text, str) else text
    out, err = io.BytesIO(), io.BytesIO()
    with (
        patch("sys.stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")),
        redirect_stdout(_text(out)) as stdout,
        redirect_stderr(_text(err)) as stderr,
        patch.dict(os.environ, env or {}),
        chdir(cwd or Path.cwd()),
        _same_logging(),
    ):
        code = exit_code(arguments)
        stdout.flush()
        stderr.flush()
    return subprocess.CompletedProcess(["weighbridge", *arguments], code, out.getvalue().decode(), err.getvalue().decode())


def _text(stream: io.BytesIO) -> io.TextIOWrapper:
    return io.TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", newline="\n")


@contextmanager
def _same_logging() -> Iterator[None]:
    """Leave the loggers as they were: a run adds handlers to the program's and, as a server, to the one of the whole process."""
    loggers = [logging.getLogger(name) for name in (None, "weighbridge", "uvicorn.error")]
    before = [(list(logger.handlers), logger.level, logger.propagate) for logger in loggers]
    try:
        yield
    finally:
        for logger, (handlers, level, propagates) in zip(loggers, before, strict=True):
            logger.handlers[:] = handlers
            logger.setLevel(level)
            logger.propagate = propagates
