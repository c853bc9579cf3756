"""Creates files, and replaces files in one step. All errors are OSErrors."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_SECRET: Final = 0o770


@contextmanager
def opened_folder(folder: str | os.PathLike[str]) -> Iterator[int]:
    """The descriptor of a directory, so that all operations are in the same directory."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def mode_of(status: os.stat_result, *, secret: bool = False) -> int:
    """The mode that a file keeps when it is rewritten. One with a secret loses the permissions of users other than its owner and group."""
    mode = stat.S_IMODE(status.st_mode)
    return mode & _SECRET if secret else mode


def create(
    path: str | os.PathLike[str],
    data: bytes,
    mode: int | None = None,
    *,
    owner: os.stat_result | None = None,
    folder: int | None = None,
    lasting: bool = True,
) -> None:
    """Create a file, in `folder` if that is given. It is removed again if it can't be written completely.

    It has exactly `mode`, or without one what the umask leaves, and the owner and group of another file if the user may set them. With
    `lasting` the data has reached the disk. Raises OSError: FileExistsError even for a link.
    """
    descriptor = os.open(path, _NEW, 0o666 if mode is None else 0o600, dir_fd=folder)
    try:
        try:
            write_all(descriptor, data)
            if owner is not None:
                _give(descriptor, owner)
            if mode is not None:
                os.fchmod(descriptor, mode)
            if lasting:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException:
        with suppress(OSError):
            os.unlink(path, dir_fd=folder)
        raise


def replace_in(folder: int, name: str, data: bytes, mode: int | None, *, owner: os.stat_result | None = None, lasting: bool = True) -> None:
    """Make `data` the content of a file of the directory `folder`, whole or not at all; the rest as for `create`.

    It is first written to a file with an unpredictable name; a link with that name is never followed. Raises OSError.
    """
    temporary = f".weighbridge-{os.urandom(16).hex()}"
    create(temporary, data, mode, owner=owner, folder=folder, lasting=lasting)
    try:
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise
    if lasting:
        # Some file systems can't flush directories.
        with suppress(OSError):
            os.fsync(folder)


def write_all(descriptor: int, data: bytes) -> None:
    """Write to a descriptor until nothing is left. Raises OSError."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _give(descriptor: int, owner: os.stat_result) -> None:
    """Give a file the group and the owner of another one; only root can set both."""
    own = os.fstat(descriptor)
    if (own.st_uid, own.st_gid) != (owner.st_uid, owner.st_gid):
        with suppress(OSError):
            os.fchown(descriptor, -1, owner.st_gid)
        with suppress(OSError):
            os.fchown(descriptor, owner.st_uid, -1)
