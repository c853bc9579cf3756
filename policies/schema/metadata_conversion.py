"""Why the server can't convert metadata into its Go struct, if it isn't JSON that it reads but an object that admission has changed.

The server goes through the struct's fields in their order and stops at the first one that doesn't fit. Source: k8s.io/apimachinery
pkg/runtime/converter.go, `fromUnstructured`, and pkg/apis/meta/v1/types.go, 1.37.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from weighbridge.policies.ground.go_text import json_word
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.schema import metadata_errors
from weighbridge.policies.schema.go_time import TimeParseError, unix_seconds

#: Says why a value can't be converted; empty if it can.
_Convert = Callable[[JSONValue], str]


def _go_kind(value: JSONValue) -> str:
    return {bool: "bool", int: "int64", float: "float64", str: "string", list: "slice", dict: "map"}[type(value)]


def _scalar(kind: type, go_kind: str, go_type: str = "") -> _Convert:
    def convert(value: JSONValue) -> str:
        if type(value) is kind or (kind is int and type(value) is float and value.is_integer()):
            return ""
        # Go converts an int64 to a string, and a float64 to an int64, which JSON doesn't.
        is_convertible = (type(value), kind) in {(int, str), (float, int)}
        return (
            metadata_errors.not_converted(_go_kind(value), go_type or go_kind)
            if is_convertible
            else metadata_errors.unrecognised_kind(go_kind)
        )

    return convert


def _time(value: JSONValue) -> str:
    if not isinstance(value, str):
        return metadata_errors.not_unmarshalled(json_word(value), "string", "")
    try:
        unix_seconds(value)
    except TimeParseError as error:
        return str(error)
    return ""


def _nothing(_: JSONValue) -> str:
    return ""


def _list_of(item: _Convert) -> _Convert:
    def convert(value: JSONValue) -> str:
        if not isinstance(value, list):
            return metadata_errors.no_slice(_go_kind(value))
        return next(filter(None, (item(entry) for entry in value if entry is not None)), "")

    return convert


def _texts(value: JSONValue) -> str:
    if not isinstance(value, dict):
        return metadata_errors.no_map(_go_kind(value))
    return next(filter(None, (_TEXT(value[key]) for key in sorted(value) if value[key] is not None)), "")


def _struct_of(fields: Mapping[str, _Convert]) -> _Convert:
    def convert(value: JSONValue) -> str:
        if not isinstance(value, dict):
            return metadata_errors.no_struct(_go_kind(value))
        return next(filter(None, (fit(value[key]) for key, fit in fields.items() if value.get(key) is not None)), "")

    return convert


_TEXT: Final = _scalar(str, "string")
_INTEGER: Final = _scalar(int, "int64")
_FLAG: Final = _scalar(bool, "bool")
_UID: Final = _scalar(str, "string", "types.UID")
_OWNER: Final = _struct_of({
    "apiVersion": _TEXT, "kind": _TEXT, "name": _TEXT, "uid": _UID, "controller": _FLAG, "blockOwnerDeletion": _FLAG,
})  # fmt: skip
_ENTRY: Final = _struct_of({
    "manager": _TEXT, "operation": _scalar(str, "string", "v1.ManagedFieldsOperationType"), "apiVersion": _TEXT, "time": _time,
    "fieldsType": _TEXT, "fieldsV1": _nothing, "subresource": _TEXT,
})  # fmt: skip
_METADATA: Final = _struct_of({
    "name": _TEXT, "generateName": _TEXT, "namespace": _TEXT, "selfLink": _TEXT, "uid": _UID, "resourceVersion": _TEXT,
    "generation": _INTEGER, "creationTimestamp": _time, "deletionTimestamp": _time, "deletionGracePeriodSeconds": _INTEGER,
    "labels": _texts, "annotations": _texts, "ownerReferences": _list_of(_OWNER), "finalizers": _list_of(_TEXT),
    "managedFields": _list_of(_ENTRY),
})  # fmt: skip


def why_not_in_struct(metadata: JSONValue) -> str:
    """Why metadata can't be converted, in the server's words; empty if it can."""
    return _METADATA(metadata)
