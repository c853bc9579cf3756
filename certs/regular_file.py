"""Reads a regular file without blocking, for files that are read repeatedly.

Opening a named pipe waits for a writer, and a device may have no end or act when it is opened, so the reader could hang forever. So the
kind is checked before opening, and again after opening.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import Final

_KINDS: Final = {stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}
_AT_A_TIME: Final = 1 << 20


class NotRegularError(OSError):
    """The path doesn't lead to a regular file, or the file is too large."""


def irregular(mode: int) -> str:
    """What a file is by its mode, in words: ``not a regular file but a named pipe``; empty if it is a regular one."""
    return "" if stat.S_ISREG(mode) else f"not a regular file but {_KINDS.get(stat.S_IFMT(mode), 'a special one')}"


def read_regular_file(path: str | os.PathLike[str], most_bytes: int) -> bytes:
    """The content of a file. Raises NotRegularError, which is an OSError, if it isn't a regular file or has more than `most_bytes`."""
    _check(os.stat(path), most_bytes)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        _check(os.fstat(descriptor), most_bytes)
        data = bytearray()
        # The file may grow while it is read.
        while len(data) <= most_bytes and (part := os.read(descriptor, _AT_A_TIME)):
            data += part
    finally:
        os.close(descriptor)
    if len(data) > most_bytes:
        raise _too_large(most_bytes)
    return bytes(data)


def _check(status: os.stat_result, most_bytes: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    what = irregular(status.st_mode)
    if what:
        raise NotRegularError(errno.EINVAL, what)
    if status.st_size > most_bytes:
        raise _too_large(most_bytes)


def _too_large(most_bytes: int) -> NotRegularError:
    return NotRegularError(errno.EFBIG, too_large(most_bytes))


def too_large(most_bytes: int) -> str:
    """The error for a file of more bytes than are read."""
    for unit, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if most_bytes >= size and most_bytes % size == 0:
            return f"larger than {most_bytes // size} {unit}, the most that is read"
    return f"larger than {most_bytes} bytes, the most that is read"
