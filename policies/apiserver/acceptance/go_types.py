"""Go types as a JSON decoder sees them, and how a value of each is read.

A decoded value is plain JSON without Go's zero values: an absent key is "", 0, false or nil, and an empty list is a list that was written.
So two decoded values are equal if ``reflect.DeepEqual`` finds the structs equal. Types that decode themselves (`ByItself`) use a new
decoder inside, which doesn't check for unknown or repeated fields. Source: sigs.k8s.io/json, and the ``UnmarshalJSON`` methods of
k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/marshal.go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass, field


@dataclass(frozen=True, slots=True)
class Text:
    """A string."""

    name: str = "string"


@dataclass(frozen=True, slots=True)
class Boolean:
    """A bool."""

    name: str = "bool"


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer of 32 or 64 bits."""

    bits: int = 64

    @property
    def name(self) -> str:
        """``int32`` or ``int64``."""
        return f"int{self.bits}"


@dataclass(frozen=True, slots=True)
class Float:
    """A float64."""

    name: str = "float64"


@dataclass(frozen=True, slots=True)
class Bytes:
    """A byte slice; in JSON it is base64, and kept as that text."""

    name: str = "[]uint8"


@dataclass(frozen=True, slots=True)
class Time:
    """A time, RFC 3339 in JSON; kept in the server's spelling."""

    name: str = "v1.Time"


@dataclass(frozen=True, slots=True)
class AnyJSON:
    """JSON kept as it is."""

    name: str = "v1.JSON"


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct."""

    struct: str
    fields: Mapping[str, Field] = field(hash=False, compare=False)

    @property
    def name(self) -> str:
        """The name as Go prints it."""
        return f"v1.{self.struct}"


@dataclass(frozen=True, slots=True)
class ListOf:
    """A slice; `named` is the name of its type, if it has one."""

    item: GoType
    named: str = ""

    @property
    def name(self) -> str:
        """The name as Go prints it."""
        return self.named or f"[]{self.item.name}"


@dataclass(frozen=True, slots=True)
class MapOf:
    """A map with string keys; `named` is the name of its type, if it has one."""

    value: GoType
    named: str = ""

    @property
    def name(self) -> str:
        """The name as Go prints it."""
        return self.named or f"map[string]{self.value.name}"


@dataclass(frozen=True, slots=True)
class ByItself:
    """A type that decodes itself: from a map as `map_type`, from a list as `list_type`.

    Any other value is read by `other`, or refused with the message `refusal`.
    """

    name: str
    map_type: GoType
    list_type: GoType | None = None
    other: Callable[[JSONValue], JSONValue] | None = None
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A type that reads its value itself.

    `read` returns the value that is kept, or raises ValueError with Go's message. `zero` is its zero value.
    """

    name: str
    read: Callable[[JSONValue], JSONValue]
    zero: JSONValue = None


GoType: TypeAlias = "Text | Boolean | Integer | Float | Bytes | Time | AnyJSON | Struct | ListOf | MapOf | ByItself | Scalar"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a struct. A pointer can be nil, which differs from zero. `always` says that the field is written even if it is empty.

    `embedded` are the structs within the struct that have the field; errors name them from 1.35 on.
    """

    type: GoType
    pointer: bool = False
    always: bool = False
    embedded: tuple[str, ...] = ()


def fields_of(types: Mapping[str, GoType]) -> dict[str, Field]:
    """The fields of a struct, by their names. The name of a pointer begins with `*`, that of a field that is always written with `!`."""
    named = ((name, of) for names, of in types.items() for name in names.split())
    return {name.lstrip("*!"): Field(of, pointer=name.startswith("*"), always=name.startswith("!")) for name, of in named}


def struct(name: str, types: Mapping[str, GoType]) -> Struct:
    """A struct with its fields, as `fields_of` reads them."""
    return Struct(name, fields_of(types))
