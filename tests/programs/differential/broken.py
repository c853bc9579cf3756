"""At least one way to violate each keyword.

Many of them violate nothing in a given object, which tests an edge as well. Each breaker changes the value at a spot in place. It knows
only the schema there, not the surrounding object.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.programs.differential import format_samples, odd_values
from tests.programs.differential.body_text import Literally, Twice
from tests.programs.differential.dice import Dice
from tests.programs.differential.metadata import odd_metadata
from tests.programs.differential.sites import Keyword, Spot
from tests.programs.differential.valid import valid, valid_map
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.schema.go_values import deep_copy
from weighbridge.policies.schema.node import Schema

Breaker = Callable[[Dice, Spot], None]


def _type(dice: Dice, spot: Spot) -> None:
    spot.value = deep_copy(dice.pick(odd_values.SIMPLE)) if dice.chance(80) else odd_values.anything(dice)


def _null(dice: Dice, spot: Spot) -> None:
    spot.value = None


def _format(dice: Dice, spot: Spot) -> None:
    name = spot.schema.format
    if spot.schema.type in ("integer", "number"):
        spot.value = odd_values.number(dice)
        return
    choices = (format_samples.good(name) or ("a",), format_samples.edges(name), format_samples.edges(name), format_samples.EDGES)
    spot.value = dice.pick(dice.pick(choices))
    if dice.chance(10):
        spot.value = dice.pick(
            (spot.value.upper(), f" {spot.value}", f"{spot.value}\n", f"{spot.value}é", spot.value[:-1], f"{spot.value}\x00")
        )


def _enum(dice: Dice, spot: Spot) -> None:
    allowed = dice.pick(spot.schema.enum or [""])
    if isinstance(allowed, str):
        odd: tuple[JSONValue, ...] = (
            allowed.lower(),
            allowed.upper(),
            allowed + " ",
            allowed[:-1],
            [allowed],
            {allowed: allowed},
            ord(allowed[0]) if allowed else 0,
        )
    else:
        odd = (str(allowed), [allowed], not allowed)
        if isinstance(allowed, (int, float)):
            odd = (*odd, allowed + 0.5, float(allowed), allowed + 1, bool(allowed))
    spot.value = dice.pick((*odd, None, "", True, 1, {"b": 1, "a": "<"}, odd_values.text(dice)))


def _pattern(dice: Dice, spot: Spot) -> None:
    good = dice.matching(spot.schema.pattern)
    text = good if isinstance(good, str) else "a"
    place = dice.number(0, len(text))
    odd = dice.pick(("\n", " ", "é", "_", ".", "A", "٣", "\u2028", "/", "-", "--", "0", "\\", "\r", "\x00", "😀"))
    spot.value = dice.pick(
        (text + "\n", text[:place] + odd + text[place:], text[:place], text[place:], odd_values.text(dice), odd + text, text * 2)
    )


def _length(dice: Dice, spot: Spot) -> None:
    bounds = [spot.schema.bound(name) for name in ("minLength", "maxLength")]
    wanted = dice.pick([bound for bound in bounds if bound is not None]) + dice.pick((-1, 0, 0, 1))
    spot.value = dice.pick(("x", "é", "😀", "e\u0301", "\n", "<", "\ufffd")) * min(max(wanted, 0), 70000)


def _bounds(dice: Dice, spot: Spot) -> None:
    bounds = [spot.schema.number(name) for name in ("minimum", "maximum")]
    bound = dice.pick([bound for bound in bounds if bound is not None])
    whole = int(bound)
    near = (
        bound,
        whole,
        float(bound),
        whole - 1,
        whole + 1,
        bound - 0.5,
        bound + 0.5,
        float(whole - 1),
        float(whole + 1),
        whole * 1000,
        -whole,
    )
    spot.value = dice.pick(near) if dice.chance(80) else odd_values.number(dice)


def _multiple(dice: Dice, spot: Spot) -> None:
    factor = spot.schema.number("multipleOf") or 1
    times = dice.pick((0, 1, 2, 3, 7, 10, 113, 1000, -1, 0.5, 1.5, 1e6, 1e15))
    value = factor * times
    near = dice.pick((4e-10, 9e-10, 1.1e-9, 1.9e-9))
    spot.value = (
        dice.pick(
            (value, value + 1, value + factor / 2, float(value), value + 1e-9, round(value, 6), value * (1 + near), value * (1 - near))
        )
        if dice.chance(80)
        else odd_values.number(dice)
    )


def _items(dice: Dice, spot: Spot) -> None:
    items = spot.value if isinstance(spot.value, list) else []
    odd = deep_copy(dice.pick(odd_values.SIMPLE))
    spot.value = dice.pick(
        ([*items, odd], [odd, *items], [], [None], {str(index): item for index, item in enumerate(items)}, [items], items[:1])
    )


def _count(dice: Dice, spot: Spot) -> None:
    schema = spot.schema
    names = ("minItems", "maxItems", "minProperties", "maxProperties")
    bounds = [bound for bound in map(schema.bound, names) if bound is not None]
    wanted = min(max(dice.pick(bounds) + dice.pick((-1, 0, 1)), 0), 700)
    if schema.type == "array" and schema.items is not None:
        pattern = valid(dice, schema.items)
        spot.value = [_apart(pattern, schema, index) for index in range(wanted)]
    elif schema.additional_properties is not None:
        pattern = valid(dice, schema.additional_properties)
        spot.value = {f"k{index}": deep_copy(pattern) for index in range(wanted)}
    elif schema.type == "object":
        names_there = list(schema.properties)[:wanted]
        spot.value = {name: valid(dice, schema.properties[name]) for name in names_there}


def _apart(pattern: JSONValue, schema: Schema, index: int) -> JSONValue:
    item = deep_copy(pattern)
    if isinstance(item, dict):
        item |= {name: f"{item.get(name, '')}{index}" for name in schema.list_map_keys if isinstance(item.get(name, ""), str)}
    return f"{item}{index}" if isinstance(item, str) and schema.list_type == "set" else item


def _required(dice: Dice, spot: Spot) -> None:
    if not isinstance(spot.value, dict):
        spot.value = {}
        return
    name = dice.pick(spot.schema.required)
    if dice.chance(60):
        spot.value.pop(name, None)
    else:
        spot.value[name] = dice.pick((None, "", {}, [], 0, False))


def _properties(dice: Dice, spot: Spot) -> None:
    if not isinstance(spot.value, dict):
        spot.value = valid_map(dice, spot.schema)
    for name in dice.some(list(spot.schema.properties), 3):
        spot.value[name] = valid(dice, spot.schema.properties[name]) if dice.chance(60) else deep_copy(dice.pick(odd_values.SIMPLE))


def _unknown(dice: Dice, spot: Spot) -> None:
    if not isinstance(spot.value, dict):
        spot.value = {}
    names = list(spot.schema.properties) or ["name"]
    near = dice.pick(names)
    for _ in range(dice.number(1, 3)):
        name = dice.pick((near.upper(), near.capitalize(), f"{near}s", odd_values.key(dice), "zz"))
        spot.value[name] = odd_values.anything(dice)


def _duplicate(dice: Dice, spot: Spot) -> None:
    if not isinstance(spot.value, dict):
        spot.value = {}
    for name in dice.some(sorted(spot.value) or ["zz"], 2):
        there = spot.value.get(name)
        first = deep_copy(there) if dice.chance(40) else deep_copy(dice.pick(odd_values.SIMPLE))
        if not isinstance(there, Twice):
            spot.value[name] = Twice(first, there)


def _keys(dice: Dice, spot: Spot) -> None:
    if not isinstance(spot.value, dict) or spot.schema.additional_properties is None:
        spot.value = {}
        return
    for _ in range(dice.number(1, 3)):
        good = dice.chance(50)
        spot.value[odd_values.key(dice)] = (
            valid(dice, spot.schema.additional_properties) if good else deep_copy(dice.pick(odd_values.SIMPLE))
        )


def _int_or_string(dice: Dice, spot: Spot) -> None:
    odd: tuple[JSONValue, ...] = (1.5, 1.0, True, [], {}, None, "", "1", -1, 2**31, 2**63, "50%", "-1%", Literally("1e3"), "65", 65)
    spot.value = deep_copy(dice.pick(odd)) if dice.chance(70) else dice.pick((odd_values.text(dice), odd_values.number(dice)))


def _embedded(dice: Dice, spot: Spot) -> None:
    if not isinstance(spot.value, dict):
        spot.value = valid(dice, spot.schema) or {}
    part = dice.pick(("apiVersion", "kind", "metadata", "metadata", "zz"))
    if part == "metadata":
        spot.value[part] = odd_metadata(dice, spot.value.get(part))
    elif dice.chance(20):
        spot.value.pop(part, None)
    else:
        spot.value[part] = dice.pick(
            ("", "a/b/c", "a/b", "/", "/v1", "v1/", "A_b", "Pod", "pod", "1a", "é", " ", None, 1, {}, odd_values.text(dice))
        )


def _preserve(dice: Dice, spot: Spot) -> None:
    if not isinstance(spot.value, dict):
        spot.value = {}
    spot.value |= {odd_values.key(dice): odd_values.anything(dice) for _ in range(dice.number(1, 3))}


def _set(dice: Dice, spot: Spot) -> None:
    items = spot.value if isinstance(spot.value, list) and spot.value else []
    if spot.schema.items is not None and not items:
        items = [valid(dice, spot.schema.items)]
    again = deep_copy(dice.pick(items)) if items else None
    if isinstance(again, int) and dice.chance(30):
        again = float(again)
    spot.value = [*items, again]
    if dice.chance(30):
        spot.value = [*spot.value, deep_copy(again), None, dice.pick((1, 1.0, True, "1", {}, []))]


def _map(dice: Dice, spot: Spot) -> None:
    _set(dice, spot)
    last = spot.value[-1]
    if isinstance(last, dict) and dice.chance(50):
        for name in dice.some(spot.schema.list_map_keys, 2):
            if dice.chance(50):
                last.pop(name, None)
            else:
                last[name] = deep_copy(dice.pick(odd_values.SIMPLE))
    if dice.chance(30):
        spot.value.insert(0, deep_copy(last))


def _default(dice: Dice, spot: Spot) -> None:
    way = dice.number(0, 3)
    if way == 0:
        if isinstance(spot.holder, dict):
            del spot.holder[spot.key]
    else:
        spot.value = (None, {}, [])[way - 1]


def _combinator(dice: Dice, spot: Spot) -> None:
    schema = spot.schema
    branches = [*schema.all_of, *schema.any_of, *schema.one_of, *([schema.not_] if schema.not_ is not None else [])]
    if schema.type != "object" or not isinstance(spot.value, dict):
        values = [value for branch in branches for value in (branch.enum or [])]
        made = [valid(dice, branch) for branch in branches if branch.type or branch.pattern]
        spot.value = deep_copy(dice.pick([*values, *made, *odd_values.SIMPLE]))
        return
    for branch in dice.some(branches, len(branches)):
        for name in [*branch.required, *branch.properties]:
            described = schema.properties.get(name)
            if dice.chance(50):
                spot.value.pop(name, None)
            else:
                spot.value[name] = valid(dice, described) if described is not None else dice.pick((None, "a", 1))


def _rule(dice: Dice, spot: Spot) -> None:
    if dice.chance(40) and _lengthen(dice, spot):
        return
    if dice.chance(70):
        spot.value = valid(dice, spot.schema)
    if isinstance(spot.value, dict):
        for name in dice.some(sorted(spot.value), 2):
            spot.value.pop(name)
    elif isinstance(spot.value, str) and dice.chance(50):
        spot.value = odd_values.text(dice)


def _lengthen(dice: Dice, spot: Spot) -> bool:
    """Make a list as long as it may be: the cost of a rule grows with it, up to the server's limit."""
    schema, items = spot.schema, spot.schema.items
    most, longest = schema.bound("maxItems") or 0, (items.bound("maxLength") if items is not None else None) or 0
    if items is None or (most <= 100 and longest <= 1000):
        return False
    item = "x" * dice.number(0, longest) if longest > 1000 else valid(dice, items)
    spot.value = [item] * dice.number(0, most)
    return True


def _text(dice: Dice, spot: Spot) -> None:
    spot.value = odd_values.text(dice) if dice.chance(90) else odd_values.half_a_pair(dice)


def _number(dice: Dice, spot: Spot) -> None:
    spot.value = odd_values.number(dice)


def _deep(dice: Dice, spot: Spot) -> None:
    spot.value = odd_values.nested(dice)


BREAKERS: Final[dict[Keyword, Breaker]] = {
    Keyword.TYPE: _type,
    Keyword.NULL: _null,
    Keyword.FORMAT: _format,
    Keyword.ENUM: _enum,
    Keyword.PATTERN: _pattern,
    Keyword.LENGTH: _length,
    Keyword.BOUNDS: _bounds,
    Keyword.MULTIPLE: _multiple,
    Keyword.ITEMS: _items,
    Keyword.COUNT: _count,
    Keyword.REQUIRED: _required,
    Keyword.PROPERTIES: _properties,
    Keyword.UNKNOWN: _unknown,
    Keyword.DUPLICATE: _duplicate,
    Keyword.KEYS: _keys,
    Keyword.INT_OR_STRING: _int_or_string,
    Keyword.EMBEDDED: _embedded,
    Keyword.PRESERVE: _preserve,
    Keyword.SET: _set,
    Keyword.MAP: _map,
    Keyword.DEFAULT: _default,
    Keyword.COMBINATOR: _combinator,
    Keyword.RULE: _rule,
    Keyword.TEXT: _text,
    Keyword.NUMBER: _number,
    Keyword.DEEP: _deep,
}
