"""The functions that generated functions call. They are apart from the emitters, so that a kept unit can be loaded without those."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.schema.field_paths import Trail, trail_text
from weighbridge.policies.schema.node import Schema

META_FIELDS: Final = frozenset({"apiVersion", "kind", "metadata"})


def is_valid(schema: Schema, value: JSONValue) -> bool:
    """Whether `value` has no violation, by the explaining pass; predicates call it where they have no code."""
    from weighbridge.policies.schema.explain import explain

    return explain(schema, value, "").is_valid


def drop_unknown(value: JSONObject, known: frozenset[str], at: Trail, dropped: list[str]) -> None:
    """Remove fields that aren't `known`. Those of the root's type and metadata aren't reported."""
    for key in [key for key in value if key not in known]:
        del value[key]
        if at is not None or key not in META_FIELDS:
            dropped.append(trail_text((at, key)))


def empty(value: JSONValue, at: Trail, dropped: list[str]) -> None:
    """Prune a value without a schema: maps lose all fields, and lists keep their items, whose maps lose all fields too."""
    pending: list[tuple[JSONValue, Trail]] = [(value, at)]
    while pending:
        current, where = pending.pop()
        if type(current) is dict:
            dropped.extend(trail_text((where, key)) for key in current)
            current.clear()
        elif type(current) is list:
            pending.extend((item, (where, index)) for index, item in enumerate(current))


def drop_nulls(value: JSONObject, fields: frozenset[str]) -> None:
    """Remove the nulls of `fields`."""
    for key in [key for key, item in value.items() if item is None and key in fields]:
        del value[key]


def drop_nulls_except(value: JSONObject, fields: frozenset[str]) -> None:
    """Remove all nulls except those of `fields`."""
    for key in [key for key, item in value.items() if item is None and key not in fields]:
        del value[key]


def are_distinct(items: list[JSONValue]) -> bool:
    """Whether the items of a set surely differ."""
    try:
        return len(set(items)) == len(items)
    except TypeError:
        return False


def have_distinct_keys(items: list[JSONValue], names: tuple[str, ...]) -> bool:
    """Whether the items of a list map surely have all their keys, and different ones."""
    try:
        if len(names) == 1:
            (name,) = names
            return len({item[name] for item in items}) == len(items)
        return len({tuple([item[name] for name in names]) for item in items}) == len(items)
    except (TypeError, KeyError):
        return False
