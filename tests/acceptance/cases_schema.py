"""Cases about the schemas of a definition."""

from __future__ import annotations

from typing import Final

from tests.acceptance.definitions import with_root, with_x
from weighbridge.policies.ground.objects import JSONObject, JSONValue

_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "integer"}
_PRESERVE: Final = "x-kubernetes-preserve-unknown-fields"
_EMBEDDED: Final = "x-kubernetes-embedded-resource"
_INT_OR_STRING: Final = "x-kubernetes-int-or-string"
_LIST_TYPE: Final = "x-kubernetes-list-type"
_MAP_TYPE: Final = "x-kubernetes-map-type"
_KEYS: Final = "x-kubernetes-list-map-keys"
_RULES: Final = "x-kubernetes-validations"
_RULE: Final = [{"rule": "true"}]


def _object(**properties: JSONValue) -> JSONObject:
    return {"type": "object", "properties": properties}


def _list(items: JSONValue, **more: JSONValue) -> JSONObject:
    return {"type": "array", "items": items} | more


def _map_list(item: JSONObject, *keys: str, **more: JSONValue) -> JSONObject:
    return {"type": "array", "items": item, _LIST_TYPE: "map", _KEYS: list(keys)} | more


#: Schemas of ``spec.x``.
X: Final[dict[str, JSONValue]] = {
    "no-type": {},
    "other-type": {"type": "bogus"},
    "type-null": {"type": "null"},
    "untyped-preserving": {_PRESERVE: True},
    "preserve-false": {"type": "object", _PRESERVE: False},
    "int-or-string": {_INT_OR_STRING: True},
    "int-or-string-any-of": {_INT_OR_STRING: True, "anyOf": [_NUMBER, _TEXT]},
    "int-or-string-all-of": {_INT_OR_STRING: True, "allOf": [{"anyOf": [_NUMBER, _TEXT]}, {"minimum": 3}]},
    "int-or-string-reversed": {_INT_OR_STRING: True, "anyOf": [_TEXT, _NUMBER]},
    "int-or-string-empties": {_INT_OR_STRING: True, "anyOf": [_NUMBER | {"enum": []}, _TEXT | {"additionalProperties": False}]},
    "int-or-string-required": {_INT_OR_STRING: True, "anyOf": [_NUMBER | {"required": []}, _TEXT]},
    "int-or-string-preserving": {_INT_OR_STRING: True, _PRESERVE: True, _EMBEDDED: True},
    "any-of-types": _TEXT | {"anyOf": [_NUMBER, _TEXT]},
    "branch-says-all": _object(a=_TEXT)
    | {
        "allOf": [
            {
                "type": "object", "default": {}, "title": "t", "description": "d", "nullable": True, "additionalProperties": _TEXT,
                _PRESERVE: True, _EMBEDDED: True, _INT_OR_STRING: True, _KEYS: ["a"], _LIST_TYPE: "map", _MAP_TYPE: "atomic", _RULES: _RULE,
            }
        ]
    },
    "branch-map-false": {"type": "object", "not": {"additionalProperties": False}, "oneOf": [{"additionalProperties": True}]},
    "branch-metadata": _object(metadata={"type": "object"}) | {"anyOf": [{"properties": {"metadata": {}}}]},
    "branch-nested": _object(a=_list(_TEXT)) | {"oneOf": [{"properties": {"a": {"items": {"type": "string", "not": {"title": "x"}}}}}]},
    "array-without-items": {"type": "array"},
    "array-items-null": {"type": "array", "items": None},
    "array-items-number": {"type": "array", "items": 5},
    "object-items-number": {"type": "object", "items": 5},
    "object-items-list": {"type": "object", "items": []},
    "items-untyped": _list({}),
    "items-list": _list([_TEXT, _NUMBER]),
    "items-list-map": _list([_TEXT], **{_LIST_TYPE: "map", _KEYS: ["a"]}),
    "properties-null": _object(a=None),
    "map": {"type": "object", "additionalProperties": _TEXT},
    "map-true": {"type": "object", "additionalProperties": True},
    "map-false": {"type": "object", "additionalProperties": False},
    "map-number": {"type": "object", "additionalProperties": 3},
    "map-text": {"type": "object", "additionalProperties": "x"},
    "map-untyped": {"type": "object", "additionalProperties": {}},
    "map-and-properties": _object(a=_TEXT) | {"additionalProperties": _TEXT},
    "map-true-and-properties": _object(a=_TEXT) | {"additionalProperties": True},
    "unique-items": _list(_TEXT, uniqueItems=True),
    "id": _TEXT | {"id": "a"},
    "ref": _TEXT | {"$ref": "#/a"},
    "ref-empty": _TEXT | {"$ref": ""},
    "schema-url": _TEXT | {"$schema": "http://a"},
    "definitions": _TEXT | {"definitions": {"a": _TEXT, "b": {"type": "bogus"}}},
    "definitions-empty": _TEXT | {"definitions": {}, "patternProperties": {}},
    "dependencies": _TEXT | {"dependencies": {"a": ["b"], "c": {"type": "bogus"}, "d": 5, "e": None}},
    "dependencies-empty": _TEXT | {"dependencies": {}},
    "dependencies-wrong": _TEXT | {"dependencies": {"a": [1]}},
    "pattern-properties": _TEXT | {"patternProperties": {"a": _TEXT}},
    "additional-items": _list(_TEXT, additionalItems=False),
    "unsupported-annotations": _TEXT | {"deprecated": True, "readOnly": True, "writeOnly": True, "xml": {}, "discriminator": {}},
    "annotations": _TEXT | {"title": "t", "description": "d", "example": {"a": [1.0]}, "externalDocs": {"url": "u"}},
    "external-docs-empty": _TEXT | {"externalDocs": {}, "example": None, "required": [], "enum": []},
    "pattern": _TEXT | {"pattern": "^[a-z]+$"},
    "pattern-broken": _TEXT | {"pattern": "["},
    "pattern-lookahead": _TEXT | {"pattern": "(?!a)b"},
    "pattern-repeats": _TEXT | {"pattern": "a{2000}"},
    "pattern-in-branch": _TEXT | {"not": {"pattern": "a**"}},
    "format": _TEXT | {"format": "date-time"},
    "format-unknown": _TEXT | {"format": "cron"},
    "format-of-integer": _NUMBER | {"format": "int8"},
    "format-of-object": {"type": "object", "format": "uri"},
    "format-untyped": {_PRESERVE: True, "format": "int-or-string"},
    "formats-unknown": _object(
        a=_TEXT | {"format": "a\"b"}, b={"type": "number", "format": "int32"}, c=_TEXT | {"not": {"format": "cron"}}
    ),
    "numbers": {"type": "number", "maximum": 1e21, "minimum": -1.5, "multipleOf": 0.1, "exclusiveMaximum": True, "exclusiveMinimum": False},
    "whole-floats": {"type": "number", "maximum": 5.0, "default": 3.0, "enum": [3.0, 1e3, 2.5]},
    "negative-bounds": {"type": "array", "items": _TEXT, "maxItems": -1, "minItems": -5},
    "bound-float": _TEXT | {"maxLength": 1.5},
    "bound-whole-float": _TEXT | {"maxLength": 5.0},
    "bound-text": _TEXT | {"maxLength": "5"},
    "maximum-text": _NUMBER | {"maximum": "5"},
    "enum-no-list": _TEXT | {"enum": "a"},
    "enum-null": _TEXT | {"enum": ["a", None], "nullable": True},
    "required-number": _object(a=_TEXT) | {"required": [1]},
    "required-undeclared": _object(a=_TEXT) | {"required": ["b", "b"]},
    "type-list": {"type": ["string", "null"]},
    "all-of-map": _TEXT | {"allOf": {}},
    "not-list": _TEXT | {"not": []},
    "rules-map": _TEXT | {_RULES: {}},
    "rule-number": _TEXT | {_RULES: [{"rule": 1}]},
    "wrong-in-items": _list({"type": 5}),
    "wrong-deep-in-items": _list(_list({"type": "object", _RULES: [{"rule": 5}]})),
    "wrong-after-wrong": {"type": 3, "items": {"type": 5}},
    "wrong-in-map": {"type": "object", "additionalProperties": {"properties": []}},
    "set": _list(_TEXT, **{_LIST_TYPE: "set"}),
    "set-of-objects": _list(_object(a=_TEXT), **{_LIST_TYPE: "set"}),
    "set-of-atomic-objects": _list(_object(a=_TEXT) | {_MAP_TYPE: "atomic"}, **{_LIST_TYPE: "set"}),
    "set-of-sets": _list(_list(_TEXT, **{_LIST_TYPE: "set"}), **{_LIST_TYPE: "set"}),
    "set-of-nullable": _list(_TEXT | {"nullable": True}, **{_LIST_TYPE: "set"}),
    "list-type-other": _list(_TEXT, **{_LIST_TYPE: "bag"}),
    "list-type-of-text": _TEXT | {_LIST_TYPE: "set"},
    "list-type-untyped": {_PRESERVE: True, _LIST_TYPE: "set", _MAP_TYPE: "atomic"},
    "map-type": {"type": "object", _MAP_TYPE: "atomic"},
    "map-type-other": {"type": "object", _MAP_TYPE: "loose"},
    "map-type-of-text": _TEXT | {_MAP_TYPE: "atomic"},
    "map-list": _map_list(_object(a=_TEXT) | {"required": ["a"]}, "a"),
    "map-list-default-key": _map_list(_object(a=_TEXT | {"default": "x"}), "a"),
    "map-list-optional-key": _map_list(_object(a=_TEXT, b=_TEXT | {"nullable": True}) | {"required": ["b"]}, "a", "b"),
    "map-list-compound-key": _map_list(_object(a=_object(b=_TEXT)) | {"required": ["a"]}, "a"),
    "map-list-undeclared-key": _map_list(_object(a=_TEXT) | {"required": ["a"]}, "b"),
    "map-list-key-twice": _map_list(_object(a=_TEXT) | {"required": ["a"]}, "a", "a"),
    "map-list-of-text": _map_list(_TEXT, "a"),
    "map-list-without-keys": _list(_object(a=_TEXT), **{_LIST_TYPE: "map"}),
    "map-list-without-items": {"type": "array", _LIST_TYPE: "map", _KEYS: ["a"]},
    "map-list-nullable-items": _map_list(_object(a=_TEXT) | {"required": ["a"], "nullable": True}, "a"),
    "keys-without-type": _list(_object(a=_TEXT), **{_KEYS: ["a"]}),
    "keys-of-set": _list(_TEXT, **{_KEYS: ["a"], _LIST_TYPE: "set"}),
    "default": _TEXT | {"default": "a"},
    "default-wrong-type": _TEXT | {"default": 1},
    "default-null": _TEXT | {"default": None},
    "default-too-long": _TEXT | {"default": "abc", "maxLength": 2},
    "default-no-enum": _TEXT | {"default": "c", "enum": ["a", "b"]},
    "default-unknown-field": _object(a=_TEXT) | {"default": {"a": "x", "b": 1}},
    "default-missing-field": _object(a=_TEXT) | {"default": {}, "required": ["a"]},
    "default-in-items": _list(_TEXT | {"default": 3}, default=["a", 5]),
    "default-in-map": {"type": "object", "additionalProperties": _TEXT | {"default": 3}},
    "default-in-branch": _TEXT | {"anyOf": [{"default": "x"}]},
    "default-set-twice": _list(_TEXT, **{_LIST_TYPE: "set", "default": ["a", "a"]}),
    "default-format": _TEXT | {"default": "never", "format": "date-time"},
    "default-float": _NUMBER | {"default": 1.5},
    "default-whole-float": _NUMBER | {"default": 1.0},
    "default-breaks-rule": _TEXT | {"default": "a", _RULES: [{"rule": "self == 'b'", "message": "must be b"}]},
    "default-keeps-rule": _TEXT | {"default": "b", _RULES: [{"rule": "self == 'b'"}]},
    "default-breaks-transition": _TEXT | {"default": "a", _RULES: [{"rule": "self != oldSelf"}]},
    "default-breaks-optional-transition": _TEXT
    | {"default": "a", _RULES: [{"rule": "oldSelf.hasValue() || self == 'b'", "optionalOldSelf": True}]},
    "default-rule-uncompilable": _TEXT | {"default": "a", _RULES: [{"rule": "self.x"}]},
    "default-nested-rule": _object(a=_NUMBER | {_RULES: [{"rule": "self > 3"}]}) | {"default": {"a": 1}},
    "embedded": {"type": "object", _EMBEDDED: True, _PRESERVE: True},
    "embedded-empty": {"type": "object", _EMBEDDED: True},
    "embedded-text": {"type": "string", _EMBEDDED: True, _PRESERVE: True},
    "embedded-untyped": {_EMBEDDED: True, _PRESERVE: True},
    "embedded-map": {"type": "object", _EMBEDDED: True, _PRESERVE: True, "additionalProperties": _TEXT},
    "embedded-types": _object(kind=_NUMBER, apiVersion=_NUMBER, metadata=_TEXT) | {_EMBEDDED: True},
    "embedded-metadata": _object(metadata=_object(labels={"type": "object"}, annotations=_TEXT)) | {_EMBEDDED: True},
    "embedded-in-metadata": _object(metadata=_object(x={"type": "object", _EMBEDDED: True, _PRESERVE: True})) | {_EMBEDDED: True},
    "embedded-default": {"type": "object", _EMBEDDED: True, _PRESERVE: True, "default": {"kind": "A", "apiVersion": "v1"}},
    "embedded-default-bad": {
        "type": "object", _EMBEDDED: True, _PRESERVE: True, "default": {"kind": "-", "metadata": {"labels": {"a": "b c"}}},
    },
    "embedded-default-odd": {
        "type": "object", _EMBEDDED: True, _PRESERVE: True,
        "default": {"kind": "A", "apiVersion": "v1", "metadata": {"creationTimestamp": None, "foo": 1, "name": "n"}},
    },
    "embedded-default-undecodable": {"type": "object", _EMBEDDED: True, _PRESERVE: True, "default": {"kind": 5, "metadata": 3}},
    "metadata-default": _object(metadata=_object(name=_TEXT | {"default": "x"})) | {_EMBEDDED: True},
    "metadata-default-bad": _object(metadata=_object(name=_TEXT | {"default": "a/b"}), kind=_TEXT | {"default": "x_y"}) | {_EMBEDDED: True},
    "metadata-default-type": _object(metadata=_object(labels={"type": "object", "default": {"a": 1}})) | {_EMBEDDED: True},
    "metadata-default-map": _object(
        metadata=_object(labels={"type": "object", "additionalProperties": _TEXT | {"default": "x"}})
    ) | {_EMBEDDED: True},
}  # fmt: skip

#: Whole schemas.
ROOTS: Final[dict[str, JSONValue]] = {
    "empty": {},
    "text": {"type": "text"},
    "string": {"type": "string"},
    "map": {"type": "object", "additionalProperties": _TEXT},
    "map-false": {"type": "object", "additionalProperties": False},
    "preserving": {_PRESERVE: True},
    "preserving-object": {"type": "object", _PRESERVE: True},
    "nullable": {"type": "object", "nullable": True},
    "default": {"type": "object", "default": {"a": 1}, _PRESERVE: True},
    "kinds": _object(kind=_NUMBER, apiVersion=_object(a=_TEXT), metadata=_TEXT),
    "metadata-names": _object(metadata=_object(name=_TEXT | {"maxLength": 5}, generateName=_TEXT)),
    "metadata-more": _object(metadata=_object(name=_TEXT, labels={"type": "object"})),
    "metadata-described": _object(metadata={"type": "object", "description": "x"}),
    "metadata-required": _object(metadata={"type": "object", "required": []}),
    "metadata-empties": _object(metadata={"type": "object", "properties": {}, "enum": [], "anyOf": []}),
    "metadata-default": _object(metadata={"type": "object", "default": {"name": "x"}}, kind=_TEXT | {"default": "x"}),
    "metadata-name-default": _object(metadata=_object(name=_TEXT | {"default": "x"})),
    "metadata-rules": _object(metadata=_object(name=_TEXT | {_RULES: [{"rule": "self.size() > 3"}]})),
    "incomplete": _object(a=_TEXT) | {"anyOf": [{"properties": {"b": {"minimum": 1}}}, {"properties": {"a": {"items": {"minLength": 1}}}}]},
    "incomplete-map": _object(a={"type": "object", "additionalProperties": _TEXT})
    | {"not": {"properties": {"a": {"properties": {"b": {}}}}}},
    "incomplete-below": _object(a=_object(b=_TEXT) | {"anyOf": [{"properties": {"c": {}}}]}),
    "embedded": _object(spec=_TEXT) | {_EMBEDDED: True},
    "rule-at-root": _object(spec=_object(a=_NUMBER)) | {_RULES: [{"rule": "self.spec.a > 1 && self.metadata.name != ''"}]},
    "two-schemas-wrong": _object(a={}, b={"type": "x"}, c=_list({})),
}


def definitions() -> dict[str, JSONObject]:
    """All of the cases, by name."""
    found = {f"x-{name}": with_x(schema) for name, schema in X.items()}
    return found | {f"root-{name}": with_root(schema) for name, schema in ROOTS.items()}
