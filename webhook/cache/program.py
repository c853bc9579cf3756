"""The program's own files: what identifies them, and whether those that a run used are as they were.

A run uses the modules that it has imported, the files that aren't modules, and all folders: a module that is added or renamed changes its
folder. A folder or file is known by size and time of change, as in Python's own cache of byte code.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    #: Of a path, size and time of change.
    State = tuple[int, int]

_PYCACHE = "__pycache__"
#: What changed later may have been read before or after: file systems count time in steps of some milliseconds.
_SETTLED = time.time_ns() - 100_000_000
#: With it, other processes have judged, and this one doesn't know what they have imported.
_OTHERS = "weighbridge.webhook.cli.sharing.copies"


def environment() -> object:
    """What identifies the interpreter and the program's place."""
    import weighbridge

    return sys.version, sys.flags, sys.executable, list(weighbridge.__path__)


def places() -> object:
    """The places that Python imports from. A change of an installed package changes the folder that it is in."""
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
    """Whether files and folders have the states of then."""
    try:
        return all(state(path) == then for path, then in found.items())
    except OSError:
        return False


def settled(paths: Iterable[str]) -> dict[str, State] | None:
    """The states of files and folders, if none has changed since this process began; `None` also if one can't be asked."""
    found = {}
    try:
        for path in paths:
            found[path] = state(path)
            changed = found[path][1]
            if changed >= _SETTLED and not _is_new_folder_of_bytecode(path, changed):
                return None
    except OSError:
        return None
    return found


def _is_new_folder_of_bytecode(path: str, changed: int) -> bool:
    """Whether the last that a folder got is the folder of Python's own byte code, whose first file comes right after."""
    folder = os.path.join(path, _PYCACHE)
    return os.path.isdir(folder) and os.stat(folder).st_mtime_ns >= changed


def used() -> dict[str, State] | None:
    """The states of all that this process has used of the program; `None` if that can't be said."""
    import weighbridge

    try:
        return settled([*_imported(), *(path for root in weighbridge.__path__ for path in _below(root, all_of_it=_OTHERS in sys.modules))])
    except OSError:
        return None


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
