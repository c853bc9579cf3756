"""The standard streams as a command may find them: closed, full, in some other encoding, or with a reader that has gone away.

Output that can't be written is an exception of its own, so that it isn't taken for a file that can't be read. Text shows what its encoding
lacks as escapes; JSON and YAML are UTF-8 whatever the locale (RFC 8259, section 8.1; YAML 1.2, section 5.2).
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from weighbridge.webhook.cache.inputs import not_repeatable
from weighbridge.webhook.texts.escapes import shown

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class OutputError(Exception):
    """Standard output can't be written to; `reader_left` where it is a pipe whose reader has gone."""

    def __init__(self, error: OSError) -> None:
        text = error.strerror or str(error)
        super().__init__("it is closed" if error.errno == errno.EBADF else text[:1].lower() + text[1:])
        self.reader_left = error.errno == errno.EPIPE


class _Output(io.FileIO):
    """The file descriptor of standard output; `copy` gets what has been written."""

    copy: Callable[[bytes], None] | None = None

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            written = super().write(data)
        except OSError as error:
            raise OutputError(error) from error
        if self.copy is not None and written is not None:
            self.copy(bytes(memoryview(data)[:written]))
        return written


def open_streams(copy: Callable[[bytes], None] | None = None) -> None:
    """Make the standard streams of this process usable, to be called before anything is opened; `copy` gets all of standard output.

    A closed descriptor is taken by one that refuses what the stream is for: no file opened later can get its number, and only who reads or
    writes it has an error.
    """
    for number, wrong_way in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, wrong_way)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it lives as long as the process
    encoding = sys.stdout.encoding if sys.stdout is not None else "utf-8"
    raw = _Output(1, "w", closefd=False)
    raw.copy = copy
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(raw), encoding=encoding, errors="backslashreplace", line_buffering=raw.isatty())


def abandon(stream: TextIO, number: int) -> None:
    """Let what is still to be written to a stream go nowhere: Python would complain once more when it flushes at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)
    stream.flush()


def complain(text: str) -> None:
    """Write lines to standard error; where that can't be written to, the exit code has to say it all."""
    not_repeatable()
    if sys.stderr is None:
        return
    try:
        sys.stderr.writelines(f"{shown(line)}\n" for line in text.split("\n"))
        sys.stderr.flush()
    except OSError:
        abandon(sys.stderr, 2)


def warn(text: str) -> None:
    """Write a warning to standard error."""
    complain(f"Warning: {text}")


def in_utf_8(stream: TextIO) -> TextIO:
    """The stream, from now on in UTF-8."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8")
    return stream


def as_text(argument: str) -> str:
    r"""A file's name, or any other argument, as it may be shown: its bytes that aren't UTF-8 as `\xff`."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        return os.fsencode(argument).decode(errors="backslashreplace")
    return argument
