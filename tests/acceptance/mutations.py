"""Seeded mutations of definitions: parts dropped, retyped, renamed, repeated, nested and swapped, one to three at a time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Final

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.schema.go_values import deep_copy

_KEYWORDS: Final[dict[str, list[JSONValue]]] = {
    "type": ["string", "object", "array", "integer", "number", "boolean", "null", "bogus", ""],
    "format": ["int32", "date-time", "uri", "cron", "byte", "duration"],
    "default": ["a", 1, 1.5, True, {}, {"a": 1}, [], ["a", 1], None],
    "enum": [["a"], [1, "a"], [], [None], [{"a": 1}]],
    "pattern": ["^a$", "[", "(?P<n>a)", "(?<n>a)", "a{1001}", "\\p{Greek}", "(?=a)", "x*+"],
    "nullable": [True, False],
    "maxLength": [0, -1, 5, 10**6],
    "maxItems": [0, 3, 10**6],
    "maxProperties": [2, 10**4],
    "minimum": [0, -1.5, 1e30],
    "exclusiveMinimum": [True],
    "multipleOf": [0, 2, 0.1],
    "uniqueItems": [True, False],
    "required": [["a"], [], ["spec", "spec"]],
    "items": [{"type": "string"}, {}, [], [{"type": "string"}], {"type": "object", "foo": 1}, 5],
    "properties": [{}, {"a": {"type": "string"}}, {"metadata": {"type": "object"}}, {"a": {}}, {"kind": {"type": "integer"}}],
    "additionalProperties": [True, False, {"type": "string"}, {}, "x"],
    "allOf": [[], [{"minLength": 1}], [{"type": "string"}], [{"required": ["a"]}], [{"properties": {"zz": {}}}]],
    "anyOf": [
        [{"type": "integer"}, {"type": "string"}], [{"required": ["a"]}, {"minLength": 1}], [{"properties": {"spec": {"title": "x"}}}],
    ],
    "oneOf": [[{"required": ["a"]}], [{"items": {"minimum": 1}}]],
    "not": [{}, {"required": ["a"]}, {"pattern": "("}, {"anyOf": [{"default": 1}]}],
    "description": ["d", ""],
    "title": ["t"],
    "example": [1, {"a": 1.0}],
    "externalDocs": [{}, {"url": "u"}],
    "id": ["x"],
    "$ref": ["#/x", ""],
    "$schema": ["x"],
    "definitions": [{}, {"a": {"type": "x"}}],
    "dependencies": [{}, {"a": ["b"]}, {"a": {"type": "x"}}],
    "patternProperties": [{"a": {}}],
    "additionalItems": [True, {"type": "string"}],
    "x-kubernetes-preserve-unknown-fields": [True, False],
    "x-kubernetes-embedded-resource": [True, False],
    "x-kubernetes-int-or-string": [True],
    "x-kubernetes-list-type": ["map", "set", "atomic", "bag"],
    "x-kubernetes-list-map-keys": [["name"], ["a", "a"], []],
    "x-kubernetes-map-type": ["atomic", "granular", "x"],
    "x-kubernetes-validations": [
        [{"rule": "true"}],
        [{"rule": "has(self.a)"}],
        [{"rule": "self == oldSelf"}],
        [{"rule": "self.size() > 1", "message": "m"}],
        [{"rule": "size(self) < 5", "messageExpression": "'x' + string(size(self))"}],
        [{"rule": "self.all(x, true)", "reason": "FieldValueInvalid"}],
        [{"rule": "self.all(x, self.all(y, x == y))", "fieldPath": ".a"}],
        [{"rule": ""}],
        [{"rule": "oldSelf.hasValue()", "optionalOldSelf": True}],
        [{"rule": "self.foo == 1 &&"}],
    ],
}  # fmt: skip
_VALUES: Final[list[JSONValue]] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2**31,
    1.5,
    "",
    "a",
    "A_b",
    "x" * 300,
    [],
    {},
    [1],
    {"a": 1},
    ["a"],
    [None],
    "ä\n",
]


def mutated(definition: JSONObject, seed: int) -> JSONObject:
    """A copy of a definition with one to three parts changed; the same for the same seed."""
    chance = random.Random(seed)
    copied: JSONObject = deep_copy(definition)
    for _ in range(chance.choice((1, 1, 2, 3))):
        chance.choice(_CHANGES)(copied, chance)
    return copied


def _places(value: JSONValue) -> Iterator[tuple[Any, Any]]:
    """Every container with each of its keys or indexes."""
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        for key, item in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
            yield holder, key
            if isinstance(item, (dict, list)):
                waiting.append(item)


def _place(definition: JSONObject, chance: random.Random) -> tuple[Any, Any]:
    return chance.choice(list(_places(definition)))


def _schemas(definition: JSONObject) -> list[JSONObject]:
    """The nodes that look like schemas."""
    found = [holder[key] for holder, key in _places(definition)]
    return [value for value in found if isinstance(value, dict) and ("type" in value or "properties" in value)] or [{}]


def _drop(definition: JSONObject, chance: random.Random) -> None:
    holder, key = _place(definition, chance)
    del holder[key]


def _retype(definition: JSONObject, chance: random.Random) -> None:
    holder, key = _place(definition, chance)
    holder[key] = deep_copy(chance.choice(_VALUES))


def _rename(definition: JSONObject, chance: random.Random) -> None:
    holder, key = _place(definition, chance)
    if isinstance(holder, dict):
        renamed = chance.choice([f"{key}x", key.upper(), "metadata", "a.b", 'q"', "spec", "name"])
        holder[renamed] = holder.pop(key)


def _set_keyword(definition: JSONObject, chance: random.Random) -> None:
    keyword = chance.choice(list(_KEYWORDS))
    chance.choice(_schemas(definition))[keyword] = deep_copy(chance.choice(_KEYWORDS[keyword]))


def _copy_over(definition: JSONObject, chance: random.Random) -> None:
    holder, key = _place(definition, chance)
    other, other_key = _place(definition, chance)
    holder[key] = deep_copy(other[other_key])


def _repeat(definition: JSONObject, chance: random.Random) -> None:
    lists = [holder[key] for holder, key in _places(definition) if isinstance(holder[key], list) and holder[key]]
    if lists:
        chosen = chance.choice(lists)
        chosen.append(deep_copy(chance.choice(chosen)))


def _nest(definition: JSONObject, chance: random.Random) -> None:
    node = chance.choice(_schemas(definition))
    inner = deep_copy(node)
    for _ in range(chance.choice((1, 2, 5, 20))):
        inner = chance.choice((_in_object, _in_list, _in_map))(inner)
    node.clear()
    node.update(inner)


def _in_object(schema: JSONObject) -> JSONObject:
    return {"type": "object", "properties": {"n": schema}}


def _in_list(schema: JSONObject) -> JSONObject:
    return {"type": "array", "items": schema}


def _in_map(schema: JSONObject) -> JSONObject:
    return {"type": "object", "additionalProperties": schema}


_CHANGES: Final = (_drop, _drop, _retype, _retype, _rename, _set_keyword, _set_keyword, _set_keyword, _copy_over, _repeat, _nest)
