"""Validates a prepared definition that is created, or that replaces another one, and says which warnings come with it.

Source: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go and pkg/registry/customresourcedefinition, 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.apiserver.acceptance import wordings
from weighbridge.policies.apiserver.acceptance.approval import approval_errors
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.names import name_errors
from weighbridge.policies.apiserver.acceptance.options import Options
from weighbridge.policies.apiserver.acceptance.spec_form import SpecForm, schema_nodes, spec_form
from weighbridge.policies.apiserver.acceptance.spec_validation import spec_errors
from weighbridge.policies.apiserver.acceptance.stored_options import options_for_update
from weighbridge.policies.ground.field_errors import IMMUTABLE, FieldError
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.node import is_text_format
from weighbridge.policies.schema.object_meta import (
    merged_errors,
    path_segment_name,
    subdomain_name,
    validate_object_meta,
    validate_object_meta_update,
)

_METADATA: Final = "metadata"
_SPEC: Final = FieldPath("spec")
_STATUS: Final = FieldPath("status")
_NUMBER_FORMATS: Final = {"integer": ("int32", "int64"), "number": ("float", "double")}


def create_errors(definition: JSONObject) -> list[FieldError]:
    """The errors of a definition that is created."""
    form = spec_form(definition["spec"])
    wanted = f"{form.names.get('plural', '')}.{form.raw.get('group', '')}"

    def name_rule(name: str, is_prefix: bool) -> list[str]:
        messages = subdomain_name(name, is_prefix)
        return messages if name == wanted else [*messages, wordings.NOT_PLURAL_AND_GROUP]

    errors = merged_errors(validate_object_meta(definition["metadata"], namespaced=False, path=_METADATA, name_rule=name_rule))
    errors += spec_errors(form, _SPEC, Options())
    errors += _status_errors(definition)
    errors += approval_errors(definition, None)
    return errors + list(_preservation_errors(form))


def update_errors(definition: JSONObject, old: JSONObject) -> list[FieldError]:
    """The errors of a definition that replaces `old`."""
    errors = validate_object_meta(definition["metadata"], namespaced=False, path=_METADATA, name_rule=path_segment_name)
    errors += _metadata_change(definition, old)
    errors += merged_errors(_metadata_change(definition, old))
    form, old_form = spec_form(definition["spec"]), spec_form(old["spec"])
    options = options_for_update(form, old_form, old)
    errors += spec_errors(form, _SPEC, options)
    errors += _immutable_errors(form, old_form, names=options.immutable_names)
    errors += _status_errors(definition)
    errors += approval_errors(definition, old)
    return errors if old_form.preserves_unknown_fields else errors + list(_preservation_errors(form))


def status_update_errors(definition: JSONObject, old: JSONObject) -> list[FieldError]:
    """The errors of a definition whose status is written through its status endpoint."""
    errors = validate_object_meta(definition["metadata"], namespaced=False, path=_METADATA, name_rule=path_segment_name)
    errors += _metadata_change(definition, old)
    errors += merged_errors(_metadata_change(definition, old))
    return errors + list(name_errors(definition["status"].get("acceptedNames") or {}, _STATUS / "acceptedNames"))


def _metadata_change(definition: JSONObject, old: JSONObject) -> list[FieldError]:
    versioned = bool(old["metadata"].get("resourceVersion"))
    return validate_object_meta_update(definition["metadata"], old["metadata"], path=_METADATA, versioned=versioned)


def _immutable_errors(form: SpecForm, old: SpecForm, *, names: bool) -> Iterator[FieldError]:
    """The errors of changed fields that are immutable; with `names`, scope and kind too, as in an established definition."""
    if names and form.raw.get("scope", "") != old.raw.get("scope", ""):
        yield (_SPEC / "scope").invalid_text(json_text(form.raw.get("scope", "")), IMMUTABLE)
    if names and form.names.get("kind", "") != old.names.get("kind", ""):
        yield (_SPEC / "names" / "kind").invalid(form.names.get("kind", ""), IMMUTABLE)
    if form.raw.get("group", "") != old.raw.get("group", ""):
        yield (_SPEC / "group").invalid(form.raw.get("group", ""), IMMUTABLE)
    if form.names.get("plural", "") != old.names.get("plural", ""):
        yield (_SPEC / "names" / "plural").invalid(form.names.get("plural", ""), IMMUTABLE)


def _status_errors(definition: JSONObject) -> Iterator[FieldError]:
    status = definition["status"]
    yield from name_errors(status.get("acceptedNames") or {}, _STATUS / "acceptedNames")
    stored, where = status.get("storedVersions"), _STATUS / "storedVersions"
    if not stored:
        yield where.invalid(stored, wordings.NO_STORED_VERSION)
        return
    # As in Go's map, the last place of a repeated name counts. The first version of that name takes the place out.
    places = {name: index for index, name in enumerate(stored)}
    for version in definition["spec"].get("versions") or []:
        name = version.get("name", "")
        if places.pop(name, None) is None and version.get("storage"):
            yield where.invalid(stored, wordings.storage_version_not_stored(name))
    for name, index in places.items():
        yield where[index].invalid(name, wordings.stored_version_removed(name))


def _preservation_errors(form: SpecForm) -> Iterator[FieldError]:
    if form.preserves_unknown_fields:
        yield (_SPEC / "preserveUnknownFields").invalid(value=True, detail=wordings.PRESERVED_IN_V1)


def format_warnings(definition: JSONObject, old: JSONObject | None) -> list[str]:
    """The warnings about unknown formats, without those that the stored definition has already."""
    known = set() if old is None else set(_unknown_formats(old))
    return [wordings.unknown_format(name) for name in _unknown_formats(definition) if name not in known]


def _unknown_formats(definition: JSONObject) -> Iterator[str]:
    for schema in spec_form(definition["spec"]).schemas():
        for node in schema_nodes(schema):
            name, kind = node.get("format", ""), node.get("type", "")
            if not name:
                continue
            if not _is_known(name, kind):
                yield name


def _is_known(name: str, kind: str) -> bool:
    """Whether a format of a type is known, or isn't checked."""
    if release().warns_of_number_formats:
        return is_text_format(name) if kind in ("", "string") else name in _NUMBER_FORMATS.get(kind, ())
    return kind != "string" or is_text_format(name)


def set_warnings(definition: JSONObject, old: JSONObject | None) -> list[str]:
    """The warnings about sets of objects or lists, without those that the stored definition has already."""
    if not release().warns_of_sets:
        return []
    known = set() if old is None else _set_warnings(old)
    return sorted(_set_warnings(definition) - known)


def _set_warnings(definition: JSONObject) -> set[str]:
    kinds = {
        (node.get("items") or {}).get("type")
        for schema in spec_form(definition["spec"]).schemas()
        for node in schema_nodes(schema)
        if node.get("x-kubernetes-list-type") == "set" and isinstance(node.get("items"), dict)
    }
    return {wordings.set_of(kind) for kind in ("object", "array") if kind in kinds}
