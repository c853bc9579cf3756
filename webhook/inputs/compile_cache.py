"""Compiled schemas and rules in the user's cache folder, so that the next run needn't compile them again.

What is kept is code, and loading it runs it. So a file counts only if it and its folder belong to the user, no one else may write to them,
and it holds its own digest and the stamp of this engine on this interpreter. That keeps out other users of the machine, files cut short
and files of another version. It doesn't keep out a process that can write as this user, which could change the program itself.

One file holds one group of keys, such as all that was compiled of one schema. Files are read when first asked for, and written, whole and
under a new name that then replaces the old, when the process ends. A folder that can't be used is no error; nothing is kept then.
"""

from __future__ import annotations

import atexit
import hashlib
import marshal
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from typing import Final

from weighbridge import policies
from weighbridge.certs.atomicfile import opened_folder, replace_in

#: Names the folder; ``off`` does without.
VARIABLE: Final = "WEIGHBRIDGE_CACHE"
_OFF: Final = "off"
_SUFFIX: Final = ".units"
_FORMAT: Final = b"weighbridge units 1\n"
_DIGEST_SIZE: Final = hashlib.sha256().digest_size
#: No group may grow beyond this, and all files together not beyond that; the ones that were written longest ago go first.
_LARGEST_GROUP: Final = 48 << 20
_LARGEST_FOLDER: Final = 256 << 20
#: The packages of the engine that compiled code depends on, each with all below it, and the modules next to them.
STAMPED: Final = ("ground", "codegen", "schema", "cel", "apiserver")
_OTHERS_MAY_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH

_Group = dict[str, bytes]


class CompileCache:
    """The cache in one folder. Nothing is written before `save`."""

    def __init__(self, folder: Path, stamp: bytes) -> None:
        self._folder = folder
        self._stamp = stamp
        self._groups: dict[str, _Group] = {}
        self._changed: set[str] = set()

    def get(self, key: str) -> bytes | None:
        """What was put under `key`; `None` where nothing was, or where its file can't be trusted."""
        group, _, name = key.partition("/")
        return self._group(group).get(name)

    def put(self, key: str, data: bytes) -> None:
        """Keep `data` under `key` until the process ends, and, once saved, beyond."""
        group, _, name = key.partition("/")
        self._group(group)[name] = data
        self._changed.add(group)

    def _group(self, group: str) -> _Group:
        found = self._groups.get(group)
        if found is None:
            found = self._groups[group] = self._read(group)
        return found

    def _read(self, group: str) -> _Group:
        try:
            with _opened_folder(self._folder) as folder:
                return self._unpacked(_trusted_bytes(group + _SUFFIX, folder))
        except (OSError, ValueError, EOFError, TypeError):
            return {}

    def _unpacked(self, data: bytes) -> _Group:
        """The group that `_packed` made `data` of; raises ValueError for anything else."""
        head, rest = data[: len(_FORMAT) + _DIGEST_SIZE], data[len(_FORMAT) + _DIGEST_SIZE :]
        if head != _FORMAT + self._digest(rest):
            raise ValueError("not what this engine wrote")
        found: _Group = marshal.loads(rest)  # noqa: S302 - the file is ours, and the digest says that it is whole
        return found

    def _packed(self, group: _Group) -> bytes:
        rest = marshal.dumps(group)
        return _FORMAT + self._digest(rest) + rest

    def _digest(self, data: bytes) -> bytes:
        return hashlib.sha256(self._stamp + data).digest()

    def save(self) -> None:
        """Write what has changed; whatever another process has written meanwhile is kept. Never raises."""
        if not self._changed:
            return
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _opened_folder(self._folder) as folder:
                for group in sorted(self._changed):
                    self._write(group, folder)
                _evict(folder)
        self._changed.clear()

    def _write(self, group: str, folder: int) -> None:
        content = self._read(group) | self._groups[group]
        data = self._packed(content)
        if len(data) > _LARGEST_GROUP:
            return
        # The digest finds what a broken disk has changed, and it is compiled again.
        replace_in(folder, group + _SUFFIX, data, 0o600, lasting=False)


def _is_ours(status: os.stat_result) -> bool:
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_MAY_WRITE


@contextmanager
def _opened_folder(folder: Path) -> Iterator[int]:
    """The folder, opened; raises OSError where it isn't there or isn't the user's alone to write to."""
    with opened_folder(folder) as opened:
        if not _is_ours(os.fstat(opened)):
            raise PermissionError(folder)
        yield opened


def _trusted_bytes(name: str, folder: int) -> bytes:
    """The content of a file; raises OSError where it isn't there or isn't the user's alone to write to."""
    with open(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or not _is_ours(status) or status.st_size > _LARGEST_GROUP:
            raise PermissionError(name)
        return file.read()


def _evict(folder: int) -> None:
    """Remove the files that were written longest ago, as far as all of them together are too large."""
    with os.scandir(folder) as entries:
        files = [(entry.stat(follow_symlinks=False), entry.name) for entry in entries if entry.name.endswith(_SUFFIX)]
    total = sum(status.st_size for status, _ in files)
    for status, name in sorted(files, key=lambda file: file[0].st_mtime_ns):
        if total <= _LARGEST_FOLDER:
            return
        with suppress(OSError):
            os.unlink(name, dir_fd=folder)
        total -= status.st_size


def engine_stamp() -> bytes:
    """What identifies this engine on this interpreter: its source files by name, size and time, as Python's own cache does."""
    parts = [sys.implementation.cache_tag or sys.implementation.name, MAGIC_NUMBER.hex(), sys.version]
    for root in policies.__path__:
        sources = [*_sources(root, is_deep=False), *(found for package in STAMPED for found in _sources(os.path.join(root, package)))]
        parts += [f"{path.removeprefix(root)} {status.st_size} {status.st_mtime_ns}" for path, status in sources]
    return hashlib.sha256("\n".join(parts).encode()).digest()


def _sources(folder: str, *, is_deep: bool = True) -> Iterator[tuple[str, os.stat_result]]:
    """The Python files of a folder, with `is_deep` also those of the folders in it, in order of their names."""
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if entry.name.endswith(".py"):
            yield entry.path, entry.stat()
        elif is_deep and entry.name != "__pycache__" and entry.is_dir():
            yield from _sources(entry.path)


def _folder() -> Path | None:
    """The folder of the cache; `None` where it is switched off or there is no place for it."""
    named = os.environ.get(VARIABLE, "")
    if named == _OFF or not hasattr(os, "geteuid"):
        return None
    if named:
        with suppress(RuntimeError):
            return Path(named).expanduser()
        return None
    home = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(home):
        return Path(home, "weighbridge", "compiled")
    with suppress(RuntimeError):
        return Path.home() / ".cache" / "weighbridge" / "compiled"
    return None


@cache
def compile_cache() -> CompileCache | None:
    """The user's cache, which is saved when the process ends; `None` where there is none."""
    folder = _folder()
    if folder is None:
        return None
    try:
        stamp = engine_stamp()
    except OSError:
        # The engine isn't in plain files, so its changes can't be seen.
        return None
    found = CompileCache(folder, stamp)
    atexit.register(found.save)
    return found
