"""Compiles generated source: the only module that does so, apart from that of records (`ground/records.py`).

A traceback through generated code shows its lines: `linecache` asks the `__loader__` among a function's globals for them, unless the name
of the file is in angle brackets. Nothing is registered, so nothing is left when a unit is dropped.
"""

from __future__ import annotations

import builtins
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
    """Source text and the constants it names; `name` says what it was made from, and `origins` how to find its constants again."""

    name: str
    source: str
    constants: Mapping[str, object]
    origins: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)


class CompiledUnit:
    """The functions of a unit, by name."""

    def __init__(self, source: str, namespace: dict[str, Any]) -> None:
        self.source = source
        self._namespace = namespace

    def function(self, name: str) -> Callable[..., Any]:
        """The function called `name` in the source; KeyError if the source defines none."""
        found: Callable[..., Any] = self._namespace[name]
        return found


class _Loader:
    """Gives `linecache` the source of a unit."""

    def __init__(self, source: str) -> None:
        self._source = source

    def get_source(self, _name: str) -> str:
        return self._source


def compile_unit(unit: GeneratedUnit) -> CodeType:
    """Compile the source of `unit`. Its file name depends only on name and source, so that the code can be kept."""
    # A name may hold a user's text, which can have characters that a file name can't.
    shown = "".join(char if char.isprintable() else " " for char in unit.name)
    checksum = zlib.crc32(unit.source.encode("utf-8", "surrogatepass"))
    return compile(unit.source, f"weighbridge {shown} #{checksum:08x}", "exec", dont_inherit=True)


def load(unit: GeneratedUnit, environment: Mapping[str, object], code: CodeType | None = None) -> CompiledUnit:
    """Make the functions of `unit`; `environment` holds what its source calls; `code` is its compiled source, if known."""
    code = code or compile_unit(unit)
    file_name = code.co_filename
    namespace: dict[str, Any] = {"__builtins__": _BUILTINS, "__name__": file_name, "__loader__": _Loader(unit.source)}
    namespace |= environment
    namespace |= unit.constants
    exec(code, namespace)
    return CompiledUnit(unit.source, namespace)
