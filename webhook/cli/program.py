"""The program `weighbridge`: finds the command, turns every expected error into one line, and decides the exit code.

0: no findings. 1: findings or refusals. 2: the command line, its input or its output can't be used. If the reader of a pipe has ended, the
program ends silently with 141, as the signal would end it (128 + SIGPIPE).
"""

from __future__ import annotations

import atexit
import io
import os
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from weighbridge.webhook.cache.runs import begun
from weighbridge.webhook.cli.plain import plain_call
from weighbridge.webhook.texts.errors import InputError
from weighbridge.webhook.texts.streams import OutputError, abandon, complain, open_streams

#: Packages that only the commands of the `server` extra import.
_EXTRA: Final = frozenset({"aiohttp", "cryptography", "fastapi", "kubernetes", "prometheus_client", "starlette", "uvicorn", "uvloop"})


def run() -> None:
    """Run the command line and exit."""
    kept = begun(sys.argv[1:])
    open_streams(kept.wrote if kept else None)
    try:
        code = exit_code(sys.argv[1:])
        sys.stdout.flush()
    except OutputError as error:
        sys.exit(without_output(error))
    if kept:
        kept.keep(code)
    _end(code)


def _end(code: int) -> NoReturn:
    """End the process without freeing what it has loaded, which takes as long as judging several objects.

    Functions that are registered for the end are called. A process with other threads, or with a profiler, ends as usual.
    """
    threading = sys.modules.get("threading")
    if sys.getprofile() is None and (threading is None or threading.active_count() == 1):
        atexit._run_exitfuncs()  # noqa: SLF001 - nothing else runs them without the rest
        try:
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
        finally:
            os._exit(code)
    sys.exit(code)


def exit_code(arguments: Sequence[str]) -> int:
    """Run a command with the standard streams as they are; every expected error goes to standard error."""
    try:
        call = plain_call(arguments)
        if call is not None:
            return call()
        from weighbridge.webhook.cli.commands import cli

        return cli.main(list(arguments), prog_name="weighbridge", standalone_mode=False) or 0
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        complain(f"Error: this command needs {error.name}, of the server's extra: pip install 'weighbridge[server]'")
    except InputError as error:
        complain(f"Error: {error}")
    except Exception as error:
        if not _is_foreseen(error):
            raise
    return 2


def _is_foreseen(error: Exception) -> bool:
    """Whether an error is a wrong command line, or a file that can't be written; if so, it is reported."""
    import click

    from weighbridge.certs.atomicfile import WriteError

    if isinstance(error, click.ClickException):
        text = io.StringIO()
        error.show(text)
        complain(text.getvalue().removesuffix("\n"))
    elif isinstance(error, WriteError):
        complain(f"Error: {error}")
    elif isinstance(error, FileNotFoundError) and _is_nowhere():
        complain("Error: the current folder was deleted; change to another one")
        return True
    return isinstance(error, (click.ClickException, WriteError))


def _is_nowhere() -> bool:
    """Whether the current folder was deleted."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def without_output(error: OutputError) -> int:
    """Report that standard output can't be written to. Returns the exit code."""
    abandon(sys.stdout, 1)
    if error.reader_left:
        import signal

        return 128 + signal.SIGPIPE
    complain(f"Error: standard output can't be written to: {error}")
    return 2
