"""Validates a prepared custom resource: all checks in the server's order, and whether their errors block the CEL rules.

Source: apiextensions-apiserver/pkg/registry/customresource/{strategy,status_strategy,validator}.go, 1.36.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.apiserver import wordings
from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.apiserver.scale import validate_scale_spec, validate_scale_status
from weighbridge.policies.cel.values.outcome import OBJECT_BUDGET
from weighbridge.policies.ground.field_errors import BLOCKING_TYPES, ErrorType, FieldError
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.schema.object_meta import (
    merged_errors,
    path_segment_name,
    subdomain_name,
    unreadable_time,
    validate_object_meta,
    validate_object_meta_update,
)

_METADATA: Final = "metadata"
_STATUS: Final = "status"
RULES_NOT_CHECKED: Final = FieldError(ErrorType.INVALID, "", None, wordings.RULES_NOT_CHECKED)


@dataclass(frozen=True, slots=True)
class ValidationOutcome:
    """The errors that refuse an object, the failures of rules that are only warnings, and the cost of the rules."""

    errors: list[FieldError]
    warnings: list[str]
    cel_cost: int = 0


def validate_create(obj: JSONObject, definition: ResourceDefinition) -> ValidationOutcome:
    """Validate an object that is created. It has a name already, which may be a placeholder."""
    errors = _validate_type_meta(obj, definition)
    if not errors:
        found = validate_object_meta(obj["metadata"], namespaced=_namespaced(definition), path=_METADATA, name_rule=subdomain_name)
        errors = merged_errors(found)
        # The server also checks the rule for path segments, which every subdomain satisfies.
        errors += definition.schema.validate(obj)
        errors += validate_scale_spec(obj, definition.scale)
        errors += validate_scale_status(obj, definition.scale)
    errors += definition.embedded.validate(obj)
    errors += definition.schema.validate_list_types(obj)
    return _with_rules(errors, obj, None, definition)


def validate_update(obj: JSONObject, old: JSONObject, definition: ResourceDefinition) -> ValidationOutcome:
    """Validate an object that replaces `old`; errors of unchanged parts are accepted."""
    errors = _validate_type_meta(obj, definition)
    if not errors:
        errors = _validate_metadata_of_kind(obj, old)
        errors += definition.schema.validate_update(obj, old)
        errors += validate_scale_spec(obj, definition.scale)
        errors += validate_scale_status(obj, definition.scale)
    errors += definition.embedded.validate(obj)
    errors += _validate_lists_of_update(obj, old, definition)
    outcome = _with_rules(errors, obj, old, definition)
    return replace(outcome, errors=validate_common(obj, old, definition) + outcome.errors)


def validate_status_update(obj: JSONObject, old: JSONObject, definition: ResourceDefinition) -> ValidationOutcome:
    """Validate a status write: only the schema of the status, but every rule."""
    errors = _validate_metadata_of_kind(obj, old)
    schema = definition.schema.subschema(_STATUS)
    if _STATUS in obj and schema is not None:
        errors += schema.validate_update(obj[_STATUS], old.get(_STATUS), _STATUS)
    errors += validate_scale_status(obj, definition.scale)
    errors += _validate_lists_of_update(obj, old, definition)
    outcome = _with_rules(errors, obj, old, definition)
    return replace(outcome, errors=validate_common(obj, old, definition) + outcome.errors)


def validate_demands(obj: JSONObject, old: JSONObject | None, definition: ResourceDefinition) -> ValidationOutcome:
    """Validate only by the schema and the rules. `old` is the object that is replaced, `None` for a creation."""
    if old is None:
        errors = definition.schema.validate(obj) + definition.schema.validate_list_types(obj)
    else:
        errors = definition.schema.validate_update(obj, old) + _validate_lists_of_update(obj, old, definition)
    return _with_rules(errors, obj, old, definition)


def _validate_type_meta(obj: JSONObject, definition: ResourceDefinition) -> list[FieldError]:
    errors = []
    for name, wanted in (("kind", definition.gvk.kind), ("apiVersion", definition.gvk.api_version)):
        found = obj.get(name, "")
        if found != wanted:
            errors.append(FieldError(ErrorType.INVALID, name, found, wordings.wrong_type(wanted)))
    return errors


def _namespaced(definition: ResourceDefinition) -> bool | None:
    """Whether the object must have a namespace; `None` (either is right) for a namespaced kind, since a server takes it from the URL."""
    return None if definition.namespaced else False


def validate_common(obj: JSONObject, old: JSONObject, definition: ResourceDefinition) -> list[FieldError]:
    """The checks that the server makes for updates of any kind; the check of the kind repeats a part of them."""
    errors = validate_object_meta(obj["metadata"], namespaced=_namespaced(definition), path=_METADATA, name_rule=path_segment_name)
    return errors + _validate_metadata_change(obj, old)


def _validate_metadata_change(obj: JSONObject, old: JSONObject) -> list[FieldError]:
    versioned = bool(old["metadata"].get("resourceVersion"))
    metadata = obj["metadata"]
    if unreadable_time(metadata, path=_METADATA):
        metadata = {name: value for name, value in metadata.items() if name != "deletionTimestamp"}
    return validate_object_meta_update(metadata, old["metadata"], path=_METADATA, versioned=versioned)


def _validate_metadata_of_kind(obj: JSONObject, old: JSONObject) -> list[FieldError]:
    """The errors that the check of a kind finds in changed metadata, which it reads again first."""
    unreadable = unreadable_time(obj["metadata"], path=_METADATA)
    return [unreadable] if unreadable else merged_errors(_validate_metadata_change(obj, old))


def _validate_lists_of_update(obj: JSONObject, old: JSONObject, definition: ResourceDefinition) -> list[FieldError]:
    errors = definition.schema.validate_list_types(obj)
    return errors if errors and not definition.schema.validate_list_types(old) else []


def _with_rules(errors: list[FieldError], obj: JSONObject, old: JSONObject | None, definition: ResourceDefinition) -> ValidationOutcome:
    """Add the results of the CEL rules, or say that they weren't run because of earlier errors."""
    if not definition.has_rules:
        return ValidationOutcome(errors, [])
    if any(error.type in BLOCKING_TYPES for error in errors):
        return ValidationOutcome([*errors, RULES_NOT_CHECKED], [])
    # On a creation an error of type has blocked the rules; on an update such an error may have been accepted.
    is_typed = old is None or (definition.schema.holds(obj) and definition.schema.holds(old))
    result = definition.rules.validate(obj, old, has_old=old is not None, is_typed=is_typed)
    return ValidationOutcome(errors + result.errors, [str(warning) for warning in result.warnings], OBJECT_BUDGET - result.remaining_budget)
