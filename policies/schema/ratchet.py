"""Ratcheting (KEP-4008): which old value belongs to a new one, and whether the two are equal.

A value of the new object is correlated with an old one through properties, keys of maps, and items of list maps with equal keys. Equality
follows the schema: a key that no schema describes, or an item of a list map without an old one, makes everything above it unequal, even if
nothing changed. Source: k8s.io/apiserver 1.36 ``pkg/cel/common/{equality,maplist}.go``.
"""

from __future__ import annotations

from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.schema.go_values import deep_equal
from weighbridge.policies.schema.node import Schema


class Correlated:
    """A new value with its old one. Equality is computed once, and children when they are needed."""

    __slots__ = ("_children", "_equal", "_old_items", "new", "old", "schema")

    def __init__(self, new: JSONValue, old: JSONValue, schema: Schema) -> None:
        self.new = new
        self.old = old
        self.schema = schema
        self._equal: bool | None = None
        self._children: dict[str | int, Correlated] = {}
        self._old_items: OldItems | None = None

    def key(self, name: str) -> Correlated | None:
        """The child under a key that both values have and a schema describes."""
        child = self._children.get(name)
        if child is not None:
            return child
        if type(self.old) is not dict or type(self.new) is not dict or name not in self.old or name not in self.new:
            return None
        schema = self.schema.properties.get(name) or self.schema.additional_properties
        if schema is None:
            return None
        return self._adopt(name, Correlated(self.new[name], self.old[name], schema))

    def index(self, position: int) -> Correlated | None:
        """The child at an index of a list map whose old list has an item with the same keys."""
        child = self._children.get(position)
        if child is not None:
            return child
        if type(self.old) is not list or type(self.new) is not list or self.schema.list_type != "map":
            return None
        if self._old_items is None:
            self._old_items = OldItems(self.schema, self.old)
        old = self._old_items.find(self.new[position])
        if old is None or self.schema.items is None:
            return None
        return self._adopt(position, Correlated(self.new[position], old, self.schema.items))

    def _adopt(self, step: str | int, child: Correlated) -> Correlated:
        self._children[step] = child
        return child

    def equal(self) -> bool:
        """Whether the new value equals its old one for ratcheting."""
        if self._equal is None:
            self._equal = self._compare()
        return self._equal

    def _compare(self) -> bool:
        if type(self.new) is not type(self.old):
            return False
        if type(self.new) is dict:
            return len(self.new) == len(self.old) and all(child is not None and child.equal() for child in map(self.key, self.new))
        if type(self.new) is list:
            return len(self.new) == len(self.old) and self._compare_items()
        return deep_equal(self.new, self.old)

    def _compare_items(self) -> bool:
        for position in range(len(self.new)):
            child = self.index(position)
            if child is None:
                # A list that can't be correlated is compared as a whole. In one that can, an item without an old one is new.
                return self._old_items is None and deep_equal(self.new, self.old)
            if not child.equal():
                return False
        return True


class OldItems:
    """The items of an old list map by their keys; of several with equal keys the first counts."""

    __slots__ = ("_items", "_keys")

    def __init__(self, schema: Schema, items: list[JSONValue]) -> None:
        self._keys = schema.list_map_keys if schema.types[:1] == ("array",) else []
        self._items: dict[object, JSONObject] = {}
        for item in items if self._keys else []:
            key = self._key_of(item)
            if key is not None:
                self._items.setdefault(key, item)

    def find(self, item: JSONValue) -> JSONObject | None:
        """The old item with the keys of `item`; `None` if a key is missing or isn't a scalar."""
        key = self._key_of(item)
        return None if key is None else self._items.get(key)

    def _key_of(self, item: JSONValue) -> object:
        if type(item) is not dict:
            return None
        values = [item.get(name) for name in self._keys]
        if any(type(value) not in (bool, int, float, str) for value in values):
            return None
        if len(values) == 1:
            return (type(values[0]), values[0])
        return tuple(map(_composite, values))


def _composite(value: JSONValue) -> str:
    """One of several keys, as upstream writes it into the combined key: floats have six decimals, so close ones are equal."""
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is float:
        return f"{value:f}"
    return quote(value) if type(value) is str else str(value)
