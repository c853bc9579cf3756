"""An operand of the direct form: the Python expression of its value, and what is known of the value at compile time.

A container from an object remains JSON, with its declared type; everything else is a CEL value. `sure` says that the value is of its static
type and isn't null, so that operations on it can be written in Python.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.values.declared import DeclaredType, Shape
from weighbridge.policies.cel.values.types import BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, Kind, Type
from weighbridge.policies.ground.records import dataclass

#: The shapes of containers from objects that remain JSON.
RAW_SHAPES = frozenset({Shape.OBJECT, Shape.MAP, Shape.EMPTY, Shape.LIST})
#: Scalars of which only the Python class has to be checked.
SCALAR_CLASSES: Final = {Shape.STRING: "str", Shape.INT: "int", Shape.BOOL: "bool"}
#: The types of scalars by their shape.
SCALAR_TYPES: Final = {
    Shape.STRING: STRING, Shape.INT: INT, Shape.BOOL: BOOL, Shape.DOUBLE: DOUBLE, Shape.BYTES: BYTES,
    Shape.DURATION: DURATION, Shape.DATE: TIMESTAMP, Shape.DATE_TIME: TIMESTAMP,
}  # fmt: skip


class UnsupportedError(Exception):
    """The direct form can't express something, so only the tracked form runs."""


@dataclass(slots=True)
class Operand:
    """A Python expression without side effects, and what is known of its value."""

    code: str
    type: Type
    sure: bool = True
    declared: DeclaredType | None = None
    #: Whether all elements of a list are sure.
    sure_elements: bool = False
    constant: object = None
    is_constant: bool = False

    @property
    def is_raw(self) -> bool:
        """Whether the value is JSON with a declared type."""
        return self.declared is not None

    @property
    def kind(self) -> Kind:
        """The kind of the value if that is certain, else dyn."""
        return self.type.kind if self.sure else Kind.DYN


def boolean(code: str) -> Operand:
    """A bool."""
    return Operand(code, BOOL)


def integer(code: str) -> Operand:
    """An int."""
    return Operand(code, INT)


def unsure(code: str, type_: Type = DYN) -> Operand:
    """A CEL value that may be null or of another type than the static one."""
    return Operand(code, type_, sure=False)
