"""Writes the lines of a generated unit: indentation, fresh identifiers, constants.

Identifiers are a prefix and a number, never derived from a schema or CEL name. A value from outside becomes a literal if its `repr` is one
(str, int, bool, None, bytes, finite float), else a constant of the unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from weighbridge.policies.codegen.unit import GeneratedUnit
from weighbridge.policies.ground.objects import JSONValue

_INDENT = "    "
_COMMENT_WIDTH = 100

#: How another process finds a constant again: a word that its resolver knows, and plain arguments.
Origin = tuple[Any, ...]
#: The words that need no resolver: plain data, and an object that is found in a module by its name.
PLAIN: Final = "plain"
NAMED: Final = "named"


def comment_text(text: str) -> str:
    """Text from outside, in the form of a trailing comment: one line, printable, short."""
    flat = "".join(char if char.isprintable() else " " for char in text)
    return flat if len(flat) <= _COMMENT_WIDTH else flat[: _COMMENT_WIDTH - 1] + "…"


class SourceWriter:
    """Collects the source of one unit."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._depth = 0
        self._numbers: dict[str, int] = {}
        self._constants: dict[str, object] = {}
        self._origins: dict[str, Origin] = {}
        self._constant_names: dict[tuple[type, int], str] = {}

    def fresh(self, prefix: str) -> str:
        """A new identifier: `prefix` (ours, a plain word) and a number."""
        number = self._numbers.get(prefix, 0) + 1
        self._numbers[prefix] = number
        return f"{prefix}{number}"

    def line(self, code: str, comment: str = "") -> None:
        """Add one statement; `comment` may hold outside text."""
        tail = f"  # {comment_text(comment)}" if comment else ""
        self._lines.append(f"{_INDENT * self._depth}{code}{tail}" if code else "")

    @contextmanager
    def block(self, header: str, comment: str = "") -> Iterator[None]:
        """A compound statement; the lines written within the block are its body."""
        self.line(header, comment)
        self._depth += 1
        before = len(self._lines)
        yield
        if len(self._lines) == before:
            self.line("pass")
        self._depth -= 1

    def literal(self, value: JSONValue | bytes) -> str:
        """An expression for `value`: its repr if that is a literal, else the name of a constant."""
        if value is None or isinstance(value, (bool, int, bytes, str)):
            return repr(value)
        if isinstance(value, float) and math.isfinite(value):
            return repr(value)
        return self.constant(value)

    def constant(self, value: object, origin: Origin | None = None) -> str:
        """The name under which the unit's code finds `value` (one name for one object).

        `origin` is for a constant whose origin can't be derived.
        """
        key = (type(value), id(value))
        name = self._constant_names.get(key)
        if name is None:
            name = self.fresh("k")
            self._constant_names[key] = name
            self._constants[name] = value
            if origin is not None:
                self._origins[name] = origin
        return name

    def unit(self, name: str) -> GeneratedUnit:
        """The finished unit; `name` is shown in tracebacks."""
        return GeneratedUnit(name, "\n".join(self._lines) + "\n", dict(self._constants), dict(self._origins))
