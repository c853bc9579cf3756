"""Writes functions that check whether the values in data have the kinds that its type declares.

A stored object may have values of other kinds, which an update leaves alone. Such a value is an error on the left side of a comparison; on
the right side it only differs. 1, 1.0 and True are equal in Python, so the numbers on the right are checked too if two pieces of data are
equal. A missing field can't be wrong.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.values.declared import DeclaredType, Shape
from weighbridge.policies.codegen import SourceWriter

_OTHER_KIND: Final = {
    Shape.INT: "{0}.__class__ is not int",
    Shape.BOOL: "{0}.__class__ is not bool",
    Shape.STRING: "{0}.__class__ is not str",
    Shape.DOUBLE: "{0}.__class__ is not float and {0}.__class__ is not int",
}


class KindChecks:
    """The checks of one unit; each is a function of the data that raises RetryError."""

    def __init__(self, writer: SourceWriter) -> None:
        self._writer = writer
        self._names: dict[int, str] = {}
        self._pending: list[tuple[str, DeclaredType]] = []

    def function(self, declared: DeclaredType) -> str:
        """The name of the check for plain data."""
        name = self._names.get(id(declared))
        if name is None:
            name = self._names[id(declared)] = self._writer.fresh("kinds")
            self._pending.append((name, declared))
        return name

    def write(self) -> None:
        """Write all that were requested."""
        while self._pending:
            name, declared = self._pending.pop()
            self._writer.line("")
            self._writer.line("")
            with self._writer.block(f"def {name}(raw):"):
                self._write_body("raw", declared)

    def _write_body(self, code: str, declared: DeclaredType) -> None:
        if declared.shape is Shape.OBJECT:
            for name, inner in declared.properties.items():
                value = self._writer.fresh("v")
                self._writer.line(f"{value} = {code}.get({self._writer.literal(name)})")
                with self._writer.block(f"if {value} is not None:"):
                    self._write_value(value, inner)
            if not declared.properties:
                self._writer.line("pass")
        elif declared.element is not None and declared.element.shape is Shape.STRING:
            with self._writer.block(f"if not all_texts({code}{'' if declared.shape is Shape.LIST else '.values()'}):"):
                self._writer.line("raise RetryError")
        elif declared.element is not None:
            value = self._writer.fresh("v")
            with self._writer.block(f"for {value} in {code}{'' if declared.shape is Shape.LIST else '.values()'}:"):
                self._write_value(value, declared.element)
        else:
            self._write_value(code, declared)

    def _write_value(self, code: str, declared: DeclaredType) -> None:
        if declared.shape in _OTHER_KIND:
            with self._writer.block(f"if {_OTHER_KIND[declared.shape].format(code)}:"):
                self._writer.line("raise RetryError")
        elif declared.shape is Shape.OBJECT and all(inner.shape in _OTHER_KIND for inner in declared.properties.values()):
            self._write_body(code, declared)
        else:
            if declared.shape is Shape.LIST:
                # A text or a map can be run over like a list; any other kind fails in the check.
                with self._writer.block(f"if {code}.__class__ is not list:"):
                    self._writer.line("raise RetryError")
            self._writer.line(f"{self.function(declared)}({code})")
