"""Validates one schema of a definition, of any of its versions.

Source: ``validateCustomResourceDefinitionValidation`` in
k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, 1.36.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.apiserver.acceptance import schema_wordings
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.go_struct_text import schema_text
from weighbridge.policies.apiserver.acceptance.openapi_schema import openapi_errors
from weighbridge.policies.apiserver.acceptance.options import Options
from weighbridge.policies.apiserver.acceptance.schema_defaults import default_errors
from weighbridge.policies.apiserver.acceptance.schema_rules import RuleContext
from weighbridge.policies.apiserver.acceptance.structural import structural_errors, unconvertible
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.objects import JSONObject

#: The keywords that the root may have if the status has its own endpoint: with Go's names and with those of JSON.
_AT_ROOT: Final = {
    "Description": "description",
    "Type": "type",
    "Format": "format",
    "Title": "title",
    "Maximum": "maximum",
    "ExclusiveMaximum": "exclusiveMaximum",
    "Minimum": "minimum",
    "ExclusiveMinimum": "exclusiveMinimum",
    "MaxLength": "maxLength",
    "MinLength": "minLength",
    "Pattern": "pattern",
    "MaxItems": "maxItems",
    "MinItems": "minItems",
    "UniqueItems": "uniqueItems",
    "MultipleOf": "multipleOf",
    "Required": "required",
    "Items": "items",
    "Properties": "properties",
    "ExternalDocs": "externalDocs",
    "Example": "example",
    "XPreserveUnknownFields": "x-kubernetes-preserve-unknown-fields",
    "XValidations": "x-kubernetes-validations",
}
#: The keywords before the type in Go's struct: the first forbidden one ends the search.
_BEFORE_TYPE: Final = ("id", "$schema", "$ref")


def schema_errors(validation: JSONObject | None, path: FieldPath, options: Options, *, has_status: bool) -> list[FieldError]:
    """The errors of a ``schema`` field at `path`; `has_status` says that the status has its own endpoint."""
    schema = None if validation is None else validation.get("openAPIV3Schema")
    if schema is None:
        return []
    where = path / "openAPIV3Schema"
    errors = _root_errors(schema, where) if has_status else []
    if schema.get("nullable"):
        errors.append((where / "nullable").forbidden(schema_wordings.NULLABLE_ROOT))
    context: RuleContext | None = None
    obstacle = unconvertible(schema) if options.structural_schema else ""
    if options.structural_schema and not obstacle:
        found = structural_errors(schema, where) or default_errors(schema, where, pruned=options.pruned_defaults)
        errors += found
        if not found:
            context = RuleContext(schema, options.stored_expressions)
    errors += openapi_errors(schema, where, options, context)
    if obstacle and not errors:
        errors.append(where.invalid("", obstacle))
    if context is not None:
        errors += context.total.errors(where)
    return errors


def _root_errors(schema: JSONObject, path: FieldPath) -> list[FieldError]:
    if any(key in schema for key in _BEFORE_TYPE):
        return [_not_at_root(schema, path)]
    kind = schema.get("type", "object")
    if kind != "object":
        # A missing type isn't checked, and a wrong one ends the search.
        return [(path / "type").invalid(kind, schema_wordings.ROOT_NOT_OBJECT)]
    return [_not_at_root(schema, path)] if schema.keys() - _AT_ROOT.values() else []


def _not_at_root(schema: JSONObject, path: FieldPath) -> FieldError:
    allowed = f"[{' '.join(_AT_ROOT)}]"
    return path.invalid_text(schema_text(schema), schema_wordings.not_at_root(allowed))
