"""Checks what a list of type set or map requires of its items, and a map type of its node.

Source: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.apiserver.acceptance import schema_wordings
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.go_struct_text import items_text
from weighbridge.policies.apiserver.acceptance.options import Options
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.fields import repeats
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject

LIST_TYPE: Final = "x-kubernetes-list-type"
MAP_TYPE: Final = "x-kubernetes-map-type"
LIST_KEYS: Final = "x-kubernetes-list-map-keys"


def list_type_errors(schema: JSONObject, path: FieldPath, options: Options) -> Iterator[FieldError]:
    """The errors of a node's map type, list type and list map keys."""
    kind, map_type, list_type = schema.get("type", ""), schema.get(MAP_TYPE), schema.get(LIST_TYPE)
    if map_type is not None:
        if kind != "object":
            yield _wrong_type(kind, path, schema_wordings.MAP_NOT_OBJECT)
        if map_type not in ("atomic", "granular"):
            yield (path / MAP_TYPE).not_supported(map_type, ("atomic", "granular"))
    if list_type is not None:
        if kind != "array":
            yield _wrong_type(kind, path, schema_wordings.LIST_NOT_ARRAY)
        elif options.atomic_set_items:
            yield from _set_items(schema, path)
        if list_type not in ("atomic", "set", "map"):
            yield (path / LIST_TYPE).not_supported(list_type, ("atomic", "set", "map"))
    if schema.get(LIST_KEYS) and list_type != "map":
        detail = schema_wordings.KEYS_WITHOUT_MAP
        yield (path / LIST_TYPE).required(detail) if list_type is None else (path / LIST_TYPE).invalid(list_type, detail)
    if list_type == "map":
        yield from _map_list(schema, path)
    if options.sound_list_keys:
        yield from unsound_keys(schema, path)


def _wrong_type(kind: str, path: FieldPath, detail: str) -> FieldError:
    return (path / "type").invalid(kind, detail) if kind else (path / "type").required(detail)


def has_divisible_set_items(schema: JSONObject) -> bool:
    """Whether the node is a set whose items aren't atomic."""
    return any(True for _ in _set_items(schema, FieldPath("")))


def _set_items(schema: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    items = schema.get("items")
    if schema.get(LIST_TYPE) != "set" or not isinstance(items, dict):
        return
    # Both errors print the list type of the items.
    printed = json_text(items.get(LIST_TYPE))
    detail = schema_wordings.SET_ITEM_NOT_ATOMIC
    if items.get("type") == "array" and items.get(LIST_TYPE, "atomic") != "atomic":
        yield (path / "items" / LIST_TYPE).invalid_text(printed, detail)
    elif items.get("type") == "object" and items.get(MAP_TYPE) != "atomic":
        yield (path / "items" / MAP_TYPE).invalid_text(printed, detail)


def _map_list(schema: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    items, keys = schema.get("items"), schema.get(LIST_KEYS)
    if not keys:
        yield (path / LIST_KEYS).required(schema_wordings.MAP_WITHOUT_KEYS)
    if items is None:
        yield (path / "items").required(schema_wordings.MAP_WITHOUT_ITEMS)
    elif not isinstance(items, dict):
        yield (path / "items").invalid_text(items_text(items), schema_wordings.MAP_WITH_SEVERAL_SCHEMAS)
    elif items.get("type") != "object":
        yield (path / "items" / "type").invalid(items.get("type", ""), schema_wordings.MAP_ITEM_NOT_OBJECT)
    else:
        yield from _keys(keys or [], items, path)


def _keys(keys: list[str], items: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    properties = items.get("properties") or {}
    for key, is_repeated in zip(keys, repeats(keys), strict=True):
        if key not in properties:
            yield (path / LIST_KEYS).invalid(keys, schema_wordings.KEY_NOT_PROPERTY)
        elif properties[key].get("type") in ("array", "object"):
            # The server prints the type of the items here, which is object.
            where = (path / "items" / "properties")[key] / "type"
            yield where.invalid(items["type"], schema_wordings.KEY_NOT_SCALAR)
        if is_repeated:
            yield (path / LIST_KEYS).invalid(keys, schema_wordings.DUPLICATE_KEY)


def unsound_keys(schema: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    """The errors of a set or map whose items or keys may be null or missing."""
    items, list_type = schema.get("items"), schema.get(LIST_TYPE)
    if not isinstance(items, dict) or list_type not in ("set", "map"):
        return
    if items.get("nullable"):
        yield (path / "items" / "nullable").forbidden(schema_wordings.item_nullable(list_type))
    if list_type == "set":
        return
    for key in schema.get(LIST_KEYS) or ():
        field = (items.get("properties") or {}).get(key)
        if field is None:
            continue
        where = (path / "items" / "properties")[key]
        if key not in (items.get("required") or ()) and field.get("default") is None:
            yield (where / "default").required(schema_wordings.KEY_NEITHER_REQUIRED_NOR_DEFAULT)
        if field.get("nullable"):
            yield (where / "nullable").forbidden(schema_wordings.KEY_NULLABLE)
