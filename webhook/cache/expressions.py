"""Compiled regular expressions of the program's modules in one file of the cache folder.

Compiling one takes as long as importing a module. The compiled form is kept: a list of numbers, which `_sre` checks before it uses them.
The name of the file has the version of Python. If these parts of Python differ, expressions are compiled as usual.
"""

from __future__ import annotations

import atexit
import importlib
import marshal
import re
import sys
from typing import Any, Final

from weighbridge.policies.ground import expressions
from weighbridge.policies.ground.digests import blake2b
from weighbridge.webhook.cache.folder import Folder, place

#: A kept expression: its numbers as bytes, its flags, the number of groups, groups by name, and names by group.
_Parts = tuple[bytes, int, int, dict[str, int], tuple[str | None, ...]]
_NUMBER: Final = "I"
_LARGEST_FILE = 4 << 20
_LARGEST_FOLDER = 16 << 20


class Kept:
    """The expressions that are kept in a file of a folder, and those that will be."""

    def __init__(self, folder: Folder, name: str) -> None:
        self._folder = folder
        self._name = name
        self._known: dict[tuple[str | bytes, int], _Parts] | None = None
        self._is_new = False

    def compile(self, text: str | bytes, flags: int) -> re.Pattern[Any]:
        """An expression, from the cache or compiled."""
        if self._known is None:
            data = self._folder.read(self._name)
            self._known = marshal.loads(data) if data else {}  # noqa: S302 - the file is ours and whole
        key = text, int(flags)
        parts = self._known.get(key)
        try:
            if parts is None:
                parts = _compiled(text, flags)
                self._known[key] = parts
                if not self._is_new:
                    self._is_new = True
                    atexit.register(self.save)
            code, all_flags, groups, by_name, by_group = parts
            numbers = list(memoryview(code).cast(_NUMBER))
            made: re.Pattern[Any] = sys.modules["_sre"].compile(text, all_flags, numbers, groups, by_name, by_group)
        except (AttributeError, ImportError, KeyError, RuntimeError, TypeError, ValueError):
            return re.compile(text, flags)
        return made

    def save(self) -> None:
        """Write the expressions that weren't kept, with those that were. Never raises."""
        self._folder.write({self._name: marshal.dumps(self._known)})


def install() -> None:
    """Keep the expressions of the program's modules from now on, if there is a cache folder."""
    path = place("expressions")
    if path is None or sys.byteorder != "little":
        return
    folder = Folder(path, b"weighbridge expressions 1", suffix=".expressions", largest_file=_LARGEST_FILE, largest_folder=_LARGEST_FOLDER)
    name = blake2b(sys.version.encode(), digest_size=16).hexdigest()
    expressions.compiled_by(Kept(folder, name).compile)


def _compiled(text: str | bytes, flags: int) -> _Parts:
    """The compiled form of an expression, as `re.compile` gets it from Python's compiler. Raises what that raises."""
    compiler: Any = importlib.import_module("re._compiler")
    parsed = compiler._parser.parse(text, int(flags))  # noqa: SLF001 - nothing public gives the numbers
    numbers = compiler._code(parsed, int(flags))  # noqa: SLF001
    by_name = dict(parsed.state.groupdict)
    by_group: list[str | None] = [None] * parsed.state.groups
    for name, number in by_name.items():
        by_group[number] = name
    code = b"".join(number.to_bytes(4, "little") for number in numbers)
    return code, int(flags) | parsed.state.flags, parsed.state.groups - 1, by_name, tuple(by_group)
