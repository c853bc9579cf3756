"""Answers of whole runs: if a command would read the same as before, it gives the same answer, without loading the program.

The answer of `lint` and `dry-run` depends on the command line, the terminal, the program and the files that it reads. A run is kept under
the digest of what is known at its start: arguments, working folder, terminal and interpreter. It is used if each file and folder that it
read has the same content, and the program's files are unchanged. A run that read anything else (standard input, a pattern, a link), warned
or failed isn't kept.
"""

from __future__ import annotations

import marshal
import os
import sys
import time

from weighbridge.policies.ground.digests import blake2b
from weighbridge.webhook.cache import inputs, program
from weighbridge.webhook.cache.folder import Folder, place

#: The commands whose answer depends only on what they read, and which write only that answer.
COMMANDS = frozenset({"lint", "dry-run"})
#: Variables that change how an answer is written.
_VARIABLES = ("COLUMNS", "LINES", "NO_COLOR", "TERM", "LANG", "LC_ALL", "LC_CTYPE", "PYTHONIOENCODING", "PYTHONUTF8")
#: click's own variable, which requests a completion script for a shell.
COMPLETE = "_WEIGHBRIDGE_COMPLETE"
_LARGEST_RUN = 8 << 20
_LARGEST_FOLDER = 64 << 20


class Run:
    """A run in progress, which may be kept."""

    def __init__(self, folder: Folder, name: str) -> None:
        self._folder = folder
        self._name = name
        self._output = bytearray()
        self._inputs = inputs.record()

    def wrote(self, data: bytes) -> None:
        """Record what was written to standard output."""
        if len(self._output) <= _LARGEST_RUN:
            self._output += data

    def keep(self, code: int) -> None:
        """Keep the answer, if a later run can check whether it would be the same. Never raises."""
        read = self._inputs
        if code in (0, 1) and read.repeatable and len(self._output) <= _LARGEST_RUN and (used := program.used()):
            answer = code, bytes(self._output), used, read.files, read.folders, read.looked_for, read.until
            self._folder.write({self._name: marshal.dumps(answer)})


def begun(arguments: list[str]) -> Run | None:
    """The run of a command, recorded from now on; `None` if its answer can't be kept."""
    name = _name(arguments)
    folder = _folder() if name else None
    return Run(folder, name) if folder is not None and name else None


def answered(arguments: list[str]) -> int | None:
    """Write what a run with the same inputs wrote, and return its exit code; `None` if there was none. Raises OSError for the output."""
    name = _name(arguments)
    folder = _folder() if name else None
    data = folder.read(name) if folder is not None and name else None
    if not data:
        return None
    found = inputs.ReadFiles()
    answer = marshal.loads(data)  # noqa: S302 - the file is ours and whole
    code, output, used, found.files, found.folders, found.looked_for, found.until = answer
    if (found.until is not None and time.time() >= found.until) or not program.are_unchanged(used) or not found.are_unchanged():
        return None
    rest = memoryview(output)
    while rest:
        rest = rest[os.write(1, rest) :]
    return int(code)


def _folder() -> Folder | None:
    path = place("runs")
    if path is None:
        return None
    return Folder(path, b"weighbridge run 2", suffix=".run", largest_file=2 * _LARGEST_RUN, largest_folder=_LARGEST_FOLDER)


#: The name of this process's run, by its arguments; it is needed twice for a run that isn't kept yet.
_names: dict[tuple[str, ...], str | None] = {}


def _name(arguments: list[str]) -> str | None:
    """The name under which a run is kept; `None` if it can't be kept."""
    key = tuple(arguments)
    if key not in _names:
        _names[key] = _new_name(arguments)
    return _names[key]


def _new_name(arguments: list[str]) -> str | None:
    if not arguments or arguments[0] not in COMMANDS or COMPLETE in os.environ or sys.stdout is None:
        return None
    try:
        known = (arguments, os.getcwd(), _environment(), _terminal(), program.environment(), program.places())
    except OSError:
        return None
    return blake2b(repr(known).encode("utf-8", "surrogateescape"), digest_size=32).hexdigest()


def _environment() -> object:
    """The variables that change an answer or how it is written, including Weighbridge's settings."""
    ours = sorted(name for name in os.environ if name.startswith("WEIGHBRIDGE_"))
    return [(name, os.environ.get(name)) for name in (*_VARIABLES, *ours)]


def _terminal() -> object:
    try:
        size = os.get_terminal_size(1)
    except OSError:
        size = None
    return os.isatty(1), size, sys.stdout.encoding
