"""What kube-apiserver says against the schemas and rules of a CustomResourceDefinition: every wording.

What it says against the text of a rule is in `cel.rules.errors`. Source: k8s.io/apiextensions-apiserver
pkg/apis/apiextensions/validation and pkg/apiserver/schema, 1.37.
"""

from __future__ import annotations

from typing import Final

_LIST_TYPE: Final = "x-kubernetes-list-type"
_MAP_TYPE: Final = "x-kubernetes-map-type"
_LIST_KEYS: Final = "x-kubernetes-list-map-keys"

# --- keywords ---

NEITHER_FLAG_NOR_SCHEMA: Final = "boolean or JSON schema expected"
NULLABLE_ROOT: Final = "nullable cannot be true at the root"
PRESERVE_FALSE: Final = "must be true or undefined"
UNIQUE_ITEMS: Final = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"
PROPERTIES_AND_VALUES: Final = "additionalProperties and properties are mutual exclusive"
TYPE_NULL: Final = "type cannot be set to null, use nullable as an alternative"
SEVERAL_ITEM_SCHEMAS: Final = "items must be a schema object and not an array"
EMBEDDED_IN_METADATA: Final = "must not be used inside of resource meta"
ROOT_NOT_OBJECT: Final = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'


def unsupported_keyword(keyword: str) -> str:
    """No definition may use this keyword."""
    return f"{keyword} is not supported"


def not_at_root(allowed: str) -> str:
    """The root has a keyword that it may not have if the status has its own endpoint."""
    return f"only {allowed} fields are allowed at the root of the schema if the status subresource is enabled"


# --- structural schemas ---

MUST_BE_UNDEFINED: Final = "must be undefined to be structural"
MUST_BE_EMPTY: Final = "must be empty to be structural"
MUST_BE_FALSE: Final = "must be false to be structural"
UNTYPED_ROOT: Final = "must not be empty at the root"
UNTYPED_ITEM: Final = "must not be empty for specified array items"
UNTYPED_FIELD: Final = "must not be empty for specified object fields"
NO_ITEMS: Final = "must be specified"
VALUES_OF_ROOT: Final = "must not be used at the root"
VALUES_OF_EMBEDDED: Final = "must not be used if x-kubernetes-embedded-resource is set"
NOT_OF_INT_OR_STRING: Final = "must be false if x-kubernetes-int-or-string is true"
EMBEDDED_NOT_OBJECT: Final = "must be object if x-kubernetes-embedded-resource is true"
EMBEDDED_WITHOUT_FIELDS: Final = "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields"
STRUCTURAL_ROOT_NOT_OBJECT: Final = "must be object at the root"
NOT_STRING: Final = "must be string"
NOT_OBJECT: Final = "must be object"
METADATA_SPECIFIED: Final = "must not specify anything other than name and generateName, but metadata is implicitly specified"
METADATA_IN_BRANCH: Final = "must not be specified in a nested context"
UNCONVERTIBLE_PRESERVE: Final = "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
UNCONVERTIBLE_ITEMS: Final = "OpenAPIV3Schema 'items' must be a schema, but is an array"


def unconvertible(name: str) -> str:
    """A keyword that no structural schema has."""
    return f"OpenAPIV3Schema '{name}' is not supported"


def invalid_pattern(why: str) -> str:
    """A pattern that Go can't compile."""
    return f"must be a valid regular expression, but isn't: {why}"


def not_declared(where: object) -> str:
    """A combinator restricts a field that isn't declared outside of it."""
    return f"because it is defined in {where}"


# --- lists and maps ---

MAP_NOT_OBJECT: Final = f"must be object if {_MAP_TYPE} is specified"
LIST_NOT_ARRAY: Final = f"must be array if {_LIST_TYPE} is specified"
KEYS_WITHOUT_MAP: Final = f"must be map if {_LIST_KEYS} is non-empty"
SET_ITEM_NOT_ATOMIC: Final = f"must be atomic as item of a list with {_LIST_TYPE}=set"
MAP_WITHOUT_KEYS: Final = f"must not be empty if {_LIST_TYPE} is map"
MAP_WITHOUT_ITEMS: Final = f"must have a schema if {_LIST_TYPE} is map"
MAP_WITH_SEVERAL_SCHEMAS: Final = f"must only have a single schema if {_LIST_TYPE} is map"
MAP_ITEM_NOT_OBJECT: Final = f"must be object if parent array's {_LIST_TYPE} is map"
KEY_NOT_PROPERTY: Final = "entries must all be names of item properties"
KEY_NOT_SCALAR: Final = f"must be a scalar type if parent array's {_LIST_TYPE} is map"
DUPLICATE_KEY: Final = "must not contain duplicate entries"
KEY_NEITHER_REQUIRED_NOR_DEFAULT: Final = f"this property is in {_LIST_KEYS}, so it must have a default or be a required property"
KEY_NULLABLE: Final = f"this property is in {_LIST_KEYS}, so it cannot be nullable"


def item_nullable(list_type: str) -> str:
    """The items of a set or a map may be null."""
    return f"cannot be nullable when {_LIST_TYPE} is {list_type}"


# --- defaults ---

UNKNOWN_FIELDS_IN_DEFAULT: Final = "must not have unknown fields"
DEFAULT_REPLACES_RESOURCE: Final = "failed to validate default value inside metadata: object root default value must be of object type"
BELOW_METADATA_VALUES: Final = "inside additionalProperties applying to object metadata"


def at_top_level(name: str) -> str:
    """Where a default isn't allowed: in the type or the metadata of the object itself."""
    return f"in top-level {name}"


def default_not_allowed(where: str) -> str:
    """A default in a place that may have none; `where` may be empty."""
    return f"must not be set {where}".rstrip()


def no_metadata(why: object) -> str:
    """A default whose metadata wouldn't be valid."""
    return f"must result in valid metadata: {why}"


# --- rules ---

EMPTY: Final = "must be non-empty if specified"
EMPTY_MESSAGE_EXPRESSION: Final = f"messageExpression {EMPTY}"
LINE_BREAKS: Final = "must not contain line breaks"
NO_RULE: Final = "rule is not specified"
NO_MESSAGE: Final = "message must be specified if rule contains line breaks"
INVALID_FIELD_PATH: Final = "must be a valid path"
OPTIONAL_OLD_SELF_UNUSED: Final = "may not be set if oldSelf is not used in rule"
NO_DECLARATIONS: Final = (
    "internal error: failed to construct type information for x-kubernetes-validations rules: "
    "unable to convert structural schema to CEL declarations"
)


def old_self_uncorrelatable(where: object) -> str:
    """A rule reads the old value in a place that has none."""
    return f"oldSelf cannot be used on the uncorrelatable portion of the schema within {where}"


# --- costs of rules ---

RULE_COST: Final = "estimated rule cost"
MESSAGE_COST: Final = "estimated messageExpression cost"
SCHEMA_COST: Final = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema"
EXPENSIVE_PART: Final = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"
_ADVICE: Final = "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)"


def too_expensive(what: str, cost: int, limit: int) -> str:
    """A cost exceeds its limit; `what` is one of the costs above."""
    excess = cost / limit
    factor = "more than 100x" if excess > 100 else f"{excess:.6f}x" if excess < 1.5 else f"{excess:.1f}x"
    return f"{what} exceeds budget by factor of {factor} {_ADVICE}"
