"""How field errors print the server's internal structs: as JSON with Go's field names, in their order, nothing left out.

Source: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/{types,types_jsonschema}.go, 1.36; encoding/json.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue

_Print = Callable[[JSONValue], str]


def _struct(value: JSONObject, fields: tuple[tuple[str, str, str, _Print], ...]) -> str:
    """`fields` are Go's name, our key, the text of the zero value and how another one is printed."""
    parts = (f'"{name}":{show(value[key]) if value.get(key) is not None else zero}' for name, key, zero, show in fields)
    return "{" + ",".join(parts) + "}"


def schema_text(schema: JSONObject) -> str:
    """A JSONSchemaProps."""
    return _struct(schema, _SCHEMA_FIELDS)


def rule_text(rule: JSONObject) -> str:
    """A ValidationRule."""
    return _struct(rule, _RULE_FIELDS)


def versions_text(versions: list[JSONObject] | None) -> str:
    """A list of CustomResourceDefinitionVersion; what was moved to the spec is null in them."""
    return "null" if versions is None else _listed(lambda version: _struct(version, _VERSION_FIELDS))(versions)


def items_text(items: JSONValue) -> str:
    """A JSONSchemaPropsOrArray."""
    if isinstance(items, dict):
        return f'{{"Schema":{schema_text(items)},"JSONSchemas":null}}'
    return f'{{"Schema":null,"JSONSchemas":{_schemas(items) if isinstance(items, list) else "null"}}}'


def _listed(show: _Print) -> _Print:
    return lambda values: f"[{','.join(map(show, values))}]"


def _mapped(show: _Print) -> _Print:
    return lambda values: "{" + ",".join(f"{json_text(key)}:{show(values[key])}" for key in sorted(values)) + "}"


_schemas: Final = _listed(schema_text)


def _schema_or_bool(value: JSONValue) -> str:
    if isinstance(value, dict):
        return f'{{"Allows":true,"Schema":{schema_text(value)}}}'
    return f'{{"Allows":{json_text(value)},"Schema":null}}'


def _schema_or_texts(value: JSONValue) -> str:
    if isinstance(value, dict):
        return f'{{"Schema":{schema_text(value)},"Property":null}}'
    return f'{{"Schema":null,"Property":{json_text(value) if isinstance(value, list) else "null"}}}'


def _external_docs(value: JSONObject) -> str:
    return _struct(value, (("Description", "description", '""', json_text), ("URL", "url", '""', json_text)))


_TEXT, _FLAG, _POINTER = '""', "false", "null"
_RULE_FIELDS: Final = (
    ("Rule", "rule", _TEXT, json_text),
    ("Message", "message", _TEXT, json_text),
    ("MessageExpression", "messageExpression", _TEXT, json_text),
    ("Reason", "reason", _POINTER, json_text),
    ("FieldPath", "fieldPath", _TEXT, json_text),
    ("OptionalOldSelf", "optionalOldSelf", _POINTER, json_text),
)
_SCHEMA_FIELDS: Final[tuple[tuple[str, str, str, _Print], ...]] = (
    ("ID", "id", _TEXT, json_text),
    ("Schema", "$schema", _TEXT, json_text),
    ("Ref", "$ref", _POINTER, json_text),
    ("Description", "description", _TEXT, json_text),
    ("Type", "type", _TEXT, json_text),
    ("Nullable", "nullable", _FLAG, json_text),
    ("Format", "format", _TEXT, json_text),
    ("Title", "title", _TEXT, json_text),
    ("Default", "default", _POINTER, json_text),
    ("Maximum", "maximum", _POINTER, json_text),
    ("ExclusiveMaximum", "exclusiveMaximum", _FLAG, json_text),
    ("Minimum", "minimum", _POINTER, json_text),
    ("ExclusiveMinimum", "exclusiveMinimum", _FLAG, json_text),
    ("MaxLength", "maxLength", _POINTER, json_text),
    ("MinLength", "minLength", _POINTER, json_text),
    ("Pattern", "pattern", _TEXT, json_text),
    ("MaxItems", "maxItems", _POINTER, json_text),
    ("MinItems", "minItems", _POINTER, json_text),
    ("UniqueItems", "uniqueItems", _FLAG, json_text),
    ("MultipleOf", "multipleOf", _POINTER, json_text),
    ("Enum", "enum", _POINTER, json_text),
    ("MaxProperties", "maxProperties", _POINTER, json_text),
    ("MinProperties", "minProperties", _POINTER, json_text),
    ("Required", "required", _POINTER, json_text),
    ("Items", "items", _POINTER, items_text),
    ("AllOf", "allOf", _POINTER, _schemas),
    ("OneOf", "oneOf", _POINTER, _schemas),
    ("AnyOf", "anyOf", _POINTER, _schemas),
    ("Not", "not", _POINTER, schema_text),
    ("Properties", "properties", _POINTER, _mapped(schema_text)),
    ("AdditionalProperties", "additionalProperties", _POINTER, _schema_or_bool),
    ("PatternProperties", "patternProperties", _POINTER, _mapped(schema_text)),
    ("Dependencies", "dependencies", _POINTER, _mapped(_schema_or_texts)),
    ("AdditionalItems", "additionalItems", _POINTER, _schema_or_bool),
    ("Definitions", "definitions", _POINTER, _mapped(schema_text)),
    ("ExternalDocs", "externalDocs", _POINTER, _external_docs),
    ("Example", "example", _POINTER, json_text),
    ("XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields", _POINTER, json_text),
    ("XEmbeddedResource", "x-kubernetes-embedded-resource", _FLAG, json_text),
    ("XIntOrString", "x-kubernetes-int-or-string", _FLAG, json_text),
    ("XListMapKeys", "x-kubernetes-list-map-keys", _POINTER, json_text),
    ("XListType", "x-kubernetes-list-type", _POINTER, json_text),
    ("XMapType", "x-kubernetes-map-type", _POINTER, json_text),
    ("XValidations", "x-kubernetes-validations", _POINTER, _listed(rule_text)),
)


def _validation(value: JSONObject) -> str:
    return _struct(value, (("OpenAPIV3Schema", "openAPIV3Schema", _POINTER, schema_text),))


def _empty(_value: JSONValue) -> str:
    return "{}"


def _scale(value: JSONObject) -> str:
    return _struct(
        value,
        (
            ("SpecReplicasPath", "specReplicasPath", _TEXT, json_text),
            ("StatusReplicasPath", "statusReplicasPath", _TEXT, json_text),
            ("LabelSelectorPath", "labelSelectorPath", _POINTER, json_text),
        ),
    )


def _subresources(value: JSONObject) -> str:
    return _struct(value, (("Status", "status", _POINTER, _empty), ("Scale", "scale", _POINTER, _scale)))


def _column(value: JSONObject) -> str:
    return _struct(
        value,
        (
            ("Name", "name", _TEXT, json_text),
            ("Type", "type", _TEXT, json_text),
            ("Format", "format", _TEXT, json_text),
            ("Description", "description", _TEXT, json_text),
            ("Priority", "priority", "0", json_text),
            ("JSONPath", "jsonPath", _TEXT, json_text),
        ),
    )


def _selectable(value: JSONObject) -> str:
    return _struct(value, (("JSONPath", "jsonPath", _TEXT, json_text),))


_VERSION_FIELDS: Final[tuple[tuple[str, str, str, _Print], ...]] = (
    ("Name", "name", _TEXT, json_text),
    ("Served", "served", _FLAG, json_text),
    ("Storage", "storage", _FLAG, json_text),
    ("Deprecated", "deprecated", _FLAG, json_text),
    ("DeprecationWarning", "deprecationWarning", _POINTER, json_text),
    ("Schema", "schema", _POINTER, _validation),
    ("Subresources", "subresources", _POINTER, _subresources),
    ("AdditionalPrinterColumns", "additionalPrinterColumns", _POINTER, _listed(_column)),
    ("SelectableFields", "selectableFields", _POINTER, _listed(_selectable)),
)
