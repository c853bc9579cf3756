"""Makes the standard streams safe to use, even if they are closed, full, in another encoding, or have lost their reader.

Output that can't be written raises OutputError, so that it isn't mistaken for a file that can't be read. In text, characters that the
encoding lacks become escapes; JSON and YAML are UTF-8 in any locale (RFC 8259, section 8.1; YAML 1.2, section 5.2).
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
    """Standard output can't be written to; `reader_left` says that it is a pipe whose reader has gone."""

    def __init__(self, error: OSError) -> None:
        text = error.strerror or str(error)
        super().__init__("it is closed" if error.errno == errno.EBADF else text[:1].lower() + text[1:])
        self.reader_left = error.errno == errno.EPIPE


class _Output(io.FileIO):
    """The raw file of standard output; `copy` gets the written bytes."""

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
    """Make the standard streams of this process usable. Call it before opening any file. `copy` gets all of standard output.

    A closed descriptor is replaced by one that fails when it is used. So no file opened later can get its number, and an error occurs only
    if something reads or writes the stream.
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
    """Discard whatever a stream hasn't written yet; otherwise Python would complain again when it flushes at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)
    stream.flush()


def complain(text: str) -> None:
    """Write lines to standard error. If that fails, only the exit code is left."""
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
    """Switch the stream to UTF-8, and return it."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8")
    return stream


def as_text(argument: str) -> str:
    r"""A file's name, or any other argument, as text that can be shown: bytes that aren't UTF-8 become `\xff` and the like."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        return os.fsencode(argument).decode(errors="backslashreplace")
    return argument
