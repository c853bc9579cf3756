"""The scale subresource: replicas by their JSON paths, read and written through an autoscaling/v1 Scale.

Source: apiextensions-apiserver/pkg/registry/customresource/{etcd,validator}.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.apiserver import wordings
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.apiserver.refusal import Refusal, bad_request, internal_error, misnamed, misplaced, not_found, not_registered
from weighbridge.policies.apiserver.type_meta import first_look
from weighbridge.policies.apiserver.unknown_fields import duplicate_texts
from weighbridge.policies.ground.field_errors import ErrorType, FieldError
from weighbridge.policies.ground.objects import FieldValidation, JSONObject, JSONValue, Path, metadata_of
from weighbridge.policies.ground.request import Request
from weighbridge.policies.schema.go_values import deep_copy, plain_text
from weighbridge.policies.schema.object_meta import MetadataDecodeError, coerce_metadata

_MIN_INT32: Final = -(2**31)
_MAX_INT32: Final = 2**31 - 1
_GO_TYPES: Final = {
    type(None): "<nil>",
    bool: "bool",
    int: "int64",
    float: "float64",
    str: "string",
    list: "[]interface {}",
    dict: "map[string]interface {}",
}
#: The integers of metadata.
_WHOLE_NUMBERS: Final = ("generation", "deletionGracePeriodSeconds")
#: The fields of a Scale, two levels deep.
_SCALE_FIELDS: Final[dict[str, frozenset[str]]] = {
    "spec": frozenset({"replicas"}),
    "status": frozenset({"replicas", "selector"}),
}


class _AccessError(Exception):
    """The value at the path has a wrong type."""

    def __init__(self, names: list[str], value: JSONValue, wanted: str) -> None:
        super().__init__(wordings.wrong_type_at(f".{'.'.join(names)}", plain_text(value), _GO_TYPES[type(value)], wanted))


def _names(path: str) -> list[str]:
    return path.removeprefix(".").split(".")


def _at(obj: JSONObject, path: str, kind: type, wanted: str) -> JSONValue:
    """The value at a path like ``.spec.replicas``, `None` if there is none. Raises _AccessError if it isn't of the kind."""
    names = _names(path)
    value: JSONValue = obj
    for depth, name in enumerate(names):
        if value is None:
            return None
        if not isinstance(value, dict):
            raise _AccessError(names[: depth + 1], value, "map[string]interface{}")
        if name not in value:
            return None
        value = value[name]
    if type(value) is not kind:
        raise _AccessError(names, value, wanted)
    return value


def _validate_replicas(obj: JSONObject, path: str) -> list[FieldError]:
    try:
        value = _at(obj, path, int, "int64")
    except _AccessError as error:
        return [FieldError(ErrorType.INVALID, path, 0, str(error))]
    if value is None or 0 <= value <= _MAX_INT32:
        return []
    message = wordings.NEGATIVE_REPLICAS if value < 0 else wordings.too_many_replicas(_MAX_INT32)
    return [FieldError(ErrorType.INVALID, path, value, message)]


def validate_scale_spec(obj: JSONObject, scale: JSONObject | None) -> list[FieldError]:
    """The error if the wanted replicas aren't a number that a Scale can hold."""
    return [] if scale is None else _validate_replicas(obj, scale["specReplicasPath"])


def validate_scale_status(obj: JSONObject, scale: JSONObject | None) -> list[FieldError]:
    """The errors if the observed replicas aren't a number that a Scale can hold, or the label selector isn't a string."""
    if scale is None:
        return []
    errors = _validate_replicas(obj, scale["statusReplicasPath"])
    selector = scale.get("labelSelectorPath")
    if selector is not None:
        try:
            _at(obj, selector, str, "string")
        except _AccessError as error:
            errors.append(FieldError(ErrorType.INVALID, selector, "", str(error)))
    return errors


def _undecodable() -> Refusal:
    """The answer of a custom resource's scale endpoint to any body that it can't decode, for any reason."""
    return bad_request(not_registered(wordings.NOT_A_SCALE))


def decode_scale(
    request: Request, definition: ResourceDefinition, paths: JSONObject, duplicates: Sequence[Path], warnings: list[str]
) -> JSONObject | Refusal:
    """The stored custom resource (`request.old_object`) with the replicas of the Scale that is the request's object.

    `paths` are the JSON paths of the subresource. The result has the Scale's uid and resourceVersion, since they are the preconditions of
    the write. Warnings of strict decoding are added to `warnings`.
    """
    scale, stored = {} if request.object is None else request.object, request.old_object
    if not _is_scale(scale):
        return _undecodable()
    try:
        coerced = coerce_metadata(scale.get("metadata"))
    except MetadataDecodeError:
        return _undecodable()
    metadata = coerced.metadata
    objections = duplicate_texts(duplicates)
    objections += [wordings.unknown_field_of_type(path) for path in _unknown_fields(scale, coerced.unknown)]
    if objections and request.field_validation is FieldValidation.STRICT:
        return _undecodable()
    if request.field_validation is FieldValidation.WARN:
        warnings += objections
    name = metadata.get("name", "")
    if refusal := misplaced(metadata.get("namespace", request.namespace), request.namespace) or misnamed(name, request.name):
        return refusal
    if not isinstance(stored, dict):
        return not_found(definition, name)
    return _unscalable(stored, paths) or _with_replicas(stored, scale, metadata, paths["specReplicasPath"])


def _unscalable(stored: JSONObject, paths: JSONObject) -> Refusal | None:
    """The refusal of any Scale for an object that has wrong types at the paths, since it was stored before these were declared."""
    try:
        for name, kind, wanted in (
            ("specReplicasPath", int, "int64"),
            ("statusReplicasPath", int, "int64"),
            ("labelSelectorPath", str, "string"),
        ):
            if paths.get(name):
                _at(stored, paths[name], kind, wanted)
    except _AccessError as error:
        return internal_error(str(error))
    return None


def _with_replicas(stored: JSONObject, scale: JSONObject, metadata: JSONObject, path: str) -> JSONObject | Refusal:
    replicas = (scale.get("spec") or {}).get("replicas") or 0
    if replicas == _MIN_INT32 and metadata.get("uid") in (None, metadata_of(stored).get("uid")):
        # The server marks an object without replicas by this number.
        return bad_request(wordings.no_replicas(path))
    obj: JSONObject = deep_copy(stored)
    *parents, last = _names(path)
    holder = obj
    for depth, parent in enumerate(parents):
        holder = holder.setdefault(parent, {})
        if not isinstance(holder, dict):
            return internal_error(wordings.not_settable(f".{'.'.join(parents[: depth + 1])}"))
    holder[last] = replicas
    conditions = {key: metadata[key] for key in ("uid", "resourceVersion") if key in metadata}
    obj["metadata"] = metadata_of(obj) | conditions
    return obj


def _unknown_fields(scale: JSONObject, of_metadata: Sequence[str]) -> Iterator[str]:
    """The fields of the body that a Scale doesn't have, in the body's order."""
    for key, value in scale.items():
        if key == "metadata":
            yield from of_metadata
        elif key in _SCALE_FIELDS:
            yield from (f"{key}.{inner}" for inner in value or () if inner not in _SCALE_FIELDS[key])
        elif key not in {"kind", "apiVersion"}:
            yield key


def _is_scale(scale: JSONValue) -> bool:
    """Whether the body decodes into a Scale, apart from unknown fields."""
    claimed = first_look(scale)
    if claimed.why or claimed.kind not in {"", "Scale"} or claimed.api_version not in {"", "autoscaling/v1"}:
        return False
    metadata = scale.get("metadata")
    if isinstance(metadata, dict) and any(type(metadata.get(name)) is float for name in _WHOLE_NUMBERS):
        # Unlike a custom resource's, this metadata is read directly from the text, in which 1.0 isn't an integer.
        return False
    for part in _SCALE_FIELDS:
        section = {} if scale.get(part) is None else scale[part]
        if not isinstance(section, dict):
            return False
        replicas, selector = section.get("replicas"), section.get("selector")
        if replicas is not None and (type(replicas) is not int or not _MIN_INT32 <= replicas <= _MAX_INT32):
            return False
        if part == "status" and not isinstance(selector, (str, type(None))):
            return False
    return True
