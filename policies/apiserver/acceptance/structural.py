"""Checks whether a schema is structural: what each node must and must not have.

Every field has a type, and a combinator only restricts what is declared outside of it.
Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/{validation,convert}.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.apiserver.acceptance import schema_wordings
from weighbridge.policies.apiserver.acceptance.completeness import completeness_errors
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.schema_wordings import MUST_BE_EMPTY, MUST_BE_FALSE, MUST_BE_UNDEFINED
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.schema.patterns import compile_pattern

_ROOT, _ITEM, _FIELD = "root", "item", "field"
_UNTYPED: Final = {
    _ROOT: schema_wordings.UNTYPED_ROOT,
    _ITEM: schema_wordings.UNTYPED_ITEM,
    _FIELD: schema_wordings.UNTYPED_FIELD,
}
#: Keywords that leave no trace when a schema is converted.
_TRACELESS: Final = frozenset({"enum", "allOf", "anyOf", "oneOf", "$ref", "patternProperties", "dependencies", "definitions"})
#: Keywords that a combinator's branch may not have, each with the text of its error.
_FORBIDDEN_IN_BRANCH: Final = (
    ("default", MUST_BE_UNDEFINED),
    ("title", MUST_BE_EMPTY),
    ("description", MUST_BE_EMPTY),
    ("nullable", MUST_BE_FALSE),
    ("x-kubernetes-preserve-unknown-fields", MUST_BE_FALSE),
    ("x-kubernetes-embedded-resource", MUST_BE_FALSE),
    ("x-kubernetes-int-or-string", MUST_BE_FALSE),
)
_UNCONVERTIBLE: Final = (
    ("id", "id"),
    ("$schema", "schema"),
    ("$ref", "$ref"),
    ("patternProperties", "patternProperties"),
    ("dependencies", "dependencies"),
    ("additionalItems", "additionalItems"),
    ("definitions", "definitions"),
)


def unconvertible(schema: JSONObject) -> str:
    """The first reason why a schema has no structural form; empty if it has one."""
    return next(filter(None, _obstacles(schema)), "")


def _obstacles(schema: JSONObject) -> Iterator[str]:
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        for key, name in _UNCONVERTIBLE:
            held = node.get(key)
            if held or (key == "additionalItems" and held is not None):
                yield schema_wordings.unconvertible(name)
        if node.get("x-kubernetes-preserve-unknown-fields") is False:
            yield schema_wordings.UNCONVERTIBLE_PRESERVE
        if isinstance(node.get("items"), list) and node["items"]:
            yield schema_wordings.UNCONVERTIBLE_ITEMS
        waiting.extend(reversed(list(_parts(node))))


def _parts(node: JSONObject) -> Iterator[JSONObject]:
    if isinstance(node.get("not"), dict):
        yield node["not"]
    for keyword in ("allOf", "anyOf", "oneOf"):
        yield from node.get(keyword) or ()
    for held in (node.get("items"), *(node.get("properties") or {}).values(), node.get("additionalProperties")):
        if isinstance(held, dict):
            yield held


def structural_errors(schema: JSONObject, path: FieldPath) -> list[FieldError]:
    """The errors of a schema that has a structural form, sorted as the server sorts them."""
    errors = [*_node(schema, _ROOT, path), *completeness_errors(schema, path)]
    return sorted(errors, key=str)


def _node(schema: JSONObject, level: str, path: FieldPath) -> Iterator[FieldError]:
    items, values = schema.get("items"), schema.get("additionalProperties")
    if schema.get("type") == "array" and not isinstance(items, dict):
        yield (path / "items").required(schema_wordings.NO_ITEMS)
    if isinstance(items, dict):
        yield from _node(items, _ITEM, path / "items")
    for name, field in (schema.get("properties") or {}).items():
        yield from _node(field, _FIELD, (path / "properties")[name])
    if values is not None:
        if level == _ROOT:
            yield (path / "additionalProperties").forbidden(schema_wordings.VALUES_OF_ROOT)
        if isinstance(values, dict):
            yield from _node(values, _FIELD, path / "additionalProperties")
    yield from _extensions(schema, path)
    first_all_of = (schema.get("allOf") or [{}])[0]
    yield from _restrictions(
        schema,
        level,
        path,
        skip_any_of=_is_int_or_string(schema.get("anyOf")),
        skip_first_any_of=_is_int_or_string(first_all_of.get("anyOf")),
    )
    yield from _type(schema, level, path)
    yield from _resource(schema, level, path)


def _extensions(schema: JSONObject, path: FieldPath) -> Iterator[FieldError]:
    if schema.get("x-kubernetes-int-or-string"):
        for keyword in ("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"):
            if schema.get(keyword):
                yield (path / keyword).invalid(value=True, detail=schema_wordings.NOT_OF_INT_OR_STRING)


def _type(schema: JSONObject, level: str, path: FieldPath) -> Iterator[FieldError]:
    kind = schema.get("type", "")
    if schema.get("x-kubernetes-embedded-resource") and kind != "object":
        detail = schema_wordings.EMBEDDED_NOT_OBJECT
        yield (path / "type").invalid(kind, detail) if kind else (path / "type").required(detail)
    elif not kind and not schema.get("x-kubernetes-int-or-string") and not schema.get("x-kubernetes-preserve-unknown-fields"):
        yield (path / "type").required(_UNTYPED[level])
    if schema.get("x-kubernetes-embedded-resource") and schema.get("additionalProperties") is not None:
        yield (path / "additionalProperties").forbidden(schema_wordings.VALUES_OF_EMBEDDED)
    if level == _ROOT and kind and kind != "object":
        yield (path / "type").invalid(kind, schema_wordings.STRUCTURAL_ROOT_NOT_OBJECT)


def _resource(schema: JSONObject, level: str, path: FieldPath) -> Iterator[FieldError]:
    """Checks what a schema of an object with metadata has for apiVersion, kind and metadata."""
    properties = schema.get("properties") or {}
    embedded = bool(schema.get("x-kubernetes-embedded-resource"))
    is_resource = level == _ROOT or embedded
    for name in ("kind", "apiVersion"):
        if is_resource and name in properties and properties[name].get("type") != "string":
            yield ((path / "properties")[name] / "type").invalid(properties[name].get("type", ""), schema_wordings.NOT_STRING)
    if "metadata" in properties:
        metadata, where = properties["metadata"], (path / "properties")["metadata"]
        if is_resource and metadata.get("type") != "object":
            yield (where / "type").invalid(metadata.get("type", ""), schema_wordings.NOT_OBJECT)
        if level == _ROOT and not _is_plain_metadata(metadata):
            yield where.forbidden(schema_wordings.METADATA_SPECIFIED)
    if embedded and not schema.get("x-kubernetes-preserve-unknown-fields") and not properties:
        yield (path / "properties").required(schema_wordings.EMBEDDED_WITHOUT_FIELDS)


def _is_plain_metadata(metadata: JSONObject) -> bool:
    said = _traces(metadata)
    properties = said.pop("properties", None) or {}
    return said.keys() <= {"type", "default"} and properties.keys() <= {"name", "generateName"}


def _traces(schema: JSONObject) -> JSONObject:
    """What remains of a node after the conversion. Keywords that are rebuilt leave nothing if they are empty."""
    return {key: value for key, value in schema.items() if not _is_traceless(key, value)}


def _is_traceless(key: str, value: JSONValue) -> bool:
    # Items that aren't a schema are dropped; an empty schema remains.
    return value in ([], ()) if key == "items" else key in _TRACELESS and not value


def _is_int_or_string(branches: JSONValue) -> bool:
    if not branches or len(branches) != 2:
        return False
    said = [
        {key: value for key, value in _traces(branch).items() if not (key == "additionalProperties" and value is False)}
        for branch in branches
    ]
    return said == [{"type": "integer"}, {"type": "string"}]


def _restrictions(
    schema: JSONObject, level: str, path: FieldPath, *, skip_any_of: bool = False, skip_first_any_of: bool = False
) -> Iterator[FieldError]:
    """The errors of the combinators of a node or of a branch, and of the node's pattern."""
    if not skip_any_of:
        for index, branch in enumerate(schema.get("anyOf") or ()):
            yield from _branch(branch, level, (path / "anyOf")[index])
    for index, branch in enumerate(schema.get("allOf") or ()):
        yield from _branch(branch, level, (path / "allOf")[index], skip_any_of=skip_first_any_of and index == 0)
    for index, branch in enumerate(schema.get("oneOf") or ()):
        yield from _branch(branch, level, (path / "oneOf")[index])
    if schema.get("not") is not None:
        yield from _branch(schema["not"], level, path / "not")
    pattern = schema.get("pattern", "")
    error = compile_pattern(pattern).error if pattern else ""
    if error:
        yield (path / "pattern").invalid(pattern, schema_wordings.invalid_pattern(error))


def _branch(branch: JSONObject, level: str, path: FieldPath, *, skip_any_of: bool = False) -> Iterator[FieldError]:
    yield from _restrictions(branch, level, path, skip_any_of=skip_any_of)
    if isinstance(branch.get("items"), dict):
        yield from _branch(branch["items"], level, path / "items")
    for name, field in (branch.get("properties") or {}).items():
        yield from _branch(field, _FIELD, (path / "properties")[name])
    if branch.get("type"):
        yield (path / "type").forbidden(MUST_BE_EMPTY)
    # The conversion to the structural form loses a `false`.
    if branch.get("additionalProperties") not in (None, False):
        yield (path / "additionalProperties").forbidden(MUST_BE_UNDEFINED)
    for keyword, detail in _FORBIDDEN_IN_BRANCH:
        if branch.get(keyword) not in (None, "", False) or (keyword == "default" and branch.get("default") is not None):
            yield (path / keyword).forbidden(detail)
    if branch.get("x-kubernetes-list-map-keys"):
        yield (path / "x-kubernetes-list-map-keys").forbidden(MUST_BE_EMPTY)
    for keyword in ("x-kubernetes-list-type", "x-kubernetes-map-type"):
        if branch.get(keyword) is not None:
            yield (path / keyword).forbidden(MUST_BE_UNDEFINED)
    if branch.get("x-kubernetes-validations"):
        yield (path / "x-kubernetes-validations").forbidden(MUST_BE_EMPTY)
    if "metadata" in (branch.get("properties") or {}):
        yield (path / "properties")["metadata"].forbidden(schema_wordings.METADATA_IN_BRANCH)
