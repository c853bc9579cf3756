"""The Go types of CustomResourceDefinition, ``apiextensions.k8s.io/v1``, and of object metadata.

Source: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/{types,types_jsonschema}.go and apimachinery's ObjectMeta, 1.36.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.apiserver.acceptance.go_types import (
    AnyJSON,
    Boolean,
    ByItself,
    Bytes,
    Field,
    Float,
    Integer,
    ListOf,
    MapOf,
    Struct,
    Text,
    Time,
)
from weighbridge.policies.ground.objects import JSONValue

_TEXT: Final = Field(Text())
_NEEDED_TEXT: Final = Field(Text(), always=True)
_NEEDED_FLAG: Final = Field(Boolean(), always=True)
_NEEDED_TEXTS: Final = Field(ListOf(Text()), always=True)
_TEXT_POINTER: Final = Field(Text(), pointer=True)
_FLAG: Final = Field(Boolean())
_FLAG_POINTER: Final = Field(Boolean(), pointer=True)
_COUNT_POINTER: Final = Field(Integer(), pointer=True)
_BOUND_POINTER: Final = Field(Float(), pointer=True)
_TEXTS: Final = Field(ListOf(Text()))
_ANY_POINTER: Final = Field(AnyJSON(), pointer=True)


def _neither(_value: JSONValue) -> tuple[()]:
    # Such a value is kept as a struct of which neither part is set, and an empty list as one with an empty list.
    return ()


_schema_fields: dict[str, Field] = {}
#: One node of a schema.
SCHEMA: Final = Struct("JSONSchemaProps", _schema_fields)
_SCHEMAS: Final = Field(ListOf(SCHEMA))
_SCHEMA_MAP: Final = Field(MapOf(SCHEMA))
_SCHEMA_POINTER: Final = Field(SCHEMA, pointer=True)
_OR_BOOL: Final = Field(
    ByItself("v1.JSONSchemaPropsOrBool", SCHEMA, refusal="boolean or JSON schema expected"),
    pointer=True,
)
_OR_LIST: Final = Field(ByItself("v1.JSONSchemaPropsOrArray", SCHEMA, ListOf(SCHEMA), other=_neither), pointer=True)
_OR_TEXTS: Final = ByItself("v1.JSONSchemaPropsOrStringArray", SCHEMA, ListOf(Text()), other=_neither)

_RULE: Final = Struct(
    "ValidationRule",
    {
        "rule": _NEEDED_TEXT,
        "message": _TEXT,
        "messageExpression": _TEXT,
        "reason": Field(Text("v1.FieldValueErrorReason"), pointer=True),
        "fieldPath": _TEXT,
        "optionalOldSelf": _FLAG_POINTER,
    },
)
_EXTERNAL_DOCS: Final = Struct("ExternalDocumentation", {"description": _TEXT, "url": _TEXT})

_schema_fields |= {
    "id": _TEXT,
    "$schema": Field(Text("v1.JSONSchemaURL")),
    "$ref": _TEXT_POINTER,
    "description": _TEXT,
    "type": _TEXT,
    "format": _TEXT,
    "title": _TEXT,
    "default": _ANY_POINTER,
    "maximum": _BOUND_POINTER,
    "exclusiveMaximum": _FLAG,
    "minimum": _BOUND_POINTER,
    "exclusiveMinimum": _FLAG,
    "maxLength": _COUNT_POINTER,
    "minLength": _COUNT_POINTER,
    "pattern": _TEXT,
    "maxItems": _COUNT_POINTER,
    "minItems": _COUNT_POINTER,
    "uniqueItems": _FLAG,
    "multipleOf": _BOUND_POINTER,
    "enum": Field(ListOf(AnyJSON())),
    "maxProperties": _COUNT_POINTER,
    "minProperties": _COUNT_POINTER,
    "required": _TEXTS,
    "items": _OR_LIST,
    "allOf": _SCHEMAS,
    "oneOf": _SCHEMAS,
    "anyOf": _SCHEMAS,
    "not": _SCHEMA_POINTER,
    "properties": _SCHEMA_MAP,
    "additionalProperties": _OR_BOOL,
    "patternProperties": _SCHEMA_MAP,
    "dependencies": Field(MapOf(_OR_TEXTS, "v1.JSONSchemaDependencies")),
    "additionalItems": _OR_BOOL,
    "definitions": Field(MapOf(SCHEMA, "v1.JSONSchemaDefinitions")),
    "externalDocs": Field(_EXTERNAL_DOCS, pointer=True),
    "example": _ANY_POINTER,
    "nullable": _FLAG,
    "x-kubernetes-preserve-unknown-fields": _FLAG_POINTER,
    "x-kubernetes-embedded-resource": _FLAG,
    "x-kubernetes-int-or-string": _FLAG,
    "x-kubernetes-list-map-keys": _TEXTS,
    "x-kubernetes-list-type": _TEXT_POINTER,
    "x-kubernetes-map-type": _TEXT_POINTER,
    "x-kubernetes-validations": Field(ListOf(_RULE, "v1.ValidationRules")),
}

_SCALE: Final = Struct(
    "CustomResourceSubresourceScale",
    {"specReplicasPath": _NEEDED_TEXT, "statusReplicasPath": _NEEDED_TEXT, "labelSelectorPath": _TEXT_POINTER},
)
_SUBRESOURCES: Final = Struct(
    "CustomResourceSubresources",
    {
        "status": Field(Struct("CustomResourceSubresourceStatus", {}), pointer=True),
        "scale": Field(_SCALE, pointer=True),
    },
)
_COLUMN: Final = Struct(
    "CustomResourceColumnDefinition",
    {
        "name": _NEEDED_TEXT,
        "type": _NEEDED_TEXT,
        "format": _TEXT,
        "description": _TEXT,
        "priority": Field(Integer(32)),
        "jsonPath": _NEEDED_TEXT,
    },
)
#: One entry of ``spec.versions``.
VERSION: Final = Struct(
    "CustomResourceDefinitionVersion",
    {
        "name": _NEEDED_TEXT,
        "served": _NEEDED_FLAG,
        "storage": _NEEDED_FLAG,
        "deprecated": _FLAG,
        "deprecationWarning": _TEXT_POINTER,
        "schema": Field(Struct("CustomResourceValidation", {"openAPIV3Schema": _SCHEMA_POINTER}), pointer=True),
        "subresources": Field(_SUBRESOURCES, pointer=True),
        "additionalPrinterColumns": Field(ListOf(_COLUMN)),
        "selectableFields": Field(ListOf(Struct("SelectableField", {"jsonPath": _NEEDED_TEXT}))),
    },
)
_NAMES: Final = Struct(
    "CustomResourceDefinitionNames",
    {
        "plural": _NEEDED_TEXT,
        "singular": _TEXT,
        "shortNames": _TEXTS,
        "kind": _NEEDED_TEXT,
        "listKind": _TEXT,
        "categories": _TEXTS,
    },
)
_SERVICE: Final = Struct(
    "ServiceReference",
    {"namespace": _NEEDED_TEXT, "name": _NEEDED_TEXT, "path": _TEXT_POINTER, "port": Field(Integer(32), pointer=True)},
)
_CLIENT_CONFIG: Final = Struct(
    "WebhookClientConfig",
    {"url": _TEXT_POINTER, "service": Field(_SERVICE, pointer=True), "caBundle": Field(Bytes())},
)
_WEBHOOK: Final = Struct(
    "WebhookConversion",
    {"clientConfig": Field(_CLIENT_CONFIG, pointer=True), "conversionReviewVersions": _NEEDED_TEXTS},
)
_CONVERSION: Final = Struct(
    "CustomResourceConversion",
    {"strategy": Field(Text("v1.ConversionStrategyType"), always=True), "webhook": Field(_WEBHOOK, pointer=True)},
)
#: The spec.
SPEC: Final = Struct(
    "CustomResourceDefinitionSpec",
    {
        "group": _NEEDED_TEXT,
        "names": Field(_NAMES, always=True),
        "scope": Field(Text("v1.ResourceScope"), always=True),
        "versions": Field(ListOf(VERSION), always=True),
        "conversion": Field(_CONVERSION, pointer=True),
        "preserveUnknownFields": _FLAG,
    },
)
_CONDITION: Final = Struct(
    "CustomResourceDefinitionCondition",
    {
        "type": Field(Text("v1.CustomResourceDefinitionConditionType"), always=True),
        "status": Field(Text("v1.ConditionStatus"), always=True),
        "lastTransitionTime": Field(Time(), always=True),
        "reason": _TEXT,
        "message": _TEXT,
        "observedGeneration": Field(Integer()),
    },
)
#: The status.
STATUS: Final = Struct(
    "CustomResourceDefinitionStatus",
    {
        "conditions": Field(ListOf(_CONDITION), always=True),
        "acceptedNames": Field(_NAMES, always=True),
        "storedVersions": _NEEDED_TEXTS,
        "observedGeneration": Field(Integer()),
    },
)
_OWNER_REFERENCE: Final = Struct(
    "OwnerReference",
    {
        "apiVersion": _TEXT,
        "kind": _TEXT,
        "name": _TEXT,
        "uid": Field(Text("types.UID")),
        "controller": _FLAG_POINTER,
        "blockOwnerDeletion": _FLAG_POINTER,
    },
)
_MANAGED_FIELDS: Final = Struct(
    "ManagedFieldsEntry",
    {
        "manager": _TEXT,
        "operation": Field(Text("v1.ManagedFieldsOperationType")),
        "apiVersion": _TEXT,
        "time": Field(Time(), pointer=True),
        "fieldsType": _TEXT,
        "fieldsV1": Field(AnyJSON("v1.FieldsV1"), pointer=True),
        "subresource": _TEXT,
    },
)
_TEXT_MAP: Final = Field(MapOf(Text()))
OBJECT_META: Final = Struct(
    "ObjectMeta",
    {
        "name": _TEXT,
        "generateName": _TEXT,
        "namespace": _TEXT,
        "selfLink": _TEXT,
        "uid": Field(Text("types.UID")),
        "resourceVersion": _TEXT,
        "generation": Field(Integer()),
        "creationTimestamp": Field(Time()),
        "deletionTimestamp": Field(Time(), pointer=True),
        "deletionGracePeriodSeconds": _COUNT_POINTER,
        "labels": _TEXT_MAP,
        "annotations": _TEXT_MAP,
        "ownerReferences": Field(ListOf(_OWNER_REFERENCE)),
        "finalizers": _TEXTS,
        "managedFields": Field(ListOf(_MANAGED_FIELDS)),
    },
)
#: The whole object.
DEFINITION: Final = Struct(
    "CustomResourceDefinition",
    {"apiVersion": _TEXT, "kind": _TEXT, "metadata": Field(OBJECT_META), "spec": Field(SPEC), "status": Field(STATUS)},
)
