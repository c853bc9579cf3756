"""Small random values that a schema accepts: with the required fields, and a few of the others.

Combinators and CEL rules are satisfied only by chance. The comparison doesn't need valid objects, only objects that get past the first
checks.
"""

from __future__ import annotations

from typing import Final

from tests.programs.differential import format_samples, odd_values
from tests.programs.differential.dice import Dice
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.schema.go_values import deep_copy
from weighbridge.policies.schema.node import Schema

_WORDS: Final = ("a", "b", "model", "x-1", "example.com/a", "Some text", "10", "2026")
_MAX_DEPTH: Final = 12


def valid(dice: Dice, schema: Schema, depth: int = 0) -> JSONValue:
    """A value of this node."""
    if schema.nullable and dice.chance(10):
        return None
    if schema.has_default and dice.chance(10):
        return deep_copy(schema.default)
    if schema.enum and not schema.any_of:
        return deep_copy(dice.pick(schema.enum))
    if schema.embedded_resource:
        return _embedded(dice, schema, depth)
    if schema.int_or_string:
        return dice.pick((0, 1, 8080, "50%", "1", "http", "100m", "2Gi"))
    match schema.type:
        case "object":
            return valid_map(dice, schema, depth)
        case "array":
            return _list(dice, schema, depth)
        case "string":
            return _text(dice, schema)
        case "integer" | "number":
            return _number(dice, schema)
        case "boolean":
            return dice.chance(50)
    return odd_values.anything(dice, depth)


def valid_map(dice: Dice, schema: Schema, depth: int = 0) -> JSONObject:
    """A map of this node: its required fields, some of the others, and those that one branch of a combinator asks for."""
    wanted = dict.fromkeys([*schema.required, *_of_branch(dice, schema)])
    if depth < _MAX_DEPTH:
        wanted |= dict.fromkeys(dice.some(list(schema.properties), 3))
    built = {name: valid(dice, schema.properties[name], depth + 1) for name in wanted if name in schema.properties}
    if schema.additional_properties is not None:
        least, most = schema.bound("minProperties") or 0, schema.bound("maxProperties")
        for index in range(dice.number(least, least + 2 if most is None else min(most, least + 2))):
            built[dice.pick(("a", "b", "example.com/c", "d.e")) + str(index)] = valid(dice, schema.additional_properties, depth + 1)
    elif schema.preserve_unknown_fields and dice.chance(50):
        built |= {odd_values.key(dice): odd_values.anything(dice, depth + 2)}
    return built


def _of_branch(dice: Dice, schema: Schema) -> list[str]:
    wanted: list[str] = []
    for branches in (schema.one_of, schema.any_of):
        if branches:
            branch = dice.pick(branches)
            wanted += [*branch.required, *branch.properties]
    for branch in schema.all_of:
        wanted += branch.required
    return wanted


def _embedded(dice: Dice, schema: Schema, depth: int) -> JSONObject:
    built = valid_map(dice, schema, depth)
    return built | {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "embedded"}}


def _list(dice: Dice, schema: Schema, depth: int) -> list[JSONValue]:
    least, most = schema.bound("minItems") or 0, schema.bound("maxItems")
    length = dice.number(least, max(least, min(least + 2, least + 2 if most is None else most)))
    items = [] if schema.items is None else [valid(dice, schema.items, depth + 1) for _ in range(length)]
    if schema.list_type not in ("set", "map"):
        return items
    unlike: list[JSONValue] = []
    seen: list[JSONValue] = []
    for index, item in enumerate(items):
        if isinstance(item, dict):
            _tell_apart(item, schema, index)
        key = [item.get(name) for name in schema.list_map_keys] if schema.list_type == "map" and isinstance(item, dict) else item
        if key not in seen:
            seen.append(key)
            unlike.append(item)
    return unlike


def _tell_apart(item: JSONObject, schema: Schema, index: int) -> None:
    """Make the first key of an item unique if it is a free text."""
    for name in schema.list_map_keys[:1]:
        described = schema.items.properties.get(name) if schema.items is not None else None
        if described is not None and described.type == "string" and not (described.enum or described.pattern or described.format):
            item[name] = f"n{index}"


def _text(dice: Dice, schema: Schema) -> str:
    least, most = schema.bound("minLength") or 0, schema.bound("maxLength")
    samples = format_samples.good(schema.format) if schema.format else ()
    made = dice.pick(samples) if samples else None
    if made is None and schema.pattern:
        made = dice.matching(schema.pattern)
    if made is None:
        made = odd_values.text(dice) if dice.chance(10) else dice.pick(_WORDS)
    made = made.ljust(least, "x")
    return made if most is None else made[:most]


def _number(dice: Dice, schema: Schema) -> int | float:
    least, most, factor = schema.number("minimum"), schema.number("maximum"), schema.number("multipleOf")
    low = 0 if least is None else int(least) + schema.flag("exclusiveMinimum")
    high = low + 10 if most is None else int(most) - schema.flag("exclusiveMaximum")
    value: int | float = dice.number(min(low, high), min(high, low + 10))
    if factor:
        value = factor * dice.number(0, 3)
    if schema.type == "number" and dice.chance(30):
        return value + 0.5 if not factor else float(value)
    return int(value) if schema.type == "integer" else value
