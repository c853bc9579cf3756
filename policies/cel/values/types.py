"""Static types: what is known of an expression's value before it runs.

Types are immutable and compared by structure. `dyn` isn't checked, type parameters are types still to be found, and opaque types (optionals
and those of libraries) differ by name. Source: cel-go's `common/types/types.go` and `checker/format.go`.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from weighbridge.policies.ground.records import dataclass


class Kind(Enum):
    """The shapes a type can have."""

    BOOL = auto()
    BYTES = auto()
    DOUBLE = auto()
    DURATION = auto()
    DYN = auto()
    ERROR = auto()
    INT = auto()
    LIST = auto()
    MAP = auto()
    NULL = auto()
    OPAQUE = auto()
    PARAMETER = auto()
    STRING = auto()
    STRUCT = auto()
    TIMESTAMP = auto()
    TYPE = auto()
    UINT = auto()


@dataclass(frozen=True, slots=True)
class Type:
    """One type; `name` is its run-time name, `parameters` its element types."""

    kind: Kind
    name: str
    parameters: tuple[Type, ...] = ()

    def __str__(self) -> str:
        """The type as the checker's messages print it."""
        printed = _PRINTED.get(self.kind)
        if printed is not None:
            return printed
        if not self.parameters:
            return self.name
        return f"{self.name}({', '.join(map(str, self.parameters))})"

    @property
    def is_dyn(self) -> bool:
        """Whether any type is accepted."""
        return self.kind is Kind.DYN

    @property
    def is_optional(self) -> bool:
        """Whether this is an optional."""
        return self.kind is Kind.OPAQUE and self.name == "optional_type"

    def is_equivalent(self, other: Type) -> bool:
        """Whether both are equal except for the names of type parameters."""
        if self.kind is not other.kind or len(self.parameters) != len(other.parameters):
            return False
        if self.kind is not Kind.PARAMETER and self.name != other.name:
            return False
        return all(mine.is_equivalent(theirs) for mine, theirs in zip(self.parameters, other.parameters, strict=True))


_PRINTED: Final = {
    Kind.DURATION: "duration",
    Kind.ERROR: "!error!",
    Kind.NULL: "null",
    Kind.TIMESTAMP: "timestamp",
}

BOOL: Final = Type(Kind.BOOL, "bool")
BYTES: Final = Type(Kind.BYTES, "bytes")
DOUBLE: Final = Type(Kind.DOUBLE, "double")
DURATION: Final = Type(Kind.DURATION, "google.protobuf.Duration")
DYN: Final = Type(Kind.DYN, "dyn")
ERROR: Final = Type(Kind.ERROR, "error")
INT: Final = Type(Kind.INT, "int")
NULL: Final = Type(Kind.NULL, "null_type")
STRING: Final = Type(Kind.STRING, "string")
TIMESTAMP: Final = Type(Kind.TIMESTAMP, "google.protobuf.Timestamp")
TYPE: Final = Type(Kind.TYPE, "type")
UINT: Final = Type(Kind.UINT, "uint")

A: Final = Type(Kind.PARAMETER, "A")
B: Final = Type(Kind.PARAMETER, "B")


def list_of(element: Type) -> Type:
    """``list(element)``."""
    return Type(Kind.LIST, "list", (element,))


def map_of(key: Type, value: Type) -> Type:
    """``map(key, value)``."""
    return Type(Kind.MAP, "map", (key, value))


def optional_of(value: Type) -> Type:
    """``optional_type(value)``."""
    return opaque("optional_type", value)


def opaque(name: str, *parameters: Type) -> Type:
    """A type of which only the name and the parameters are known."""
    return Type(Kind.OPAQUE, name, parameters)


def struct(name: str) -> Type:
    """A type with declared fields."""
    return Type(Kind.STRUCT, name)


def parameter(name: str) -> Type:
    """A type still to be found."""
    return Type(Kind.PARAMETER, name)


def type_of(value: Type) -> Type:
    """The type of a type."""
    return Type(Kind.TYPE, "type", (value,))


LIST_OF_A: Final = list_of(A)
MAP_OF_A_B: Final = map_of(A, B)

#: Types whose values have a size of one.
_SCALARS: Final = frozenset({Kind.BOOL, Kind.DOUBLE, Kind.DURATION, Kind.INT, Kind.TIMESTAMP, Kind.UINT})


def is_scalar(type_: Type) -> bool:
    """Whether values of this type have a fixed size."""
    if type_.is_optional:
        return is_scalar(type_.parameters[0])
    return type_.kind in _SCALARS


def unwrapped(type_: Type) -> tuple[Type, bool]:
    """The type of an optional's content, or the type itself, and whether it was an optional."""
    return (type_.parameters[0], True) if type_.is_optional else (type_, False)
