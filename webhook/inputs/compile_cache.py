"""Compiled schemas and rules in the user's cache folder, so that the next run needn't compile them again.

What is kept is code, and loading it runs it; `webhook/cache/folder.py` says which files are trusted.

One file holds one group of keys, such as all that was compiled of one schema. Files are read when first asked for, and written, whole and
under a new name that then replaces the old, when the process ends. A folder that can't be used is no error; nothing is kept then.
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

#: No group may grow beyond this, and all files together not beyond that; the ones that were written longest ago go first.
_LARGEST_GROUP: Final = 48 << 20
_LARGEST_FOLDER: Final = 256 << 20
#: The packages of the engine that compiled code depends on, each with all below it, and the modules next to them.
STAMPED: Final = ("ground", "codegen", "schema", "cel", "apiserver")

_Group = dict[str, bytes]


class CompileCache:
    """The cache in one folder. Nothing is written before `save`."""

    def __init__(self, folder: str | os.PathLike[str], stamp: bytes) -> None:
        self._folder = Folder(os.fspath(folder), stamp, suffix=".units", largest_file=_LARGEST_GROUP, largest_folder=_LARGEST_FOLDER)
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
        data = self._folder.read(group)
        found: _Group = marshal.loads(data) if data else {}  # noqa: S302 - the file is ours, and the digest says that it is whole
        return found

    def save(self) -> None:
        """Write what has changed; whatever another process has written meanwhile is kept. Never raises."""
        if self._changed:
            self._folder.write({group: marshal.dumps(self._read(group) | self._groups[group]) for group in self._changed})
            self._changed.clear()


def engine_stamp() -> bytes:
    """What identifies this engine on this interpreter: its source files by name, size and time, as Python's own cache does."""
    parts = [sys.implementation.cache_tag or sys.implementation.name, sys.version]
    for root in policies.__path__:
        sources = [*_sources(root, is_deep=False), *(found for package in STAMPED for found in _sources(os.path.join(root, package)))]
        parts += [f"{path.removeprefix(root)} {status.st_size} {status.st_mtime_ns}" for path, status in sources]
    return blake2b("\n".join(parts).encode()).digest()


def _sources(folder: str, *, is_deep: bool = True) -> Iterator[tuple[str, os.stat_result]]:
    """The Python files of a folder, with `is_deep` also those of the folders in it, in order of their names."""
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if entry.name.endswith(".py"):
            yield entry.path, entry.stat()
        elif is_deep and entry.name != "__pycache__" and entry.is_dir():
            yield from _sources(entry.path)


@cache
def compile_cache() -> CompileCache | None:
    """The user's cache, which is saved when the process ends; `None` where there is none."""
    folder = place("compiled")
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
