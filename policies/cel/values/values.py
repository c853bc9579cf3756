"""The values of CEL at run time for which Python has no type.

bool, int, float, str, bytes and None are Python's own; a uint is a subclass of int. Lists that an expression builds are Python lists, and
maps are `MapValue`. Data from an object remains JSON: where its type isn't known statically, `DataList` and `DataMap` pair it with its
declared type.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from weighbridge.policies.ground.records import dataclass

if TYPE_CHECKING:
    from weighbridge.policies.cel.values.declared import DeclaredType
    from weighbridge.policies.ground.objects import JSONObject

#: Any CEL value. `Any` on purpose: the checker knows the types, Python needn't.
Value: TypeAlias = Any

NANOS_PER_SECOND: Final = 1_000_000_000


class CelError(Exception):
    """An evaluation fails; the text is the server's. Never leaves a program."""


class PanicError(Exception):
    """The server's interpreter panics here, which ends the whole evaluation; the text is the server's."""


class NotKnownError(Exception):
    """An expression reads a value that isn't known, so it can't be evaluated; the text says which."""


class Unreadable:
    """An element of an object's list that doesn't fit its declared type. A list may hold it; reading it raises CelError with its text."""

    __slots__ = ("text",)
    #: The name of its type.
    cel_type = "error"

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


class GoNull:
    """CEL's null in a list that holds Go's data: it isn't the null of JSON, so no schema takes it."""

    __slots__ = ()

    def __str__(self) -> str:
        return "NULL_VALUE"


GO_NULL: Final = GoNull()


class NotKnown:
    """A value in an object's JSON that only the server knows. An expression that reads it can't be evaluated."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason


class PartialMap(dict[str, Any]):
    """A map of an object to which the server may add entries. An expression that looks for other entries than these can't be evaluated."""

    __slots__ = ("reason",)

    def __init__(self, known: Mapping[str, Any], reason: str) -> None:
        super().__init__(known)
        self.reason = reason

    def __contains__(self, key: object) -> bool:
        if super().__contains__(key):
            return True
        raise NotKnownError(self.reason)

    def __iter__(self) -> Iterator[str]:
        raise NotKnownError(self.reason)

    def __len__(self) -> int:
        raise NotKnownError(self.reason)


class LazyMap:
    """A map with fixed names. Each value is computed when it is first read."""

    __slots__ = ("_values", "_work_out", "cel_type")

    def __init__(self, work_out: Mapping[str, Callable[[], Value]], cel_type: str) -> None:
        """A CelError that `work_out` raises is a value too."""
        self._work_out = work_out
        self._values: dict[str, Value] = {}
        self.cel_type = cel_type

    def find(self, key: Value) -> tuple[Value, bool]:
        """The value under a name, and whether there is one."""
        if key.__class__ is not str or key not in self._work_out:
            return None, False
        if key not in self._values:
            try:
                self._values[key] = self._work_out[key]()
            except CelError as error:
                self._values[key] = error
        value = self._values[key]
        if value.__class__ is CelError:
            raise value
        return value, True


class Uint(int):
    """An unsigned 64-bit integer."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Uint({int(self)})"


@dataclass(frozen=True, slots=True, order=True)
class Duration:
    """A span of time in nanoseconds."""

    nanoseconds: int


@dataclass(frozen=True, slots=True)
class Timestamp:
    """A point in time: nanoseconds since 1970 in UTC, and the offset (seconds) it was written with."""

    nanoseconds: int
    offset: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Timestamp) and self.nanoseconds == other.nanoseconds

    def __hash__(self) -> int:
        return hash(self.nanoseconds)

    @property
    def seconds(self) -> int:
        """Whole seconds since 1970, rounded down."""
        return self.nanoseconds // NANOS_PER_SECOND


@dataclass(frozen=True, slots=True)
class Optional:
    """A value that may be missing."""

    present: bool
    value: Value = None


NONE: Final = Optional(present=False)


@dataclass(frozen=True, slots=True)
class TypeValue:
    """A type as a value; types are equal if their names are."""

    name: str


def map_token(key: Value) -> Hashable:
    """The token by which map keys are compared: equal values of different types are different keys.

    Raises PanicError for a value that Go can't hash.
    """
    if key.__class__ is str or key.__class__ is int:
        return key
    if key.__class__ is bytes or getattr(key, "is_unhashable", False):
        # Imported here, since hardly any expression has such a key.
        from weighbridge.policies.cel.run_time_errors import unhashable

        raise PanicError(unhashable(go_type_name(key)))
    # Containers as keys are compared by identity, as pointers are in Go.
    return (key.__class__.__name__, key if key.__class__.__hash__ is not None else id(key))


class MapValue:
    """A map that an expression built, with its keys in the order in which they were added."""

    __slots__ = ("_entries",)

    def __init__(self) -> None:
        self._entries: dict[Hashable, tuple[Value, Value]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Value]:
        return (key for key, _ in self._entries.values())

    def items(self) -> Iterator[tuple[Value, Value]]:
        """Keys and values."""
        return iter(self._entries.values())

    def put(self, key: Value, value: Value) -> None:
        """Add or replace an entry."""
        self._entries[map_token(key)] = (key, value)

    def drop(self, key: Value) -> None:
        """Take an entry out, if it is there."""
        self._entries.pop(map_token(key), None)

    def copy(self) -> MapValue:
        """A map with the same entries."""
        copied = MapValue()
        copied._entries = dict(self._entries)
        return copied

    def find(self, key: Value) -> tuple[Value, bool]:
        """The value under `key`, and whether there is one. A number also finds an equal number of another type."""
        entry = self._entries.get(map_token(key))
        if entry is None and isinstance(key, (int, float)) and key.__class__ is not bool:
            entry = self._find_number(key)
        return (None, False) if entry is None else (entry[1], True)

    def _find_number(self, key: float) -> tuple[Value, Value] | None:
        if key.__class__ is float and not key.is_integer():
            return None
        number = int(key)
        if key.__class__ is not int:
            found = self._entries.get(number)
            if found is not None:
                return found
        return self._entries.get(("Uint", Uint(number))) if number >= 0 and key.__class__ is not Uint else None


class DataList:
    """A list from an object, with its declared type."""

    __slots__ = ("declared", "raw")

    def __init__(self, raw: list[Any], declared: DeclaredType) -> None:
        self.raw = raw
        self.declared = declared

    def __len__(self) -> int:
        return len(self.raw)


class DataMap:
    """A map or object from an object, with its declared type."""

    __slots__ = ("declared", "raw")

    def __init__(self, raw: JSONObject, declared: DeclaredType) -> None:
        self.raw = raw
        self.declared = declared

    def __len__(self) -> int:
        return len(self.raw)


class Hidden:
    """A value that the schema doesn't describe: rules can't read it, only compare it."""

    __slots__ = ("raw",)

    def __init__(self, raw: Any) -> None:
        self.raw = raw


def type_name(value: Value) -> str:
    """The run-time name of a value's type, as ``type()`` yields it."""
    found = _NAMES.get(value.__class__)
    if found is not None:
        return found
    return str(getattr(value, "cel_type", "unknown"))


def go_type_name(value: Value) -> str:
    """The Go type in which the server holds a value; a few messages print it."""
    found = _GO_NAMES.get(value.__class__)
    if value.__class__ is DataMap or value.__class__ is DataList:
        return str(value.declared.go_types[value.__class__ is DataList])
    return found if found is not None else str(getattr(value, "go_type", "unknown"))


_NAMES: Final[dict[type, str]] = {
    bool: "bool",
    int: "int",
    Uint: "uint",
    float: "double",
    str: "string",
    bytes: "bytes",
    type(None): "null_type",
    list: "list",
    DataList: "list",
    MapValue: "map",
    DataMap: "map",
    Duration: "google.protobuf.Duration",
    Timestamp: "google.protobuf.Timestamp",
    Optional: "optional_type",
    TypeValue: "type",
    CelError: "error",
}


_GO_NAMES: Final[dict[type, str]] = {
    bool: "types.Bool",
    int: "types.Int",
    Uint: "types.Uint",
    float: "types.Double",
    str: "types.String",
    bytes: "types.Bytes",
    type(None): "types.Null",
    list: "*types.baseList",
    DataList: "*common.unstructuredList",
    MapValue: "*types.baseMap",
    DataMap: "*common.unstructuredMap",
    Hidden: "*common.unstructuredMap",
    Duration: "types.Duration",
    Timestamp: "types.Timestamp",
    Optional: "*types.Optional",
    TypeValue: "*types.Type",
    CelError: "*types.Err",
}
