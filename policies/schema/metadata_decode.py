"""Decodes metadata as the server does: through the typed Go struct ObjectMeta and back.

What the struct doesn't know is dropped and reported, what is empty isn't written back, and a wrong type is an error in the words of
Go's JSON decoder. Source: apiextensions-apiserver/pkg/apiserver/schema/objectmeta/coerce.go, sigs.k8s.io/json, 1.36.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from weighbridge.policies.ground.go_text import json_text, json_word
from weighbridge.policies.ground.objects import JSONObject, JSONValue, Path
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.schema import metadata_errors
from weighbridge.policies.schema.go_time import ZERO_TIME, TimeParseError, unix_seconds, utc_text

_INT64: Final = range(-(2**63), 2**63)
#: From this value on encoding/json writes an exponent.
_EXPONENT_FROM: Final = 1e21
#: The most strict errors that Go's decoder lists.
_MAX_UNKNOWN: Final = 100


class MetadataDecodeError(ValueError):
    """Metadata has a wrong type somewhere; the message is Go's, and `path` leads there from the metadata."""

    def __init__(self, message: str, path: Path = ()) -> None:
        super().__init__(message)
        self.path = path


@dataclass(frozen=True, slots=True)
class CoercedMetadata:
    """Metadata after the typed round trip, and the fields (``metadata.x``) that were lost in it."""

    metadata: JSONObject
    unknown: list[str]


def stored_numbers(value: JSONValue) -> JSONValue:
    """A copy of `value` with whole floats as integers, since Go's JSON encoder writes ``1.0`` as ``1``.

    The encoder writes the shortest digits that identify the float. The number with these digits is read back, if it is an int64.
    """
    root: list[JSONValue] = [value]
    pending: list[JSONValue] = [root]
    while pending:
        container = pending.pop()
        for key, item in container.items() if type(container) is dict else enumerate(container):
            kind = type(item)
            if kind is dict or kind is list:
                container[key] = copied = item.copy()
                pending.append(copied)
            elif kind is float and abs(item) < _EXPONENT_FROM and item.is_integer():
                whole = int(json_text(item))
                container[key] = whole if whole in _INT64 else item
    return root[0]


@dataclass(frozen=True, slots=True)
class _Place:
    """The decoder's position: the struct, the field as Go's errors print it and as strict errors do, and the steps to it."""

    struct: str
    field: str
    path: str
    steps: Path = ()

    def at(self, step: str | int) -> _Place:
        """The place of an item or an entry. Go's errors and strict errors give it the name of the whole field."""
        return replace(self, steps=(*self.steps, step))


_Read = Callable[["_Decoder", JSONValue, _Place], JSONValue]


@dataclass(frozen=True, slots=True)
class _Struct:
    """A Go struct: its name, how its fields are read, and the fields that are written even when empty."""

    name: str
    fields: Mapping[str, _Read]
    always: tuple[str, ...] = ()


class _Decoder:
    """One decoding. The first wrong type is remembered and the rest still read; a bad time ends it at once, as in Go."""

    def __init__(self) -> None:
        self.error = ""
        self.error_at: Path = ()
        self.unknown: dict[str, None] = {}

    def mismatch(self, word: str, go_type: str, place: _Place) -> None:
        if not self.error:
            where = f"{place.struct}.{place.field}" if place.field else ""
            self.error, self.error_at = metadata_errors.not_unmarshalled(word, go_type, where), place.steps

    def text(self, value: JSONValue, place: _Place, go_type: str) -> str:
        if value is not None and not isinstance(value, str):
            self.mismatch(json_word(value), go_type, place)
        return value if isinstance(value, str) else ""

    def integer(self, value: JSONValue, place: _Place) -> int | None:
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self.mismatch(json_word(value), "int64", place)
            return None
        whole = stored_numbers(value)
        if isinstance(whole, float) or whole not in _INT64:
            self.mismatch(metadata_errors.the_number(json_text(float(value))), "int64", place)
            return None
        return int(whole)

    def boolean(self, value: JSONValue, place: _Place) -> bool | None:
        if value is not None and not isinstance(value, bool):
            self.mismatch(json_word(value), "bool", place)
            return None
        return value

    def time(self, value: JSONValue, place: _Place) -> int | None:
        """Seconds since 1970; raises MetadataDecodeError."""
        if value is None:
            return None
        if not isinstance(value, str):
            # The field's own decoder fails, which ends the decoding; errors found before are lost.
            self.error = ""
            self.mismatch(json_word(value), "string", place)
            raise MetadataDecodeError(self.error, self.error_at)
        try:
            return unix_seconds(value)
        except TimeParseError as error:
            raise MetadataDecodeError(str(error), place.steps) from error

    def struct(self, value: JSONValue, shape: _Struct, place: _Place) -> JSONObject:
        out: JSONObject = dict.fromkeys(shape.always, "")
        if value is None:
            return out
        if not isinstance(value, dict):
            self.mismatch(json_word(value), f"v1.{shape.name}", place)
            return out
        for key in sorted(value):
            read = shape.fields.get(key)
            path = f"{place.path}.{key}"
            if read is None:
                if len(self.unknown) < _MAX_UNKNOWN:
                    self.unknown[path] = None
                continue
            inner = _Place(shape.name, f"{place.field}.{key}" if place.field else key, path, (*place.steps, key))
            kept = read(self, value[key], inner)
            if kept is not _OMITTED:
                out[key] = kept
        return {key: out[key] for key in [*value, *shape.always] if key in out}


_OMITTED: Final = object()


def _text(go_type: str = "string", *, keep_empty: bool = False) -> _Read:
    def read(decoder: _Decoder, value: JSONValue, place: _Place) -> JSONValue:
        text = decoder.text(value, place, go_type)
        return text if text or keep_empty else _OMITTED

    return read


def _integer(*, pointer: bool) -> _Read:
    def read(decoder: _Decoder, value: JSONValue, place: _Place) -> JSONValue:
        number = decoder.integer(value, place)
        return _OMITTED if number is None or (number == 0 and not pointer) else number

    return read


def _boolean(decoder: _Decoder, value: JSONValue, place: _Place) -> JSONValue:
    flag = decoder.boolean(value, place)
    return _OMITTED if flag is None else flag


def _time(*, pointer: bool) -> _Read:
    def read(decoder: _Decoder, value: JSONValue, place: _Place) -> JSONValue:
        seconds = decoder.time(value, place)
        if seconds == ZERO_TIME and pointer:
            return None
        return _OMITTED if seconds is None or seconds == ZERO_TIME else utc_text(seconds)

    return read


def _text_map(decoder: _Decoder, value: JSONValue, place: _Place) -> JSONValue:
    if value is None:
        return _OMITTED
    if not isinstance(value, dict):
        decoder.mismatch(json_word(value), "map[string]string", place)
        return _OMITTED
    for key in sorted(value):
        if value[key] is not None and not isinstance(value[key], str):
            decoder.mismatch(json_word(value[key]), "string", place.at(key))
    return {key: "" if text is None else text for key, text in value.items()} or _OMITTED


def _list_of(go_type: str, item: Callable[[_Decoder, JSONValue, _Place], JSONValue]) -> _Read:
    def read(decoder: _Decoder, value: JSONValue, place: _Place) -> JSONValue:
        if value is None:
            return _OMITTED
        if not isinstance(value, list):
            decoder.mismatch(json_word(value), f"[]{go_type}", place)
            return _OMITTED
        places = (replace(place.at(index), path=f"{place.path}[{index}]") for index in range(len(value)))
        return [item(decoder, entry, at) for entry, at in zip(value, places, strict=True)] or _OMITTED

    return read


def _raw(_decoder: _Decoder, value: JSONValue, _place: _Place) -> JSONValue:
    return _OMITTED if value is None else stored_numbers(value)


_OWNER_REFERENCE: Final = _Struct(
    "OwnerReference",
    {
        "apiVersion": _text(keep_empty=True),
        "kind": _text(keep_empty=True),
        "name": _text(keep_empty=True),
        "uid": _text("types.UID", keep_empty=True),
        "controller": _boolean,
        "blockOwnerDeletion": _boolean,
    },
    always=("apiVersion", "kind", "name", "uid"),
)
_MANAGED_FIELDS_ENTRY: Final = _Struct(
    "ManagedFieldsEntry",
    {
        "manager": _text(),
        "operation": _text("v1.ManagedFieldsOperationType"),
        "apiVersion": _text(),
        "time": _time(pointer=True),
        "fieldsType": _text(),
        "fieldsV1": _raw,
        "subresource": _text(),
    },
)
_OBJECT_META: Final = _Struct(
    "ObjectMeta",
    {
        "name": _text(),
        "generateName": _text(),
        "namespace": _text(),
        "selfLink": _text(),
        "uid": _text("types.UID"),
        "resourceVersion": _text(),
        "generation": _integer(pointer=False),
        "creationTimestamp": _time(pointer=False),
        "deletionTimestamp": _time(pointer=True),
        "deletionGracePeriodSeconds": _integer(pointer=True),
        "labels": _text_map,
        "annotations": _text_map,
        "ownerReferences": _list_of("v1.OwnerReference", lambda d, value, place: d.struct(value, _OWNER_REFERENCE, place)),
        "finalizers": _list_of("string", lambda d, value, place: d.text(value, place, "string")),
        "managedFields": _list_of("v1.ManagedFieldsEntry", lambda d, value, place: d.struct(value, _MANAGED_FIELDS_ENTRY, place)),
    },
)


def _decode(value: JSONValue, path: str) -> CoercedMetadata:
    decoder = _Decoder()
    metadata = decoder.struct(value, _OBJECT_META, _Place("ObjectMeta", "", path))
    if decoder.error:
        raise MetadataDecodeError(decoder.error, decoder.error_at)
    return CoercedMetadata(metadata, list(decoder.unknown))


def coerce_metadata(value: JSONValue, *, path: str = "metadata", drop_malformed: bool = False) -> CoercedMetadata:
    """The metadata `value` after the typed round trip; null becomes an empty map.

    `path` begins the names of unknown fields. Raises MetadataDecodeError for a wrong type; with `drop_malformed`, as the server reads
    stored objects, fields of a wrong type are dropped instead, and only metadata that isn't a map is an error.
    """
    try:
        return _decode(value, path)
    except MetadataDecodeError:
        if not drop_malformed:
            raise
    if not isinstance(value, dict):
        raise MetadataDecodeError(metadata_errors.not_metadata(_go_type(value)))
    sound = CoercedMetadata({}, [])
    for key in sorted(value):
        try:
            single = _decode({key: value[key]}, path)
        except MetadataDecodeError:
            continue
        sound.metadata.update(single.metadata)
        sound.unknown.extend(single.unknown)
    return sound


def _go_type(value: JSONValue) -> str:
    if isinstance(value, list):
        return "[]interface {}"
    return {bool: "bool", int: "int64", float: "float64", str: "string"}[type(value)]
