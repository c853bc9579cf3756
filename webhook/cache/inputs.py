"""Records what a run of a command has read, so that a later run can check whether it would read the same.

Readers of files call these functions. They do nothing unless a run is recorded.
"""

from __future__ import annotations

import os
import stat

from weighbridge.policies.ground.digests import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

#: More bytes than a file that is read may have; see `webhook/manifests/files.py`.
_MOST_BYTES = 64 << 20
#: Replaces the digest of a folder with links.
_LINKED = b""


class ReadFiles:
    """The files and folders that were read, by path, each with the digest of its content.

    `repeatable` is false if the run used other inputs too.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.folders: dict[str, bytes] = {}
        #: Paths that were looked for, and whether they existed. Their content is in `files` or `folders`, if it was read.
        self.looked_for: dict[str, bool] = {}
        self.repeatable = True
        #: Seconds since the epoch from which the answer may differ; `None` for never.
        self.until: float | None = None

    def are_unchanged(self) -> bool:
        """Whether everything is there as it was read."""
        if any(os.path.exists(path) is not is_there for path, is_there in self.looked_for.items()):
            return False
        return all(_is_unchanged(path, digest) for path, digest in self.folders.items()) and _are_unchanged(self.files)


_recorded: ReadFiles | None = None


def record() -> ReadFiles:
    """Start to record what this process reads."""
    global _recorded  # noqa: PLW0603 - a process has one run
    _recorded = ReadFiles()
    return _recorded


def file_was_read(path: str, data: bytes, descriptor: int) -> None:
    """Report a file that was opened as `descriptor`, and all of its bytes. Only a regular file has the same content when read again."""
    if _recorded is not None:
        digest = blake2b(data).digest()
        same = _recorded.files.setdefault(path, digest) == digest
        _recorded.repeatable &= same and stat.S_ISREG(os.fstat(descriptor).st_mode) and not os.path.islink(path)


def folder_was_read(path: str, entries: Iterable[os.DirEntry[str]]) -> None:
    """Report a folder whose entries were read. One with links isn't repeatable, since they may lead elsewhere next time."""
    if _recorded is not None:
        digest = _digest(entries)
        same = _recorded.folders.setdefault(path, digest) == digest
        _recorded.repeatable &= same and digest != _LINKED


def was_looked_for(path: str, *, is_there: bool) -> None:
    """Report that a path was looked for, such as a file of settings, and whether it exists."""
    if _recorded is not None:
        _recorded.looked_for[path] = is_there


def is_there(path: str) -> bool:
    """Whether a path exists; it is reported as looked for."""
    there = os.path.exists(path)
    was_looked_for(path, is_there=there)
    return there


def not_repeatable() -> None:
    """Report that the run used something that a later run can't compare: standard input, a pattern, the network, a failure."""
    if _recorded is not None:
        _recorded.repeatable = False


def holds_until(seconds: float) -> None:
    """Report a time, in seconds since the epoch, from which on the answer may differ."""
    if _recorded is not None:
        _recorded.until = seconds if _recorded.until is None else min(seconds, _recorded.until)


def _digest(entries: Iterable[os.DirEntry[str]]) -> bytes:
    """The digest of a folder's entries: their names, and which are folders. Hidden folders don't count, since they aren't entered."""
    names = []
    for entry in entries:
        if entry.is_symlink():
            return _LINKED
        if not entry.is_dir():
            names.append(entry.name)
        elif not entry.name.startswith("."):
            names.append(entry.name + "/")
    return blake2b("\0".join(sorted(names)).encode("utf-8", "surrogateescape")).digest()


def _is_unchanged(folder: str, digest: bytes) -> bool:
    try:
        with os.scandir(folder) as entries:
            return _digest(entries) == digest
    except OSError:
        return False


def _are_unchanged(files: dict[str, bytes]) -> bool:
    """Whether each file has its recorded content, and no two paths lead to the same file."""
    seen = set()
    for path, digest in files.items():
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except (OSError, ValueError):
            return False
        try:
            status = os.fstat(descriptor)
            seen.add((status.st_dev, status.st_ino))
            if not stat.S_ISREG(status.st_mode) or blake2b(_content(descriptor, status.st_size)).digest() != digest:
                return False
        except OSError:
            return False
        finally:
            os.close(descriptor)
    return len(seen) == len(files)


def _content(descriptor: int, size: int) -> bytes:
    """All bytes of a file of about `size` bytes; one that is too large for readers counts as changed."""
    data = os.read(descriptor, size + 1)
    while part := os.read(descriptor, 1 << 20):
        data += part
        if len(data) > _MOST_BYTES:
            break
    return data
