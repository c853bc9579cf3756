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
    fields_of,
    struct,
)
from weighbridge.policies.apiserver.acceptance.schema_wordings import NEITHER_FLAG_NOR_SCHEMA
from weighbridge.policies.ground.objects import JSONValue

_TEXT: Final = Text()
_FLAG: Final = Boolean()
_COUNT: Final = Integer()
_TEXTS: Final = ListOf(Text())
_TEXT_MAP: Final = MapOf(Text())
_UID: Final = Text("types.UID")


def _neither(_value: JSONValue) -> tuple[()]:
    # An empty tuple is a struct with neither part set. It differs from an empty list, which is a struct whose list is empty.
    return ()


_schema_fields: dict[str, Field] = {}
#: A node of a schema.
SCHEMA: Final = Struct("JSONSchemaProps", _schema_fields)
_SCHEMAS: Final = ListOf(SCHEMA)
_SCHEMA_MAP: Final = MapOf(SCHEMA)
#: A schema or a flag, and a schema or a list of any.
OR_BOOL: Final = ByItself("v1.JSONSchemaPropsOrBool", SCHEMA, refusal=NEITHER_FLAG_NOR_SCHEMA)
OR_LIST: Final = ByItself("v1.JSONSchemaPropsOrArray", SCHEMA, _SCHEMAS, other=_neither)
_OR_TEXTS: Final = ByItself("v1.JSONSchemaPropsOrStringArray", SCHEMA, _TEXTS, other=_neither)
#: One rule.
RULE: Final = struct(
    "ValidationRule",
    {
        "!rule message messageExpression": _TEXT,
        "*reason": Text("v1.FieldValueErrorReason"),
        "fieldPath": _TEXT,
        "*optionalOldSelf": _FLAG,
    },
)

_schema_fields |= fields_of(
    {
        "id": _TEXT,
        "$schema": Text("v1.JSONSchemaURL"),
        "*$ref description type format title": _TEXT,
        "*default": AnyJSON(),
        "*maximum": Float(),
        "exclusiveMaximum": _FLAG,
        "*minimum": Float(),
        "exclusiveMinimum": _FLAG,
        "*maxLength *minLength": _COUNT,
        "pattern": _TEXT,
        "*maxItems *minItems": _COUNT,
        "uniqueItems": _FLAG,
        "*multipleOf": Float(),
        "enum": ListOf(AnyJSON()),
        "*maxProperties *minProperties": _COUNT,
        "required": _TEXTS,
        "*items": OR_LIST,
        "allOf oneOf anyOf": _SCHEMAS,
        "*not": SCHEMA,
        "properties": _SCHEMA_MAP,
        "*additionalProperties": OR_BOOL,
        "patternProperties": _SCHEMA_MAP,
        "dependencies": MapOf(_OR_TEXTS, "v1.JSONSchemaDependencies"),
        "*additionalItems": OR_BOOL,
        "definitions": MapOf(SCHEMA, "v1.JSONSchemaDefinitions"),
        "*externalDocs": struct("ExternalDocumentation", {"description url": _TEXT}),
        "*example": AnyJSON(),
        "nullable *x-kubernetes-preserve-unknown-fields x-kubernetes-embedded-resource x-kubernetes-int-or-string": _FLAG,
        "x-kubernetes-list-map-keys": _TEXTS,
        "*x-kubernetes-list-type *x-kubernetes-map-type": _TEXT,
        "x-kubernetes-validations": ListOf(RULE, "v1.ValidationRules"),
    }
)

_SCALE: Final = struct("CustomResourceSubresourceScale", {"!specReplicasPath !statusReplicasPath *labelSelectorPath": _TEXT})
_SUBRESOURCES: Final = struct("CustomResourceSubresources", {"*status": struct("CustomResourceSubresourceStatus", {}), "*scale": _SCALE})
_COLUMN: Final = struct(
    "CustomResourceColumnDefinition",
    {"!name !type format description": _TEXT, "priority": Integer(32), "!jsonPath": _TEXT},
)
#: One entry of ``spec.versions``.
VERSION: Final = struct(
    "CustomResourceDefinitionVersion",
    {
        "!name": _TEXT,
        "!served !storage deprecated": _FLAG,
        "*deprecationWarning": _TEXT,
        "*schema": struct("CustomResourceValidation", {"*openAPIV3Schema": SCHEMA}),
        "*subresources": _SUBRESOURCES,
        "additionalPrinterColumns": ListOf(_COLUMN),
        "selectableFields": ListOf(struct("SelectableField", {"!jsonPath": _TEXT})),
    },
)
_NAMES: Final = struct(
    "CustomResourceDefinitionNames",
    {"!plural singular": _TEXT, "shortNames": _TEXTS, "!kind listKind": _TEXT, "categories": _TEXTS},
)
_SERVICE: Final = struct("ServiceReference", {"!namespace !name *path": _TEXT, "*port": Integer(32)})
_CLIENT_CONFIG: Final = struct("WebhookClientConfig", {"*url": _TEXT, "*service": _SERVICE, "caBundle": Bytes()})
_WEBHOOK: Final = struct("WebhookConversion", {"*clientConfig": _CLIENT_CONFIG, "!conversionReviewVersions": _TEXTS})
_CONVERSION: Final = struct("CustomResourceConversion", {"!strategy": Text("v1.ConversionStrategyType"), "*webhook": _WEBHOOK})
#: The spec.
SPEC: Final = struct(
    "CustomResourceDefinitionSpec",
    {
        "!group": _TEXT,
        "!names": _NAMES,
        "!scope": Text("v1.ResourceScope"),
        "!versions": ListOf(VERSION),
        "*conversion": _CONVERSION,
        "preserveUnknownFields": _FLAG,
    },
)
_CONDITION: Final = struct(
    "CustomResourceDefinitionCondition",
    {
        "!type": Text("v1.CustomResourceDefinitionConditionType"),
        "!status": Text("v1.ConditionStatus"),
        "!lastTransitionTime": Time(),
        "reason message": _TEXT,
        "observedGeneration": _COUNT,
    },
)
#: The status.
STATUS: Final = struct(
    "CustomResourceDefinitionStatus",
    {"!conditions": ListOf(_CONDITION), "!acceptedNames": _NAMES, "!storedVersions": _TEXTS, "observedGeneration": _COUNT},
)
_OWNER_REFERENCE: Final = struct("OwnerReference", {"apiVersion kind name": _TEXT, "uid": _UID, "*controller *blockOwnerDeletion": _FLAG})
_MANAGED_FIELDS: Final = struct(
    "ManagedFieldsEntry",
    {
        "manager": _TEXT,
        "operation": Text("v1.ManagedFieldsOperationType"),
        "apiVersion": _TEXT,
        "*time": Time(),
        "fieldsType": _TEXT,
        "*fieldsV1": AnyJSON("v1.FieldsV1"),
        "subresource": _TEXT,
    },
)
OBJECT_META: Final = struct(
    "ObjectMeta",
    {
        "name generateName namespace selfLink": _TEXT,
        "uid": _UID,
        "resourceVersion": _TEXT,
        "generation": _COUNT,
        "creationTimestamp *deletionTimestamp": Time(),
        "*deletionGracePeriodSeconds": _COUNT,
        "labels annotations": _TEXT_MAP,
        "ownerReferences": ListOf(_OWNER_REFERENCE),
        "finalizers": _TEXTS,
        "managedFields": ListOf(_MANAGED_FIELDS),
    },
)
#: The whole object.
DEFINITION: Final = struct("CustomResourceDefinition", {"apiVersion kind": _TEXT, "metadata": OBJECT_META, "spec": SPEC, "status": STATUS})
