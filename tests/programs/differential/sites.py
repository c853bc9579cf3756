"""The places of a schema at which an object can be broken, filed under the keyword at that place.

A place is a path of field names, `ITEM` for a list's items and `VALUE` for a map's values; it is turned into a place of an object, to which
missing parents are added.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tests.programs.differential.dice import Dice
from tests.programs.differential.valid import valid, valid_map
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.schema.node import Schema


class Keyword(StrEnum):
    """A keyword of a schema; some keywords that belong together are one."""

    TYPE = "type"
    NULL = "nullable"
    FORMAT = "format"
    ENUM = "enum"
    PATTERN = "pattern"
    LENGTH = "length"
    BOUNDS = "bounds"
    MULTIPLE = "multipleOf"
    ITEMS = "items"
    COUNT = "count"
    REQUIRED = "required"
    PROPERTIES = "properties"
    UNKNOWN = "unknown field"
    DUPLICATE = "duplicate field"
    KEYS = "additionalProperties"
    INT_OR_STRING = "int-or-string"
    EMBEDDED = "embedded-resource"
    PRESERVE = "preserve-unknown"
    SET = "list-type set"
    MAP = "list-type map"
    DEFAULT = "default"
    COMBINATOR = "combinator"
    RULE = "rule"
    TEXT = "odd text"
    NUMBER = "odd number"
    DEEP = "deep value"


class Step(StrEnum):
    """A step that isn't a field's name."""

    ITEM = "[]"
    VALUE = "{}"


ITEM, VALUE = Step.ITEM, Step.VALUE


#: The words of a schema whose mere presence files a place under each keyword.
_WORDS: Final[dict[Keyword, tuple[str, ...]]] = {
    Keyword.FORMAT: ("format",),
    Keyword.ENUM: ("enum",),
    Keyword.PATTERN: ("pattern",),
    Keyword.LENGTH: ("minLength", "maxLength"),
    Keyword.BOUNDS: ("minimum", "maximum"),
    Keyword.MULTIPLE: ("multipleOf",),
    Keyword.COUNT: ("minItems", "maxItems", "minProperties", "maxProperties"),
    Keyword.DEFAULT: ("default",),
    Keyword.INT_OR_STRING: ("x-kubernetes-int-or-string",),
    Keyword.COMBINATOR: ("allOf", "anyOf", "oneOf", "not"),
    Keyword.RULE: ("x-kubernetes-validations",),
}


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a schema."""

    path: tuple[str, ...]
    schema: Schema


@dataclass(slots=True)
class Spot:
    """A place in an object: `holder[key]` is the value."""

    holder: JSONValue
    key: JSONValue
    schema: Schema

    @property
    def value(self) -> JSONValue:
        """The value at the place."""
        return self.holder[self.key]

    @value.setter
    def value(self, value: JSONValue) -> None:
        self.holder[self.key] = value


def sites(schema: Schema) -> dict[Keyword, list[Site]]:
    """Every place below the root that has a keyword, by keyword."""
    found: dict[Keyword, list[Site]] = {}
    for site in _walk(schema, ()):
        for keyword in _keywords(site.schema):
            found.setdefault(keyword, []).append(site)
    return found


def _walk(schema: Schema, path: tuple[str, ...]) -> Iterator[Site]:
    if path:
        yield Site(path, schema)
    for name, child in schema.properties.items():
        # apiVersion, kind and metadata are broken elsewhere.
        if path or name not in ("apiVersion", "kind", "metadata"):
            yield from _walk(child, (*path, name))
    if schema.items is not None:
        yield from _walk(schema.items, (*path, ITEM))
    if schema.additional_properties is not None:
        yield from _walk(schema.additional_properties, (*path, VALUE))


def _keywords(schema: Schema) -> Iterator[Keyword]:
    yield from (Keyword.TYPE, Keyword.NULL, Keyword.DEEP)
    yield from (keyword for keyword, words in _WORDS.items() if any(schema.raw.get(word) is not None for word in words))
    if schema.type == "string":
        yield Keyword.TEXT
    elif schema.type in ("integer", "number"):
        yield Keyword.NUMBER
    elif schema.type == "array":
        yield Keyword.ITEMS
        if schema.list_type in ("set", "map"):
            yield Keyword.SET if schema.list_type == "set" else Keyword.MAP
    elif schema.type == "object":
        yield from _keywords_of_map(schema)


def _keywords_of_map(schema: Schema) -> Iterator[Keyword]:
    yield from (Keyword.UNKNOWN, Keyword.DUPLICATE)
    if schema.properties:
        yield Keyword.PROPERTIES
    if schema.required:
        yield Keyword.REQUIRED
    if schema.additional_properties is not None:
        yield Keyword.KEYS
    if schema.embedded_resource:
        yield Keyword.EMBEDDED
    if schema.preserve_unknown_fields:
        yield Keyword.PRESERVE


def reach(dice: Dice, obj: JSONObject, root: Schema, site: Site) -> Spot | None:
    """The site's place in an object, to which missing parents are added; `None` if another value is in the way."""
    spot = Spot({"": obj}, "", root)
    for step in site.path:
        if spot.value is None:
            spot.value = valid_map(dice, spot.schema) if spot.schema.type == "object" else valid(dice, spot.schema)
        onward = _step(dice, spot, step)
        if onward is None:
            return None
        spot = onward
    return spot


def _step(dice: Dice, spot: Spot, step: str) -> Spot | None:
    value, schema = spot.value, spot.schema
    if step is ITEM:
        if not isinstance(value, list) or schema.items is None:
            return None
        if not value:
            value.append(valid(dice, schema.items))
        return Spot(value, dice.number(0, len(value) - 1), schema.items)
    if not isinstance(value, dict):
        return None
    if step is VALUE:
        keys = sorted(set(value) - set(schema.properties)) or ["key"]
        child, key = schema.additional_properties, dice.pick(keys)
    else:
        child, key = schema.properties.get(step), step
    if child is None:
        return None
    if key not in value:
        value[key] = valid(dice, child)
    return Spot(value, key, child)
