"""Validates the metadata of objects, in the server's words.

The metadata comes from `coerce_metadata`, so its types are right. Where the server walks a Go map in random order, errors are in the order
of the keys here. Source: k8s.io/apimachinery/pkg/api/validation/objectmeta.go and apis/meta/v1/validation, 1.36.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Final

from weighbridge.policies.ground.field_errors import IMMUTABLE, NEGATIVE, OMITTED, ErrorType, FieldError, merged, unsupported, value_errors
from weighbridge.policies.ground.go_text import json_text, quote
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema import metadata_errors
from weighbridge.policies.schema.go_time import LAYOUT
from weighbridge.policies.schema.metadata_decode import CoercedMetadata, MetadataDecodeError, coerce_metadata, stored_numbers
from weighbridge.policies.schema.names import (
    dns1123_label,
    dns1123_subdomain,
    go_lower,
    label_value,
    path_segment,
    qualified_name,
    subdomain_prefix,
)

__all__ = [
    "MAX_ANNOTATION_BYTES", "CoercedMetadata", "MetadataDecodeError", "annotation_bytes", "coerce_metadata", "merged_errors",
    "path_segment_name", "stored_numbers", "subdomain_name", "unreadable_time", "validate_object_meta", "validate_object_meta_update",
]  # fmt: skip

#: The largest size of all annotations of an object together, keys and values (k8s.io/apimachinery, pkg/api/validation).
MAX_ANNOTATION_BYTES: Final = 256 * 1024
_MAX_MANAGER_BYTES: Final = 128
_MAX_SUBRESOURCE_BYTES: Final = 256
_YEAR_DIGITS: Final = 4
_ORPHAN, _FOREGROUND = "orphan", "foregroundDeletion"
#: ValidateOwnerReferences marshals Go structs, whose fields have this order.
_OWNER_FIELDS: Final = ("apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion")

#: Checks a name; the flag says that something will be appended to it.
NameRule = Callable[[str, bool], list[str]]


def subdomain_name(name: str, is_prefix: bool) -> list[str]:
    """The rule for names of custom resources."""
    return subdomain_prefix(name) if is_prefix else dns1123_subdomain(name)


def path_segment_name(name: str, is_prefix: bool) -> list[str]:
    """The rule that every name must satisfy, since it is part of a URL."""
    return path_segment(name, prefix=is_prefix)


def _invalid_json(field: str, text: str, message: str) -> FieldError:
    """An error whose bad value the server prints as JSON, which `FieldError` would print in another way."""
    return FieldError(ErrorType.INVALID, field, OMITTED, metadata_errors.invalid_json(text, message))


def annotation_bytes(annotations: Mapping[str, str]) -> int:
    """The size of all annotations together, keys and values, in bytes."""
    return sum(_byte_length(key) + _byte_length(value) for key, value in annotations.items())


def _byte_length(text: str) -> int:
    return len(text.encode(errors="replace"))


def _too_long(field: str, limit: int) -> FieldError:
    return FieldError(ErrorType.TOO_LONG, field, OMITTED, metadata_errors.too_many_bytes(limit))


def validate_object_meta(metadata: JSONObject, *, namespaced: bool | None, path: str, name_rule: NameRule) -> list[FieldError]:
    """The errors of an object's metadata by itself, without regard to a stored object.

    `namespaced` says whether a namespace must or must not be there; `None` if that isn't known, and then a namespace is only checked if
    present.
    """
    errors = _validate_names(metadata, path, name_rule)
    namespace = metadata.get("namespace", "")
    where = f"{path}.namespace"
    if namespaced is False:
        if namespace:
            errors.append(FieldError(ErrorType.FORBIDDEN, where, OMITTED, metadata_errors.NO_NAMESPACE_ALLOWED))
    elif namespace:
        errors += value_errors(where, namespace, dns1123_label(namespace))
    elif namespaced:
        errors.append(FieldError(ErrorType.REQUIRED, where))
    errors += _validate_generation(metadata, path)
    errors += _validate_maps(metadata, path)
    errors += _validate_owner_references(metadata.get("ownerReferences") or [], f"{path}.ownerReferences")
    errors += _validate_finalizers(metadata.get("finalizers") or [], f"{path}.finalizers")
    errors += _validate_managed_fields(metadata.get("managedFields") or [], f"{path}.managedFields")
    return errors


def _validate_generation(metadata: JSONObject, path: str) -> list[FieldError]:
    generation = metadata.get("generation", 0)
    if generation >= 0:
        return []
    return [FieldError(ErrorType.INVALID, f"{path}.generation", generation, NEGATIVE)]


def _validate_names(metadata: JSONObject, path: str, name_rule: NameRule) -> list[FieldError]:
    errors: list[FieldError] = []
    generate_name, name = metadata.get("generateName", ""), metadata.get("name", "")
    if generate_name:
        errors += value_errors(f"{path}.generateName", generate_name, name_rule(generate_name, True))
    if name:
        errors += value_errors(f"{path}.name", name, name_rule(name, False))
    else:
        errors.append(FieldError(ErrorType.REQUIRED, f"{path}.name", OMITTED, metadata_errors.NO_OBJECT_NAME))
    return errors


def _validate_maps(metadata: JSONObject, path: str) -> list[FieldError]:
    errors: list[FieldError] = []
    labels: dict[str, str] = metadata.get("labels") or {}
    for key in sorted(labels):
        errors += value_errors(f"{path}.labels", key, qualified_name(key))
        errors += value_errors(f"{path}.labels", labels[key], label_value(labels[key]))
    annotations: dict[str, str] = metadata.get("annotations") or {}
    for key in sorted(annotations):
        errors += value_errors(f"{path}.annotations", key, qualified_name(go_lower(key)))
    if annotation_bytes(annotations) > MAX_ANNOTATION_BYTES:
        errors.append(_too_long(f"{path}.annotations", MAX_ANNOTATION_BYTES))
    return errors


def _owner_text(reference: JSONObject) -> str:
    members = (f'"{name}":{json_text(reference[name])}' for name in _OWNER_FIELDS if name in reference)
    return "{" + ",".join(members) + "}"


def _validate_owner_references(references: list[JSONObject], field: str) -> list[FieldError]:
    errors: list[FieldError] = []
    controller = ""
    for index, reference in enumerate(references):
        api_version, kind = reference["apiVersion"], reference["kind"]
        group, _, version = api_version.rpartition("/")
        where = f"{field}[{index}]" if release().requires_references else field
        if api_version.count("/") > 1 or not version:
            errors.append(_bad_version(where, api_version))
        empty = [name for name in ("kind", "name", "uid") if not reference[name]]
        errors += [_empty_reference(f"{where}.{name}") for name in empty]
        if (group, version, kind) == ("", "v1", "Event"):
            errors.append(_invalid_json(where, _owner_text(reference), metadata_errors.EVENT_AS_OWNER))
        if reference.get("controller"):
            this = f"{kind}/{reference['name']}"
            if controller:
                message = metadata_errors.several_controllers(controller, this)
                errors.append(_invalid_json(field, f"[{','.join(map(_owner_text, references))}]", message))
            else:
                controller = this
    return errors


def _bad_version(reference: str, api_version: str) -> FieldError:
    """The error of an apiVersion without a version, or with more than a group before it."""
    field = f"{reference}.apiVersion"
    if not release().requires_references:
        return FieldError(ErrorType.INVALID, field, api_version, metadata_errors.NO_VERSION_OF_OWNER)
    if not api_version:
        return _empty_reference(field)
    return FieldError(ErrorType.INVALID, field, api_version, metadata_errors.WRONG_VERSION_OF_OWNER)


def _empty_reference(field: str) -> FieldError:
    if release().requires_references:
        return FieldError(ErrorType.REQUIRED, field, OMITTED, metadata_errors.EMPTY)
    return FieldError(ErrorType.INVALID, field, "", metadata_errors.EMPTY)


def _validate_finalizers(finalizers: list[str], field: str) -> list[FieldError]:
    errors: list[FieldError] = []
    for finalizer in finalizers:
        errors += value_errors(field, finalizer, qualified_name(finalizer))
    if _ORPHAN in finalizers and _FOREGROUND in finalizers:
        message = metadata_errors.exclusive_finalizers(_ORPHAN, _FOREGROUND)
        errors.append(FieldError(ErrorType.INVALID, field, finalizers, message))
    return errors


def _validate_managed_fields(entries: list[JSONObject], field: str) -> list[FieldError]:
    errors: list[FieldError] = []
    for index, entry in enumerate(entries):
        where = f"{field}[{index}]"
        operation, fields_type, manager = entry.get("operation", ""), entry.get("fieldsType", ""), entry.get("manager", "")
        if operation not in {"Apply", "Update"}:
            errors.append(_bad_operation(f"{where}.operation", operation))
        if fields_type not in {"", "FieldsV1"}:
            errors.append(FieldError(ErrorType.INVALID, f"{where}.fieldsType", fields_type, metadata_errors.WRONG_FIELDS_TYPE))
        if _byte_length(manager) > _MAX_MANAGER_BYTES:
            errors.append(_too_long(f"{where}.manager", _MAX_MANAGER_BYTES))
        errors += value_errors(f"{where}.manager", manager, _unprintable(manager))
        if _byte_length(entry.get("subresource", "")) > _MAX_SUBRESOURCE_BYTES:
            errors.append(_too_long(f"{where}.subresource", _MAX_SUBRESOURCE_BYTES))
    return errors


def _bad_operation(field: str, operation: str) -> FieldError:
    if not release().requires_operations:
        return _invalid_json(field, json_text(operation), metadata_errors.WRONG_OPERATION)
    if not operation:
        return FieldError(ErrorType.REQUIRED, field, OMITTED, metadata_errors.EMPTY)
    return unsupported(field, operation, ("Apply", "Update"))


def _unprintable(text: str) -> list[str]:
    messages, position = [], 0
    for char in text:
        if char != " " and unicodedata.category(char)[0] in "CZ":
            messages.append(metadata_errors.unprintable(char, position))
        position += _byte_length(char)
    return messages


def merged_errors(errors: list[FieldError]) -> list[FieldError]:
    """The errors of metadata as the check of one kind reports them. Errors of the checks that all kinds have before it aren't merged."""
    return merged(errors) if release().merges_metadata_errors else errors


def validate_object_meta_update(metadata: JSONObject, old: JSONObject, *, path: str, versioned: bool = True) -> list[FieldError]:
    """The errors of an update from `old` metadata.

    `versioned` says that a resourceVersion is required; that is known only if the old object came from a server.
    """
    errors: list[FieldError] = []
    if old.get("deletionTimestamp") is not None:
        added = sorted(set(metadata.get("finalizers") or []) - set(old.get("finalizers") or []))
        if added:
            message = metadata_errors.finalizers_while_deleted(added)
            errors.append(FieldError(ErrorType.FORBIDDEN, f"{path}.finalizers", OMITTED, message))
    if versioned and not metadata.get("resourceVersion"):
        errors.append(FieldError(ErrorType.INVALID, f"{path}.resourceVersion", "", metadata_errors.NO_RESOURCE_VERSION))
    if release().checks_generation_of_updates:
        errors += _validate_generation(metadata, path)
    if metadata.get("generation", 0) < old.get("generation", 0):
        errors.append(
            FieldError(ErrorType.INVALID, f"{path}.generation", metadata.get("generation", 0), metadata_errors.GENERATION_DECREMENTED)
        )
    errors += [
        FieldError(ErrorType.INVALID, f"{path}.{name}", metadata.get(name, ""), IMMUTABLE)
        for name in ("name", "namespace")
        if metadata.get(name, "") != old.get(name, "")
    ]
    if metadata.get("uid", "") != old.get("uid", ""):
        errors.append(_invalid_json(f"{path}.uid", json_text(metadata.get("uid", "")), IMMUTABLE))
    errors += [
        _invalid_json(f"{path}.{name}", json_text(metadata.get(name)), IMMUTABLE)
        for name in ("creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")
        if metadata.get(name) != old.get(name)
    ]
    errors += _validate_maps(metadata, path)
    errors += _validate_owner_references(metadata.get("ownerReferences") or [], f"{path}.ownerReferences")
    errors += _validate_managed_fields(metadata.get("managedFields") or [], f"{path}.managedFields")
    return errors


def unreadable_time(metadata: JSONObject, *, path: str) -> FieldError | None:
    """The error of metadata with a time after the year 9999, which the server has stored but can't read again."""
    text = metadata.get("deletionTimestamp") or ""
    if len(text.partition("-")[0]) <= _YEAR_DIGITS or not release().reads_metadata_again:
        return None
    why = metadata_errors.unexpected_in_time(quote(text), quote(LAYOUT), quote(text[_YEAR_DIGITS:]), quote("-"))
    return FieldError(ErrorType.INVALID, path, metadata, why)
