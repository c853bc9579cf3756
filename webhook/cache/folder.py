"""A folder of the cache: where it is, and files in it that only their owner can have written.

A file counts only if it and its folder belong to the user, no one else may write to them, and it begins with the label of its version and
with length and checksum of what follows. So files of other users or versions, and truncated or damaged files, aren't used. A process that
can write as this user could change the program itself, so a digest wouldn't help more.
"""

from __future__ import annotations

import os
import stat
import zlib

from weighbridge.policies.ground.digests import blake2b

#: The variable that names the folder; ``off`` disables the cache.
VARIABLE = "WEIGHBRIDGE_CACHE"
_OFF = "off"
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH
_LABEL_SIZE = 16
_HEAD_SIZE = _LABEL_SIZE + 12


def place(room: str) -> str | None:
    """The path of a folder of the cache; `None` if the cache is switched off or there is no place for it."""
    named = os.environ.get(VARIABLE, "")
    if named == _OFF or not hasattr(os, "geteuid"):
        return None
    if named:
        path = os.path.expanduser(named)
        return None if path.startswith("~") else os.path.join(path, room)
    home = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(home):
        home = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "weighbridge", room) if os.path.isabs(home) else None


class Folder:
    """A folder whose files are read and written whole. A folder that can't be used counts as empty."""

    def __init__(self, path: str, stamp: bytes, *, suffix: str, largest_file: int, largest_folder: int) -> None:
        """`suffix` ends the names of its files. Sizes are in bytes; files that were written longest ago are removed first."""
        self._path = path
        self._label = blake2b(stamp, digest_size=_LABEL_SIZE).digest()
        self._suffix = suffix
        self._largest_file = largest_file
        self._largest_folder = largest_folder

    def read(self, name: str) -> memoryview | None:
        """The content of a file; `None` if it isn't there or can't be trusted."""
        try:
            folder = self._opened()
            try:
                data = self._bytes(name + self._suffix, folder)
            finally:
                os.close(folder)
        except OSError:
            return None
        rest = memoryview(data)[_HEAD_SIZE:]
        return rest if data[:_HEAD_SIZE] == self._head(rest) else None

    def write(self, files: dict[str, bytes]) -> None:
        """Write files, each replacing the one with its name. Never raises; a file that is too large isn't written."""
        from weighbridge.certs.atomicfile import replace_in

        try:
            os.makedirs(self._path, mode=0o700, exist_ok=True)
            folder = self._opened()
            try:
                for name in sorted(files):
                    data = files[name]
                    if len(data) <= self._largest_file:
                        replace_in(folder, name + self._suffix, self._head(data) + data, 0o600, lasting=False)
                self._evict(folder)
            finally:
                os.close(folder)
        except OSError:
            return

    def _head(self, data: bytes | memoryview) -> bytes:
        return self._label + len(data).to_bytes(8) + zlib.crc32(data).to_bytes(4)

    def _opened(self) -> int:
        """The folder's descriptor; raises OSError if it isn't there or isn't the user's alone to write to."""
        folder = os.open(self._path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        if not _is_ours(os.fstat(folder)):
            os.close(folder)
            raise PermissionError(self._path)
        return folder

    def _bytes(self, name: str, folder: int) -> bytes:
        """The content of a file; raises OSError if it isn't there or isn't the user's alone to write to."""
        with open(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or not _is_ours(status) or status.st_size > self._largest_file + _HEAD_SIZE:
                raise PermissionError(name)
            return file.read()

    def _evict(self, folder: int) -> None:
        """Remove the files that were written longest ago, if all together are too large."""
        with os.scandir(folder) as entries:
            files = [(entry.stat(follow_symlinks=False), entry.name) for entry in entries if entry.name.endswith(self._suffix)]
        total = sum(status.st_size for status, _ in files)
        for status, name in sorted(files, key=lambda file: file[0].st_mtime_ns):
            if total <= self._largest_folder:
                return
            try:
                os.unlink(name, dir_fd=folder)
            except OSError:
                continue
            total -= status.st_size


def _is_ours(status: os.stat_result) -> bool:
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_MAY_WRITE
