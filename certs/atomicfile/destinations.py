"""Writes what a user names: a file, a link to one, a device, a FIFO, or a stream of the process itself.

A file is replaced in one step and keeps its mode, and a link is followed to its file. Anything that isn't a regular file is written into,
as the shell's ``>`` does, since replacing it would take it away from its reader. A file with hard links is written into as well, since its
other names would keep the old content; its room is reserved first. A secret is never written into a file with other names.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from typing import Final

from weighbridge.certs.atomicfile.errors import WriteError
from weighbridge.certs.atomicfile.new_files import mode_of, opened_folder, replace_in, write_all

#: The most links in a row that are followed, as in Linux.
_MOST_LINKS: Final = 40
_DESCRIPTOR: Final = re.compile(r"(?:/dev/fd|/proc/(?P<process>[0-9]+)(?:/task/[0-9]+)?/fd)/(?P<number>[0-9]+)")


def write(path: str | os.PathLike[str], data: bytes, *, secret: bool = False) -> None:
    """Make `data` the content of what `path` leads to: as a whole or, if that is a file, not at all.

    A new file gets the mode that the umask leaves, one with a `secret` 0600. Raises WriteError.
    """
    named = os.fspath(path)
    try:
        _write(named, data, secret=secret)
    except OSError as error:
        raise WriteError.of(named, error) from None


def _write(path: str, data: bytes, *, secret: bool) -> None:
    stream = _own_stream(path)
    if stream is not None:
        write_all(stream, data)
        return
    try:
        status = os.stat(path)
    except FileNotFoundError:
        status = None
    if status is None or stat.S_ISREG(status.st_mode):
        _replace(path, data, exists=status is not None, secret=secret)
        return
    descriptor = os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        write_all(descriptor, data)
    finally:
        os.close(descriptor)


def _replace(path: str, data: bytes, *, exists: bool, secret: bool) -> None:
    target = os.path.realpath(path)
    standing = _writable(target) if exists else None
    if standing is not None and standing.st_nlink > 1 and not secret:
        _overwrite(target, data)
        return
    mode = mode_of(standing, secret=secret) if standing is not None else 0o600 if secret else None
    folder, name = os.path.split(target)
    try:
        with opened_folder(folder) as descriptor:
            replace_in(descriptor, name, data, mode, owner=standing)
    except OSError as error:
        raise WriteError.in_folder(path, folder, error) from None


def _writable(path: str) -> os.stat_result:
    """The file's status. Raises OSError if the user may not write to it, even if the directory allows replacing it."""
    descriptor = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        return os.fstat(descriptor)
    finally:
        os.close(descriptor)


def _overwrite(path: str, data: bytes) -> None:
    """Write into the existing file. Raises OSError; if there is no room, nothing has changed."""
    descriptor = os.open(path, os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        size = os.fstat(descriptor).st_size
        try:
            if len(data) > size:
                _make_room(descriptor, len(data))
        except OSError:
            os.ftruncate(descriptor, size)
            raise
        write_all(descriptor, data)
        os.ftruncate(descriptor, len(data))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _make_room(descriptor: int, size: int) -> None:
    """Reserve room for a file of that size. Raises OSError."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, size)


def _own_stream(path: str) -> int | None:
    """The descriptor of this process that a name such as ``/dev/stdout`` means.

    Opening that name again would begin at the start of a file that is already open and may have been written to.
    """
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(os.path.abspath(path))
        path = os.path.join(os.path.realpath(folder), name)
        found = _DESCRIPTOR.fullmatch(path)
        if found is not None and found["process"] in {None, str(os.getpid())}:
            return int(found["number"])
        try:
            path = os.path.join(os.path.dirname(path), os.readlink(path))
        except OSError:
            return None
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
