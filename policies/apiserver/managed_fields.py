"""Finds the entries of a body's ``metadata.managedFields`` that the server keeps, and therefore validates.

If an entry can't be read, none is kept. Otherwise an entry is kept if it names a field that the request doesn't add, change or remove; such
fields belong to the request's own entry. That entry isn't made here; it would come last, except before entries with a time in the future.
The bucket for more than ten updaters isn't made either. Source: k8s.io/apimachinery/pkg/util/managedfields/internal,
sigs.k8s.io/structured-merge-diff/v6/merge/update.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from weighbridge.policies.apiserver.definitions import ResourceDefinition
from weighbridge.policies.apiserver.field_sets import FieldSetError, PathElement, field_set_paths
from weighbridge.policies.ground.objects import JSONObject, JSONValue, metadata_of
from weighbridge.policies.schema.go_time import TimeParseError, unix_seconds
from weighbridge.policies.schema.go_values import deep_equal
from weighbridge.policies.schema.metadata_decode import coerce_metadata
from weighbridge.policies.schema.node import Schema

_Identity: TypeAlias = tuple[str, ...]

_METADATA: Final = Schema(
    {
        "type": "object",
        "x-kubernetes-preserve-unknown-fields": True,
        "properties": {
            "finalizers": {"type": "array", "x-kubernetes-list-type": "set"},
            "ownerReferences": {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["uid"]},
        },
    }
)
_OBJECT_FIELDS: Final = frozenset({"apiVersion", "kind", "metadata"})
_MISSING: Final = object()
_KINDS: Final[dict[str, tuple[type, ...]]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int, float),
    "number": (int, float),
}


def kept_entries(body: JSONValue, obj: JSONObject, old: JSONObject | None, definition: ResourceDefinition) -> list[JSONObject]:
    """The entries in `body`, a request's object, that go on to validation, in the order in which they would be stored.

    `obj` is the body as it has been changed so far, and `old` the object that it replaces.
    """
    given = metadata_of(body).get("managedFields")
    if not given:
        return []
    try:
        entries = _read(coerce_metadata({"managedFields": given}).metadata["managedFields"])
    except (FieldSetError, TimeParseError):
        return []
    roots = {sibling.gvk.api_version: _root_schema(sibling) for sibling in definition.siblings.values()}
    asked = {definition.gvk.api_version, *(entry["apiVersion"] for entry, _ in entries)}
    kept = [
        entry
        for entry, paths in entries
        if not all(_is_changed(path, obj, old, roots.get(entry["apiVersion"]), definition) for path in paths)
    ]
    # The version of each entry must exist and know all fields of the object; otherwise nothing is tracked.
    is_tracked = kept and asked <= roots.keys() and all(_is_typed(obj, roots[version]) for version in asked)
    return sorted(kept, key=_order) if is_tracked else []


def _read(entries: list[JSONObject]) -> Iterable[tuple[JSONObject, list[list[PathElement]]]]:
    """Each entry with the paths that it names. Raises FieldSetError or TimeParseError if the server ignores all of them because of one."""
    read = {}
    for entry in entries:
        if entry.get("operation") not in {"Apply", "Update"} or not entry.get("apiVersion") or entry.get("fieldsType") != "FieldsV1":
            raise FieldSetError("operation, apiVersion or fieldsType")
        if entry.get("time"):
            # A time before the year 10,000 may be after it in UTC, and then it can't be read again.
            unix_seconds(entry["time"])
        read[_identity(entry)] = entry, list(field_set_paths(entry.get("fieldsV1")))
    return read.values()


def _identity(entry: JSONObject) -> _Identity:
    """The identity of an entry; of two equal ones the later counts."""
    version = "" if entry["operation"] == "Apply" else entry["apiVersion"]
    return entry.get("manager", ""), entry["operation"], version, entry.get("subresource", "")


def _order(entry: JSONObject) -> tuple[str, int, str, str, str]:
    seconds = unix_seconds(entry["time"]) if entry.get("time") else 0
    return entry["operation"], seconds, entry.get("manager", ""), entry["apiVersion"], entry.get("subresource", "")


def _root_schema(definition: ResourceDefinition) -> Schema:
    root = Schema({**definition.schema.schema.raw, "x-kubernetes-embedded-resource": True})
    root.properties["metadata"] = _METADATA
    return root


def _is_changed(
    path: list[PathElement], obj: JSONObject, old: JSONObject | None, root: Schema | None, definition: ResourceDefinition
) -> bool:
    """Whether the request changes a field; if so, the entry that names it loses it."""
    if definition.status_subresource and path[0].kind == "f" and path[0].value == "status":
        return False
    new, new_is_leaf = _locate(obj, root, path)
    before, before_is_leaf = _locate(old, root, path) if old is not None else (_MISSING, False)
    if (new is _MISSING) is not (before is _MISSING):
        return True
    return new is not _MISSING and (new_is_leaf or before_is_leaf) and not deep_equal(new, before)


def _locate(value: JSONValue, schema: Schema | None, path: list[PathElement]) -> tuple[JSONValue, bool]:
    """The value at a path, and whether it is tracked as a whole; `_MISSING` if there is none or it is within something atomic."""
    for element in path:
        if _is_atomic(value, schema):
            return _MISSING, False
        value, schema = _step(value, schema, element)
        if value is _MISSING:
            return _MISSING, False
    return value, _is_atomic(value, schema)


def _is_atomic(value: JSONValue, schema: Schema | None) -> bool:
    if isinstance(value, dict):
        return not value or (schema is not None and schema.map_type == "atomic")
    if isinstance(value, list):
        return not value or schema is None or schema.list_type not in {"set", "map"}
    return True


def _step(value: JSONValue, schema: Schema | None, element: PathElement) -> tuple[JSONValue, Schema | None]:
    if isinstance(value, dict) and element.kind == "f" and element.value in value:
        below = None if schema is None else schema.properties.get(element.value) or schema.additional_properties
        return value[element.value], below
    if isinstance(value, list) and schema is not None:
        for item in value:
            if element.kind == "v" and schema.list_type == "set" and deep_equal(item, element.value):
                return item, schema.items
            if element.kind == "k" and schema.list_type == "map" and _has_key(item, element.value, schema.list_map_keys):
                return item, schema.items
    return _MISSING, None


def _has_key(item: JSONValue, key: JSONValue, names: list[str]) -> bool:
    return isinstance(item, dict) and deep_equal({name: item[name] for name in names if name in item}, key)


def _is_typed(obj: JSONObject, root: Schema) -> bool:
    """Whether all values have their schema's types, as far as tracking checks that. If not, nothing is tracked."""
    pending: list[tuple[JSONValue, Schema]] = [(obj, root)]
    while pending:
        value, schema = pending.pop()
        if value is None or schema.int_or_string or not schema.type:
            continue
        if not isinstance(value, _KINDS[schema.type]) or (isinstance(value, bool) and schema.type != "boolean"):
            return False
        if (isinstance(value, list) and not _can_be_items(value, schema)) or (isinstance(value, dict) and not _is_declared(value, schema)):
            return False
        pending.extend(_below(value, schema))
    return True


def _is_declared(value: JSONObject, schema: Schema) -> bool:
    """Whether the schema knows every field. Fields that every object has needn't be declared."""
    if schema.preserve_unknown_fields or schema.raw.get("additionalProperties"):
        return True
    return value.keys() <= schema.properties.keys() | (_OBJECT_FIELDS if schema.embedded_resource else set())


def _below(value: JSONValue, schema: Schema) -> Iterator[tuple[JSONValue, Schema]]:
    if isinstance(value, dict):
        for key, item in value.items():
            child = schema.properties.get(key) or schema.additional_properties
            # Metadata has been decoded, so it has its usual type, whatever the schema declares.
            if child is not None and not (schema.embedded_resource and key in _OBJECT_FIELDS):
                yield item, child
    elif isinstance(value, list) and schema.items is not None:
        for item in value:
            yield item, schema.items


def _can_be_items(items: list[JSONValue], schema: Schema) -> bool:
    """Whether the items of a set or of a list map have distinct keys; other lists needn't."""
    if schema.list_type == "set":
        return not any(isinstance(item, (dict, list)) for item in items)
    if schema.list_type == "map":
        defaulted = {name for name in schema.list_map_keys if schema.items is not None and schema.items.properties[name].has_default}
        return all(isinstance(item, dict) and all(name in item or name in defaulted for name in schema.list_map_keys) for item in items)
    return True
