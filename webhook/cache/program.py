"""The program's own files: their states, and whether those that a run used are unchanged.

A run uses the modules that it has imported, the files that aren't modules, and all folders: a module that is added or renamed changes its
folder. A folder or file is known by size and time of change, as in Python's own cache of byte code.
"""

from __future__ import annotations

import marshal
import os
import sys
import time

from weighbridge.policies.ground.digests import blake2b
from weighbridge.webhook.cache.folder import Folder, place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    #: The size and the time of change of a path.
    State = tuple[int, int]

_PYCACHE = "__pycache__"
NOTHING: Mapping[str, State] = {}
#: A file that changed later than this may have been read before or after: file systems count time in steps of some milliseconds.
_SETTLED = time.time_ns() - 100_000_000
#: If this module was used, other processes have judged objects, and this one doesn't know what they have imported.
_OTHERS = "weighbridge.webhook.cli.processes.copies"


def environment() -> object:
    """What identifies the interpreter and the program's place."""
    import weighbridge

    return sys.version, sys.flags, sys.executable, list(weighbridge.__path__)


def places() -> object:
    """The folders from which Python imports. A change of an installed package changes the folder that it is in."""
    return [(path, _changed(path)) for path in sys.path]


def _changed(path: str) -> int | None:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None


def state(path: str) -> State:
    """The state of a file or folder. Raises OSError."""
    status = os.stat(path)
    return status.st_size, status.st_mtime_ns


def are_unchanged(found: Mapping[str, State]) -> bool:
    """Whether files and folders have these states."""
    try:
        return all(state(path) == then for path, then in found.items())
    except OSError:
        return False


#: The states of the files that this process has imported from the cache folder. They describe the code that runs, even if the files change
#: later.
_imported_as: dict[str, State] = {}


def are_imported(found: Mapping[str, State]) -> bool:
    """Whether files and folders have these states; if so, they are the states of what this process uses."""
    if not are_unchanged(found):
        return False
    _imported_as.update(found)
    return True


def settled(paths: Iterable[str], known: Mapping[str, State] = NOTHING) -> dict[str, State] | None:
    """The states of files and folders, including known ones, if none has changed since this process began.

    `None` also if one can't be read.
    """
    found = dict(known)
    try:
        for path in paths:
            found[path] = _imported_as.get(path) or state(path)
        for path, (_, changed) in found.items():
            if changed >= _SETTLED and not _is_new_folder_of_bytecode(path, changed):
                return None
    except OSError:
        return None
    return found


def _is_new_folder_of_bytecode(path: str, changed: int) -> bool:
    """Whether the latest entry of a folder is the folder of Python's own byte code, whose first file is written right after."""
    folder = os.path.join(path, _PYCACHE)
    return os.path.isdir(folder) and os.stat(folder).st_mtime_ns >= changed


def used() -> dict[str, State] | None:
    """The states of all files of the program that this process has used; `None` if that isn't known."""
    import weighbridge

    roots = list(weighbridge.__path__)
    try:
        if _OTHERS in sys.modules:
            return settled([*_imported(), *(path for root in roots for path in _below(root, all_of_it=True))])
        return _with_lists(roots)
    except OSError:
        return None


def _with_lists(roots: list[str]) -> dict[str, State] | None:
    """What `used` returns, if only this process has judged objects.

    Folders are listed once, and the lists are kept while the folders are unchanged.
    """
    path, key = place("program"), blake2b(repr(roots).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()
    lists = Folder(path, b"weighbridge lists 1", suffix=".lists", largest_file=1 << 20, largest_folder=16 << 20) if path else None
    data = lists.read(key) if lists is not None else None
    folders, files = marshal.loads(data) if data else ({}, [])  # noqa: S302 - the file is ours and whole
    if folders and are_unchanged(folders):
        return settled([*_imported(), *files], folders)
    found = settled([*_imported(), *(path for root in roots for path in _below(root, all_of_it=False))])
    if found is not None and lists is not None:
        folders = {path: then for path, then in found.items() if os.path.isdir(path)}
        lists.write({key: marshal.dumps((folders, [path for path in found if path not in folders and not path.endswith(".py")]))})
    return found


def _imported() -> Iterator[str]:
    """The files of the program's modules."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "weighbridge":
            origin = getattr(module.__spec__, "origin", None)
            if origin:
                yield origin


def _below(folder: str, *, all_of_it: bool) -> Iterator[str]:
    """A folder with the folders below it, and the files in them that aren't modules."""
    yield folder
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                if all_of_it:
                    yield entry.path
            elif not entry.is_dir():
                yield entry.path
            elif entry.name != _PYCACHE:
                yield from _below(entry.path, all_of_it=all_of_it)
