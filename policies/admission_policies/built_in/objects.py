"""An object of a built-in kind as mutating policies get it: read, defaulted, and filled in by the admission plugins before them.

Values that these plugins draw, or fill in by facts that aren't known, are in doubt.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Final

from weighbridge.policies.admission_policies.built_in import wordings
from weighbridge.policies.admission_policies.built_in.admission import admitted
from weighbridge.policies.admission_policies.built_in.defaults import fill_in
from weighbridge.policies.admission_policies.built_in.forms import shape_of, written
from weighbridge.policies.admission_policies.wordings import metadata_of_stored
from weighbridge.policies.apiserver.acceptance.typed_decode import decode_typed, nests_too_deep
from weighbridge.policies.apiserver.built_in_types import built_in_types
from weighbridge.policies.apiserver.wordings import strict_errors, unknown_field
from weighbridge.policies.cel.values.values import NotKnown, NotKnownError
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, JSONValue, Operation, Path, lookup
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema.go_values import deep_copy

_TEMPLATE_GENERATION: Final = "deprecated.daemonset.template.generation"


@dataclass(frozen=True, slots=True)
class Taken:
    """An object as the policies get it, and the places in which it isn't known, each with a text on what is there."""

    object: JSONObject
    doubts: Mapping[Path, str]


class UnreadableObjectError(Exception):
    """The server can't read an object; the text is its own."""


def type_name(gvk: GroupVersionKind) -> str:
    """The type of a built-in kind; raises NotKnownError if it isn't bundled."""
    found = built_in_types().type_of(gvk)
    if found is None:
        raise NotKnownError(wordings.merge_types(gvk))
    return found


def read(obj: JSONObject, name: str, *, is_strict: bool = False) -> JSONObject:
    """A decoded and defaulted object as JSON; raises UnreadableObjectError."""
    shape = shape_of(name)
    if nests_too_deep(obj):
        raise UnreadableObjectError(wordings.TOO_DEEP)
    decoded = decode_typed(obj, shape, is_document=is_strict)
    if decoded.error:
        raise UnreadableObjectError(decoded.error)
    if is_strict and decoded.unknown:
        raise UnreadableObjectError(strict_errors(map(unknown_field, decoded.unknown)))
    fill_in(decoded.value, name)
    return written(decoded.value, shape)


def take(obj: JSONObject, gvk: GroupVersionKind, operation: Operation, namespace: str, facts: Facts) -> Taken:
    """A sent object as the policies get it. Raises NotKnownError if the server can't read it."""
    name = type_name(gvk)
    try:
        found = read(obj, name)
    except UnreadableObjectError as error:
        raise NotKnownError(wordings.readable_object(error)) from None
    found |= {"apiVersion": gvk.api_version, "kind": gvk.kind}
    if namespace:
        found["metadata"].setdefault("namespace", namespace)
    found = converted(found, gvk)
    found, doubts = admitted(found, gvk, operation, namespace, facts)
    if operation is Operation.UPDATE:
        doubts |= {("metadata", key): metadata_of_stored(key) for key in ("uid", "creationTimestamp", "resourceVersion")}
        doubts = {path: why for path, why in doubts.items() if path[0] != "metadata" or lookup(found, path) is None}
    return Taken(found, doubts)


def read_old(stored: JSONValue, gvk: GroupVersionKind) -> JSONValue:
    """A stored object as policies see it. If it comes from a manifest, its missing fields aren't known."""
    name = built_in_types().type_of(gvk)
    if not isinstance(stored, dict) or name is None:
        return stored
    try:
        found = read(stored, name)
    except UnreadableObjectError:
        return stored
    found = converted(found, gvk)
    if "status" in found and "status" not in stored:
        found["status"] = NotKnown(wordings.STORED_STATUS)
    return found


def converted(obj: JSONObject, gvk: GroupVersionKind) -> JSONObject:
    """An object after its conversion to the server's internal version and back."""
    if gvk.kind == "Secret" and obj.get("stringData"):
        texts = {key: base64.b64encode(value.encode()).decode() for key, value in obj["stringData"].items()}
        return {**{key: value for key, value in obj.items() if key != "stringData"}, "data": {**part(obj, "data"), **texts}}
    if gvk.kind == "DaemonSet":
        metadata = obj["metadata"]
        return {**obj, "metadata": {**metadata, "annotations": {_TEMPLATE_GENERATION: "0", **part(metadata, "annotations")}}}
    return obj


def in_doubt(obj: JSONObject, doubts: Mapping[Path, str]) -> JSONObject:
    """A copy of an object with marks in the places that aren't known."""
    found: JSONObject = deep_copy(obj)
    for path, why in doubts.items():
        holder = lookup(found, path[:-1])
        if isinstance(holder, dict):
            holder[path[-1]] = NotKnown(why)
    return found
