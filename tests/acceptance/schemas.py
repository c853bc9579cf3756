"""Schemas, and parts of them, from which cases of definitions are built."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.objects import JSONObject, JSONValue

TEXT: Final = {"type": "string"}
NUMBER: Final = {"type": "integer"}
PRESERVE: Final = "x-kubernetes-preserve-unknown-fields"
EMBEDDED: Final = "x-kubernetes-embedded-resource"
INT_OR_STRING: Final = "x-kubernetes-int-or-string"
LIST_TYPE: Final = "x-kubernetes-list-type"
MAP_TYPE: Final = "x-kubernetes-map-type"
KEYS: Final = "x-kubernetes-list-map-keys"
RULES_KEY: Final = "x-kubernetes-validations"
ALWAYS: Final = [{"rule": "true"}]


def a_map(**properties: JSONValue) -> JSONObject:
    """The schema of a map with these fields."""
    return {"type": "object", "properties": properties}


def a_list(items: JSONValue, **more: JSONValue) -> JSONObject:
    """The schema of a list."""
    return {"type": "array", "items": items} | more


def a_map_list(item: JSONObject, *keys: str, **more: JSONValue) -> JSONObject:
    """The schema of a list that is a map by these keys."""
    return {"type": "array", "items": item, LIST_TYPE: "map", KEYS: list(keys)} | more
