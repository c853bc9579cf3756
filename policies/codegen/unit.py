"""Compiles generated source: the only module that calls `compile` and `exec`.

The source is registered with `linecache`, so that a traceback through generated code shows its lines, and taken out again when the
compiled unit goes, so that hot reload doesn't grow. Only the 4-tuple form works there for names in angle brackets.
"""

from __future__ import annotations

import builtins
import linecache
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

#: The builtins that emitters may use; nothing else is reachable from generated code.
_BUILTINS: Final = {
    name: getattr(builtins, name)
    for name in (
        "abs", "all", "any", "bool", "bytes", "dict", "enumerate", "float", "int", "isinstance", "len", "list", "max", "min",
        "None", "range", "repr", "reversed", "set", "sorted", "str", "tuple", "type", "zip",
        "Exception", "IndexError", "KeyError", "OverflowError", "TypeError", "ValueError", "ZeroDivisionError",
    )
    if hasattr(builtins, name)
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class GeneratedUnit:
    """Source text and the constants it names; `name` says what it was made from."""

    name: str
    source: str
    constants: Mapping[str, object]


class CompiledUnit:
    """The functions of a unit, by name."""

    def __init__(self, file_name: str, source: str, namespace: dict[str, Any]) -> None:
        self.source = source
        self._namespace = namespace
        weakref.finalize(self, linecache.cache.pop, file_name, None)

    def function(self, name: str) -> Callable[..., Any]:
        """The function called `name` in the source; KeyError where the source defines none."""
        found: Callable[..., Any] = self._namespace[name]
        return found


_serial = 0


def load(unit: GeneratedUnit, environment: Mapping[str, object]) -> CompiledUnit:
    """Compile `unit`; `environment` holds the run-time functions that its source calls."""
    global _serial  # noqa: PLW0603 - file names in linecache must differ
    _serial += 1
    # A name may hold what a user wrote, and a file's name may not hold everything.
    shown = "".join(char if char.isprintable() else " " for char in unit.name)
    file_name = f"<weighbridge {shown} #{_serial}>"
    namespace: dict[str, Any] = {"__builtins__": _BUILTINS, **environment, **unit.constants}
    exec(compile(unit.source, file_name, "exec", dont_inherit=True), namespace)
    linecache.cache[file_name] = (len(unit.source), None, unit.source.splitlines(keepends=True), file_name)
    return CompiledUnit(file_name, unit.source, namespace)
