"""Objects inside objects: nodes with ``x-kubernetes-embedded-resource``.

They have apiVersion, kind and metadata of their own, which are coerced and validated as those of an object are.
Source: apiextensions-apiserver/pkg/apiserver/schema/objectmeta/{algorithm,validation}.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from weighbridge.policies.ground.field_errors import ErrorType, FieldError
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema import metadata_errors
from weighbridge.policies.schema.marks import EMBEDDED, marks
from weighbridge.policies.schema.metadata_decode import MetadataDecodeError, coerce_metadata
from weighbridge.policies.schema.names import kind_problem
from weighbridge.policies.schema.node import Schema
from weighbridge.policies.schema.object_meta import merged_errors, path_segment_name, validate_object_meta

#: A name that every rule accepts, for embedded objects, which need none.
_ANY_NAME = "fakename"


@dataclass(slots=True)
class _Coercion:
    """The state of one walk: whether wrong values are dropped, and the unknown fields found so far."""

    drop_invalid: bool
    unknown: list[str]


class EmbeddedResourceError(ValueError):
    """An embedded object can't be decoded; `error` says which and why."""

    def __init__(self, error: FieldError) -> None:
        super().__init__(str(error))
        self.error = error


class EmbeddedResources:
    """The embedded objects of one schema.

    With `is_resource_root` the root counts as one, even without the extension. `uses` are the schema's `marks`, if they are known already.
    """

    def __init__(self, schema: Schema, *, is_resource_root: bool = False, uses: Collection[str] | None = None) -> None:
        self.schema = schema
        self._root = is_resource_root
        #: Whether the schema can have one; if not, `coerce` and `validate` do nothing.
        self.any = is_resource_root or EMBEDDED in (marks(schema.raw) if uses is None else uses)

    def coerce(self, obj: JSONValue, path: str = "", *, drop_invalid: bool = False) -> list[str]:
        """Take the metadata of embedded objects through the typed round trip, in place. Returns the unknown fields, sorted.

        Raises EmbeddedResourceError at the first wrong type; with `drop_invalid` such values are dropped instead.
        """
        if not self.any:
            return []
        walk = _Coercion(drop_invalid, [])
        _coerce(obj, self.schema, path, walk, is_embedded=self._root or self.schema.embedded_resource)
        return sorted(walk.unknown)

    def validate(self, obj: JSONValue, path: str = "") -> list[FieldError]:
        """The errors of the embedded objects' apiVersion, kind and metadata."""
        if not self.any:
            return []
        return _validate(obj, self.schema, path, is_embedded=self._root or self.schema.embedded_resource)


def _child(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _children(value: JSONValue, schema: Schema, path: str) -> list[tuple[JSONValue, Schema, str]]:
    """The values that a walk visits next: declared fields, values of maps (``[key]``), items."""
    found: list[tuple[JSONValue, Schema, str]] = []
    if isinstance(value, dict):
        properties, rest = schema.properties, schema.additional_properties
        for key in sorted(value):
            if key in properties:
                found.append((value[key], properties[key], _child(path, key)))
            elif rest is not None:
                found.append((value[key], rest, f"{path}[{key}]"))
    elif isinstance(value, list) and schema.items is not None:
        found.extend((item, schema.items, f"{path}[{index}]") for index, item in enumerate(value))
    return found


def _coerce(value: JSONValue, schema: Schema, path: str, walk: _Coercion, *, is_embedded: bool) -> None:
    if is_embedded and isinstance(value, dict):
        for key in ("apiVersion", "kind"):
            if key in value and not isinstance(value[key], str):
                if not walk.drop_invalid:
                    raise EmbeddedResourceError(FieldError(ErrorType.INVALID, _child(path, key), value[key], metadata_errors.NOT_STRING))
                del value[key]
        if "metadata" in value:
            where = _child(path, "metadata")
            try:
                coerced = coerce_metadata(value["metadata"], path=where, drop_malformed=walk.drop_invalid)
            except MetadataDecodeError as error:
                if not walk.drop_invalid:
                    raise EmbeddedResourceError(FieldError(ErrorType.INVALID, where, value["metadata"], str(error))) from error
            else:
                value["metadata"] = coerced.metadata
                walk.unknown += coerced.unknown
    for child, child_schema, child_path in _children(value, schema, path):
        _coerce(child, child_schema, child_path, walk, is_embedded=child_schema.embedded_resource)


def _validate(value: JSONValue, schema: Schema, path: str, *, is_embedded: bool) -> list[FieldError]:
    errors = _validate_embedded(value, path) if is_embedded and isinstance(value, dict) else []
    for child, child_schema, child_path in _children(value, schema, path):
        errors += _validate(child, child_schema, child_path, is_embedded=child_schema.embedded_resource)
    return errors


def _validate_embedded(value: JSONObject, path: str) -> list[FieldError]:
    errors = [FieldError(ErrorType.REQUIRED, _child(path, key)) for key in ("apiVersion", "kind") if key not in value]
    if "apiVersion" in value:
        errors += _validate_text(value["apiVersion"], _child(path, "apiVersion"), _api_version_messages)
    if "kind" in value:
        errors += _validate_text(value["kind"], _child(path, "kind"), kind_problem)
    if "metadata" in value:
        where = _child(path, "metadata")
        try:
            metadata = coerce_metadata(value["metadata"]).metadata
        except MetadataDecodeError as error:
            errors.append(FieldError(ErrorType.INVALID, where, value["metadata"], str(error)))
        else:
            named = metadata if metadata.get("name") else {**metadata, "name": _ANY_NAME}
            found = validate_object_meta(named, namespaced=bool(metadata.get("namespace")), path=where, name_rule=path_segment_name)
            errors += merged_errors(found)
    return errors


def _validate_text(value: JSONValue, path: str, messages_of: Callable[[str], str]) -> list[FieldError]:
    if not isinstance(value, str):
        return [FieldError(ErrorType.INVALID, path, value, metadata_errors.NOT_STRING)]
    message = messages_of(value) if value else metadata_errors.EMPTY
    return [FieldError(ErrorType.INVALID, path, value, message)] if message else []


def _api_version_messages(value: str) -> str:
    # The server reads "/" alone as an empty group and version, without an error.
    return metadata_errors.no_group_version(value) if value.count("/") > 1 else ""
