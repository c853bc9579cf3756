"""Compiles generated source: the only module that calls `compile` and `exec`.

The source is registered with `linecache`, so that a traceback through generated code shows its lines, and taken out again when the
compiled unit goes, so that hot reload doesn't grow. Only the 4-tuple form works there for names in angle brackets.
"""

from __future__ import annotations

import builtins
import linecache
import weakref
import zlib
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any, Final

from weighbridge.policies.ground.records import dataclass, field

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
    """Source text and the constants it names; `name` says what it was made from, `origins` how to find constants again."""

    name: str
    source: str
    constants: Mapping[str, object]
    origins: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)


class CompiledUnit:
    """The functions of a unit, by name."""

    def __init__(self, file_name: str, source: str, namespace: dict[str, Any]) -> None:
        self.source = source
        self._namespace = namespace
        _register(file_name, source)
        weakref.finalize(self, _unregister, file_name)

    def function(self, name: str) -> Callable[..., Any]:
        """The function called `name` in the source; KeyError where the source defines none."""
        found: Callable[..., Any] = self._namespace[name]
        return found


#: How many units of one file name are alive: what is generated twice from the same schema has the same name and the same lines.
_alive: dict[str, int] = {}


def compile_unit(unit: GeneratedUnit) -> CodeType:
    """Compile the source of `unit`. Its file name follows from name and source alone, so that the code can be kept."""
    # A name may hold what a user wrote, and a file's name may not hold everything.
    shown = "".join(char if char.isprintable() else " " for char in unit.name)
    checksum = zlib.crc32(unit.source.encode("utf-8", "surrogatepass"))
    return compile(unit.source, f"<weighbridge {shown} #{checksum:08x}>", "exec", dont_inherit=True)


def load(unit: GeneratedUnit, environment: Mapping[str, object], code: CodeType | None = None) -> CompiledUnit:
    """Make the functions of `unit`; `environment` holds what its source calls, `code` is its compiled source where that is known."""
    code = code or compile_unit(unit)
    namespace: dict[str, Any] = {"__builtins__": _BUILTINS, **environment, **unit.constants}
    exec(code, namespace)
    return CompiledUnit(code.co_filename, unit.source, namespace)


def _register(file_name: str, source: str) -> None:
    _alive[file_name] = _alive.get(file_name, 0) + 1
    linecache.cache[file_name] = (len(source), None, source.splitlines(keepends=True), file_name)


def _unregister(file_name: str) -> None:
    left = _alive.get(file_name, 1) - 1
    if left > 0:
        _alive[file_name] = left
        return
    _alive.pop(file_name, None)
    linecache.cache.pop(file_name, None)
