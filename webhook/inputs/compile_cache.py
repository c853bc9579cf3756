"""Compiled schemas and rules in the user's cache folder, so that the next run needn't compile them again.

What is kept is code, and loading it runs it; `webhook/cache/folder.py` says which files are trusted.

One file has one group of keys, such as all that was compiled of one schema. Files are read when first needed. When the process ends, they
are written under a new name, which then replaces the old one. If the folder can't be used, nothing is kept, and that isn't an error.
"""

from __future__ import annotations

import atexit
import marshal
import os
import sys
from collections.abc import Iterator
from functools import cache
from typing import Final

from weighbridge import policies
from weighbridge.policies.ground.digests import blake2b
from weighbridge.webhook.cache.folder import Folder, place

#: The most bytes of a group, and of all files together; those that were written longest ago are removed first.
_LARGEST_GROUP: Final = 48 << 20
_LARGEST_FOLDER: Final = 256 << 20
#: The packages of the engine on which compiled code depends, each with all below it, and the modules next to them.
STAMPED: Final = ("ground", "codegen", "schema", "cel", "apiserver")

_Group = dict[str, bytes]


class CompileCache:
    """The cache in one folder. Nothing is written before `save`."""

    def __init__(self, folder: str | os.PathLike[str], stamp: bytes) -> None:
        self._folder = Folder(os.fspath(folder), stamp, suffix=".units", largest_file=_LARGEST_GROUP, largest_folder=_LARGEST_FOLDER)
        self._groups: dict[str, _Group] = {}
        self._changed: set[str] = set()

    def get(self, key: str) -> bytes | None:
        """The data under `key`; `None` if there is none or its file can't be trusted."""
        group, _, name = key.partition("/")
        return self._group(group).get(name)

    def put(self, key: str, data: bytes) -> None:
        """Keep `data` under `key` until the process ends, and longer if it is saved."""
        group, _, name = key.partition("/")
        self._group(group)[name] = data
        self._changed.add(group)

    def _group(self, group: str) -> _Group:
        found = self._groups.get(group)
        if found is None:
            found = self._groups[group] = self._read(group)
        return found

    def _read(self, group: str) -> _Group:
        data = self._folder.read(group)
        found: _Group = marshal.loads(data) if data else {}  # noqa: S302 - the file is ours, and the digest says that it is whole
        return found

    def save(self) -> None:
        """Write what has changed, and keep what other processes have written meanwhile. Never raises."""
        if self._changed:
            self._folder.write({group: marshal.dumps(self._read(group) | self._groups[group]) for group in self._changed})
            self._changed.clear()


def engine_stamp() -> bytes:
    """The identity of this engine on this interpreter: its source files by name, size and time, as in Python's own cache."""
    parts = [sys.implementation.cache_tag or sys.implementation.name, sys.version]
    for root in policies.__path__:
        sources = [*_sources(root, is_deep=False), *(found for package in STAMPED for found in _sources(os.path.join(root, package)))]
        parts += [f"{path.removeprefix(root)} {status.st_size} {status.st_mtime_ns}" for path, status in sources]
    return blake2b("\n".join(parts).encode()).digest()


def _sources(folder: str, *, is_deep: bool = True) -> Iterator[tuple[str, os.stat_result]]:
    """The Python files of a folder, with `is_deep` also those of the folders in it, sorted by name."""
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if entry.name.endswith(".py"):
            yield entry.path, entry.stat()
        elif is_deep and entry.name != "__pycache__" and entry.is_dir():
            yield from _sources(entry.path)


@cache
def compile_cache() -> CompileCache | None:
    """The user's cache, which is saved when the process ends, or `None`."""
    folder = place("compiled")
    if folder is None:
        return None
    try:
        stamp = engine_stamp()
    except OSError:
        # The engine isn't in plain files, so changes of it can't be noticed.
        return None
    found = CompileCache(folder, stamp)
    atexit.register(found.save)
    return found
