"""The form in which the server validates a definition's spec: parts that all versions have in common are moved above them.

A definition of one version always has its schema there, which is why errors name ``spec.validation.openAPIV3Schema``.
Source: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/conversion.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from weighbridge.policies.apiserver.acceptance.definition_types import VERSION
from weighbridge.policies.apiserver.acceptance.semantic_equality import semantically_equal
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass

_SHARED: Final = ("subresources", "schema", "additionalPrinterColumns", "selectableFields")


@dataclass(slots=True)
class SpecForm:
    """A spec as it is validated; `raw` is the spec as it was written. The versions lack the parts that were moved above them."""

    raw: JSONObject
    versions: list[JSONObject] | None
    validation: JSONObject | None
    subresources: JSONObject | None
    columns: list[JSONObject]
    selectable: list[JSONObject]

    @property
    def version(self) -> str:
        """The name of the first version, which the server also keeps above the versions; empty if there is none."""
        return str(self.versions[0].get("name", "")) if self.versions else ""

    @property
    def names(self) -> JSONObject:
        """``spec.names``."""
        return self.raw.get("names") or {}

    @property
    def preserves_unknown_fields(self) -> bool:
        """``spec.preserveUnknownFields``."""
        return bool(self.raw.get("preserveUnknownFields"))

    def schemas(self) -> Iterator[JSONObject]:
        """All schemas: the one above the versions, then theirs."""
        for holder in (self.validation, *(version.get("schema") for version in self.versions or ())):
            schema = schema_of(holder)
            if schema is not None:
                yield schema

    def has_schema_for(self, name: str) -> bool:
        """Whether the definition says which schema a version has, even if that is none. A schema above the versions counts for any name."""
        return not self._is_per_version or self._version(name) is not None

    def schema_for(self, name: str) -> JSONObject | None:
        """The ``schema`` field that counts for a version, in the version or above."""
        return (self._version(name) or {}).get("schema") if self._is_per_version else self.validation

    @property
    def _is_per_version(self) -> bool:
        return any(version.get("schema") is not None for version in self.versions or ())

    def _version(self, name: str) -> JSONObject | None:
        return next((version for version in self.versions or () if version.get("name", "") == name), None)


def schema_of(validation: JSONObject | None) -> JSONObject | None:
    """The schema in a ``schema`` field."""
    return None if validation is None else validation.get("openAPIV3Schema")


def spec_form(spec: JSONObject) -> SpecForm:
    """Bring a decoded spec into the form of validation; the maps in it are shared, not copied."""
    written: list[JSONObject] | None = spec.get("versions")
    if not written:
        return SpecForm(spec, written, None, None, [], [])
    first = written[0]
    alike = [
        key
        for key in _SHARED
        if all(semantically_equal(version.get(key), first.get(key), VERSION.fields[key].type) for version in written[1:])
    ]
    versions = [{key: value for key, value in version.items() if key not in alike} for version in written]
    moved = {key: first[key] for key in alike if key in first}
    return SpecForm(
        spec,
        versions,
        moved.get("schema"),
        moved.get("subresources"),
        moved.get("additionalPrinterColumns") or [],
        moved.get("selectableFields") or [],
    )


def schema_nodes(schema: JSONObject) -> Iterator[JSONObject]:
    """A schema's node and all below it, combinators and forbidden keywords included."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(list(_below(node))))


def _below(node: JSONObject) -> Iterator[JSONObject]:
    for keyword in ("items", "allOf", "anyOf", "oneOf", "not"):
        held = node.get(keyword)
        if isinstance(held, dict):
            yield held
        elif isinstance(held, list):
            yield from held
    yield from (node.get("properties") or {}).values()
    for keyword in ("additionalProperties", "additionalItems"):
        held = node.get(keyword)
        if isinstance(held, dict):
            yield held
    for keyword in ("patternProperties", "definitions", "dependencies"):
        yield from (held for held in (node.get(keyword) or {}).values() if isinstance(held, dict))


def any_node(schemas: Iterator[JSONObject], wanted: Callable[[JSONObject], bool]) -> bool:
    """Whether `wanted` is true of some node of some schema."""
    return any(wanted(node) for schema in schemas for node in schema_nodes(schema))
