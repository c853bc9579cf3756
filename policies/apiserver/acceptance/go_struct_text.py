"""How field errors print the server's internal structs: as JSON with Go's field names, in their order and with empty fields.

Source: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/{types,types_jsonschema}.go, 1.36; encoding/json.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.apiserver.acceptance.definition_types import OR_BOOL, OR_LIST, RULE, SCHEMA, VERSION
from weighbridge.policies.apiserver.acceptance.go_types import Boolean, ByItself, Field, GoType, Integer, ListOf, MapOf, Struct, Text
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue

#: Go's names of fields, if they aren't those of JSON with a capital letter.
_NAMES: Final = {"id": "ID", "url": "URL", "jsonPath": "JSONPath"}
_EXTENSION: Final = "x-kubernetes-"


def schema_text(schema: JSONObject) -> str:
    """A JSONSchemaProps."""
    return _struct(schema, SCHEMA)


def rule_text(rule: JSONObject) -> str:
    """A ValidationRule."""
    return _struct(rule, RULE)


def versions_text(versions: list[JSONObject] | None) -> str:
    """A list of CustomResourceDefinitionVersion; fields that were moved to the spec are null in them."""
    return "null" if versions is None else _value(versions, ListOf(VERSION))


def items_text(items: JSONValue) -> str:
    """A JSONSchemaPropsOrArray."""
    return _value(items, OR_LIST)


def _struct(value: JSONObject, shape: Struct) -> str:
    parts = (f'"{_name(key)}":{_field(value.get(key), shape.fields[key])}' for key in _in_order(shape))
    return "{" + ",".join(parts) + "}"


def _in_order(shape: Struct) -> Sequence[str]:
    """The fields in the order of the internal struct, which differs a little from v1's for schemas."""
    if shape is not SCHEMA:
        return list(shape.fields)
    keys = [key for key in shape.fields if key != "nullable"]
    at = keys.index("type") + 1
    return [*keys[:at], "nullable", *keys[at:]]


def _name(key: str) -> str:
    if key.startswith(_EXTENSION):
        return "X" + "".join(word.capitalize() for word in key.removeprefix(_EXTENSION).split("-"))
    key = key.removeprefix("$")
    return _NAMES.get(key) or key[0].upper() + key[1:]


def _field(value: JSONValue, field: Field) -> str:
    if value is not None:
        return _value(value, field.type)
    return "null" if field.pointer else {Text: '""', Boolean: "false", Integer: "0"}.get(type(field.type), "null")


def _value(value: JSONValue, kind: GoType) -> str:
    if isinstance(kind, Struct):
        return _struct(value, kind)
    if isinstance(kind, ListOf):
        return f"[{','.join(_value(item, kind.item) for item in value)}]"
    if isinstance(kind, MapOf):
        return "{" + ",".join(f"{json_text(key)}:{_value(value[key], kind.value)}" for key in sorted(value)) + "}"
    return _by_itself(value, kind) if isinstance(kind, ByItself) else json_text(value)


def _by_itself(value: JSONValue, kind: ByItself) -> str:
    """A type with two parts, of which one is a schema."""
    schema = _value(value, kind.map_type) if isinstance(value, dict) else "null"
    if kind is OR_BOOL:
        return f'{{"Allows":{"true" if isinstance(value, dict) else json_text(value)},"Schema":{schema}}}'
    listed = _value(value, kind.list_type) if isinstance(value, list) and kind.list_type is not None else "null"
    return f'{{"Schema":{schema},"{"JSONSchemas" if kind is OR_LIST else "Property"}":{listed}}}'
