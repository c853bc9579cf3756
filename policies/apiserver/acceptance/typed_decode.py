"""Decodes JSON into Go types as the server's decoder does: with its errors, in its words, and those of strict decoding.

The first wrong type is remembered and the other fields are still read, but an error inside a type that decodes itself ends the decoding at
once. The fields of a map are read in the order of their names, and whole floats as integers, as kubectl sends them. Source:
sigs.k8s.io/json internal/golang/encoding/json/decode.go.
"""

from __future__ import annotations

import base64
from typing import Final

from weighbridge.policies.apiserver.acceptance.go_types import (
    AnyJSON,
    Boolean,
    ByItself,
    Bytes,
    Field,
    Float,
    GoType,
    Integer,
    ListOf,
    MapOf,
    Scalar,
    Struct,
    Text,
    Time,
)
from weighbridge.policies.apiserver.acceptance.wordings import illegal_base64
from weighbridge.policies.ground.go_base64 import base64_fault
from weighbridge.policies.ground.go_text import json_text, json_word
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema import metadata_errors
from weighbridge.policies.schema.go_time import ZERO_TIME, TimeParseError, unix_seconds, utc_text
from weighbridge.policies.schema.metadata_decode import stored_numbers

#: Levels of JSON that are followed: twice as many as in the deepest real definition, and few enough for the interpreter's stack.
MAX_DEPTH: Final = 200
_ACCEPTED: Final[dict[type, tuple[type, ...]]] = {Text: (str,), Boolean: (bool,), Float: (int, float), Integer: ()}
_BYTE: Final = Text("uint8")
_MAX_BYTE: Final = 255
_MAX_STRICT_ERRORS: Final = 100
_ZEROS: Final = ("", 0, False)


@dataclass(frozen=True, slots=True)
class TypedValue:
    """A decoded value. If there is an `error`, which is Go's, the value doesn't count.

    `unknown` are the fields that the types don't know; `known` are those that they do, by their paths.
    """

    value: JSONObject
    error: str
    unknown: list[str]
    known: frozenset[str]


class _FatalError(Exception):
    """Ends the decoding, with the text of the error."""


@dataclass(frozen=True, slots=True)
class _Place:
    """The struct of the field, the fields that lead here (no keys, no indexes), and the path for strict errors, if they are collected."""

    struct: str
    stack: tuple[str, ...]
    path: str | None


def nests_too_deep(value: JSONValue, limit: int = MAX_DEPTH) -> bool:
    """Whether JSON nests deeper than `limit`."""
    level = [value]
    for _ in range(limit):
        below: list[JSONValue] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
        if not below:
            return False
        level = below
    return True


def decode_typed(value: JSONObject, shape: Struct, *, is_document: bool = True) -> TypedValue:
    """Decode `value`, which nests no deeper than `MAX_DEPTH`, as a struct.

    A value in memory, which isn't a document, is read field by field, in the order of the struct.
    """
    decoder = _Decoder(is_document=is_document)
    try:
        decoded = decoder.struct(value, shape, _Place("", (), ""))
    except _FatalError as error:
        return TypedValue({}, str(error), [], frozenset())
    return TypedValue(decoded, decoder.error, list(decoder.unknown)[:_MAX_STRICT_ERRORS], frozenset(decoder.known))


def _type_error(word: str, go_type: str, struct: str, stack: tuple[str, ...]) -> str:
    return metadata_errors.not_unmarshalled(word, go_type, f"{struct}.{'.'.join(stack)}" if struct or stack else "")


def _zero(kind: GoType) -> JSONValue:
    """The value of an element of a list or map that is null."""
    if isinstance(kind, Struct):
        return {}
    if isinstance(kind, ByItself):
        return kind.other(None) if kind.other else None
    if isinstance(kind, Scalar):
        return kind.zero
    return {Text: "", Boolean: False, Integer: 0, Float: 0}.get(type(kind))


class _Decoder:
    """One decoding.

    `inside` is the place of a type that decodes itself: errors inside name its struct, and no fields below it until 1.35.
    """

    def __init__(self, inside: _Place | None = None, *, is_document: bool = True) -> None:
        self._inside = inside
        self._is_document = is_document
        self.error = ""
        self.unknown: dict[str, None] = {}
        self.known: set[str] = set()

    def fail(self, value: JSONValue, kind: GoType, place: _Place, word: str = "") -> None:
        around = self._inside or place
        stack = place.stack if release().names_whole_paths else around.stack
        self.save(_type_error(word or json_word(value), kind.name, around.struct, stack))

    def save(self, text: str) -> None:
        self.error = self.error or text

    def read(self, value: JSONValue, kind: GoType, place: _Place) -> JSONValue:
        """The value read as `kind`; `None` if it is null or of a wrong type."""
        if isinstance(kind, ByItself):
            return None if value is None else self.by_itself(value, kind, place)
        if value is None or isinstance(kind, AnyJSON):
            return value
        if isinstance(kind, Struct):
            if isinstance(value, dict):
                return self.struct(value, kind, place)
        elif isinstance(kind, MapOf):
            if isinstance(value, dict):
                return self.map(value, kind, place)
        elif isinstance(kind, ListOf):
            if isinstance(value, list):
                return self.list(value, kind, place)
        else:
            return self.scalar(value, kind, place)
        self.fail(value, kind, place)
        return None

    def scalar(self, value: JSONValue, kind: GoType, place: _Place) -> JSONValue:
        if isinstance(kind, Time):
            return self.time(value, place)
        if isinstance(kind, Scalar):
            return self.own(value, kind, place)
        if isinstance(kind, Bytes):
            return self.bytes(value, kind, place)
        if isinstance(kind, Integer) and type(value) in _ACCEPTED[Float]:
            return self.integer(value, kind, place)
        if type(value) in _ACCEPTED[type(kind)]:
            return value
        self.fail(value, kind, place)
        return None

    def own(self, value: JSONValue, kind: Scalar, place: _Place) -> JSONValue:
        """Read a type that reads itself. Its errors end the decoding. A wrong type names the field, unless fields are read one by one."""
        try:
            return kind.read(value)
        except ValueError as error:
            word, go_type = metadata_errors.not_unmarshalled_value(str(error))
            is_named = bool(go_type) and self._is_document
            raise _FatalError(_type_error(word, go_type, place.struct, place.stack) if is_named else str(error)) from None

    def integer(self, value: JSONValue, kind: Integer, place: _Place) -> int | None:
        limit = 1 << (kind.bits - 1)
        whole = stored_numbers(value)
        if isinstance(whole, int) and -limit <= whole < limit:
            return whole
        self.fail(value, kind, place, metadata_errors.the_number(json_text(whole)))
        return None

    def bytes(self, value: JSONValue, kind: Bytes, place: _Place) -> JSONValue:
        if isinstance(value, list):
            numbers = (self.byte(item, place) for item in value)
            return base64.b64encode(bytes(numbers)).decode()
        if not isinstance(value, str):
            self.fail(value, kind, place)
            return None
        fault = base64_fault(value)
        if fault is not None:
            self.save(illegal_base64(fault))
            return None
        return value.replace("\r", "").replace("\n", "")

    def byte(self, value: JSONValue, place: _Place) -> int:
        """Read one byte of a slice that is written as a list."""
        whole = stored_numbers(value)
        if type(whole) is int and 0 <= whole <= _MAX_BYTE:
            return whole
        if value is not None:
            self.fail(value, _BYTE, place, metadata_errors.the_number(json_text(whole)) if type(whole) in (int, float) else "")
        return 0

    def time(self, value: JSONValue, place: _Place) -> JSONValue:
        if not isinstance(value, str):
            raise _FatalError(_type_error(json_word(value), "string", place.struct, place.stack))
        try:
            seconds = unix_seconds(value)
        except TimeParseError as error:
            raise _FatalError(str(error)) from error
        return None if seconds == ZERO_TIME else utc_text(seconds)

    def struct(self, value: JSONObject, shape: Struct, place: _Place) -> JSONObject:
        out: JSONObject = {}
        keys = sorted(value) if self._is_document else [key for key in (*shape.fields, *value.keys() - shape.fields.keys()) if key in value]
        for key in keys:
            item, known = value[key], shape.fields.get(key)
            path = None if place.path is None else f"{place.path}.{key}" if place.path else key
            if known is None:
                if path is not None:
                    self.unknown[path] = None
                continue
            if path is not None:
                self.known.add(path)
            embedded = known.embedded if release().names_whole_paths else ()
            decoded = self.read(item, known.type, _Place(shape.struct, (*place.stack, *embedded, key), path))
            if _is_kept(decoded, known):
                out[key] = decoded
        return out

    def map(self, value: JSONObject, kind: MapOf, place: _Place) -> JSONObject:
        out: JSONObject = {}
        for key, item in sorted(value.items()):
            path = None if place.path is None else f"{place.path}.{key}"
            if path is not None:
                self.known.add(path)
            decoded = self.read(item, kind.value, _Place(place.struct, place.stack, path))
            out[key] = _zero(kind.value) if decoded is None else decoded
        return out

    def list(self, value: list[JSONValue], kind: ListOf, place: _Place) -> list[JSONValue]:
        out: list[JSONValue] = []
        for index, item in enumerate(value):
            path = None if place.path is None else f"{place.path}[{index}]"
            decoded = self.read(item, kind.item, _Place(place.struct, place.stack, path))
            out.append(_zero(kind.item) if decoded is None else decoded)
        return out

    def by_itself(self, value: JSONValue, kind: ByItself, place: _Place) -> JSONValue:
        inner: GoType | None = None
        if isinstance(value, dict):
            inner = kind.map_type
        elif isinstance(value, list):
            inner = kind.list_type
        if inner is None:
            return self._other(value, kind)
        decoder = _Decoder(self._inside or place)
        decoded = decoder.read(value, inner, _Place(place.struct, place.stack, None))
        if decoder.error:
            raise _FatalError(decoder.error)
        return decoded

    def _other(self, value: JSONValue, kind: ByItself) -> JSONValue:
        if isinstance(value, bool) and kind.refusal:
            return value
        if kind.other is None:
            raise _FatalError(kind.refusal)
        return kind.other(value)


def _is_kept(decoded: JSONValue, known: Field) -> bool:
    if decoded is None:
        return False
    if known.pointer or isinstance(decoded, (dict, list)):
        return True
    return decoded not in _ZEROS
