"""Checks whether the defaults in a schema are valid in their place: pruned, valid as metadata, and by schema and rules.

Rules run twice, for a default that remains and for one that is new, within one budget for the whole schema.
Source: k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting/{validation,surroundingobject}.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.schema_wordings import DEFAULT_REPLACES_RESOURCE, UNKNOWN_FIELDS_IN_DEFAULT, no_metadata
from weighbridge.policies.cel.rules.evaluation import CompiledRules, RulesResult
from weighbridge.policies.cel.values.outcome import OBJECT_BUDGET
from weighbridge.policies.ground.field_errors import FieldError, aggregate
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.schema.compiled import CompiledSchema
from weighbridge.policies.schema.embedded import EmbeddedResourceError, EmbeddedResources
from weighbridge.policies.schema.explain import explain
from weighbridge.policies.schema.go_values import deep_copy, deep_equal
from weighbridge.policies.schema.node import Schema, SchemaAsWritten

_METADATA = frozenset({"metadata", "apiVersion", "kind"})
_EMBEDDED = "x-kubernetes-embedded-resource"
#: The place of a list's item on the way from the root.
_ITEM = 0


class _BudgetSpentError(Exception):
    """The rules have cost too much, so the other defaults aren't checked."""


class _UnsurroundableError(Exception):
    """A default that replaces a whole object with metadata isn't an object."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A node, the resource that it belongs to, the path from there, and whether it is part of that resource's metadata."""

    schema: JSONObject
    resource: JSONObject
    way: tuple[str | int, ...] = ()
    in_metadata: bool = False

    @property
    def is_resource_root(self) -> bool:
        return self.schema is self.resource


def default_errors(schema: JSONObject, path: FieldPath, *, pruned: bool = True) -> list[FieldError]:
    """The errors of all defaults of a structural schema; `pruned` says that they mustn't have unknown fields.

    Embedded metadata in defaults is brought into its stored form, in place.
    """
    root = schema if schema.get(_EMBEDDED) else {**schema, _EMBEDDED: True}
    validator = _Validator(pruned=pruned)
    try:
        validator.node(_Place(root, root), path)
    except _BudgetSpentError:
        pass
    except _UnsurroundableError as error:
        return [path.invalid("", str(error))]
    return validator.errors


class _Validator:
    """One walk over a schema's defaults."""

    def __init__(self, *, pruned: bool) -> None:
        self.errors: list[FieldError] = []
        self._pruned = pruned
        self._budget = OBJECT_BUDGET

    def node(self, place: _Place, path: FieldPath) -> None:
        """Validate the default of a node and of all below it, except the values of maps, which can't have any."""
        schema = place.schema
        if schema.get(_EMBEDDED):
            place = _Place(schema, schema)
        if schema.get("default") is not None:
            self._default(place, path / "default")
        items = schema.get("items")
        if isinstance(items, dict):
            self.node(replace(place, schema=items, way=(*place.way, _ITEM)), path / "items")
        for name, field in (schema.get("properties") or {}).items():
            in_metadata = place.in_metadata or (bool(schema.get(_EMBEDDED)) and name in _METADATA)
            below = replace(place, schema=field, way=(*place.way, name), in_metadata=in_metadata)
            self.node(below, (path / "properties")[name])

    def _default(self, place: _Place, path: FieldPath) -> None:
        value = place.schema["default"]
        where = str(path)
        found = list(_metadata_errors(place, path)) if place.in_metadata else list(self._object_errors(place, path))
        if not found:
            # A default is checked only once, so compiling the schema wouldn't pay.
            violations = explain(SchemaAsWritten(place.schema), value, "").violations.values()
            found = [violation.as_field_error(where) for violation in violations]
            if not found and Schema(place.schema).has_rules:
                found = self._rule_errors(place, where)
        self.errors += found
        if self._budget < 0:
            raise _BudgetSpentError

    def _object_errors(self, place: _Place, path: FieldPath) -> Iterator[FieldError]:
        value = place.schema["default"]
        schema, is_embedded = Schema(place.schema), bool(place.schema.get(_EMBEDDED))
        if self._pruned:
            pruned = deep_copy(value)
            CompiledSchema(schema, str(path)).prune(pruned, is_resource_root=is_embedded)
            if not deep_equal(pruned, value):
                # The other checks of the default still run.
                self.errors.append(path.invalid(value, UNKNOWN_FIELDS_IN_DEFAULT))
        embedded = EmbeddedResources(schema)
        try:
            embedded.coerce(value, str(path))
        except EmbeddedResourceError as error:
            yield error.error
            return
        yield from embedded.validate(value, str(path))

    def _rule_errors(self, place: _Place, where: str) -> list[FieldError]:
        rules = CompiledRules(Schema(place.schema), where, root=place.is_resource_root)
        value = place.schema["default"]
        kept = self._evaluate(rules, value, where, old=value, has_old=True)
        spent, errors = kept.remaining_budget, kept.errors
        if not errors:
            new = self._evaluate(rules, value, where, old=None, has_old=False)
            spent, errors = min(spent, new.remaining_budget), new.errors
        self._budget = spent
        return errors

    def _evaluate(self, rules: CompiledRules, value: JSONValue, where: str, *, old: JSONValue, has_old: bool) -> RulesResult:
        return rules.validate(value, old, has_old=has_old, path=where, budget=self._budget, ratchets=False)


def _metadata_errors(place: _Place, path: FieldPath) -> Iterator[FieldError]:
    """The errors of a default within apiVersion, kind or metadata, checked in an object that has nothing else."""
    value = place.schema["default"]
    resource = EmbeddedResources(Schema(place.resource), is_resource_root=True)
    surrounding = _surrounding(deep_copy(value), place.way)
    try:
        resource.coerce(surrounding)
    except EmbeddedResourceError as error:
        yield path.invalid(value, no_metadata(error))
        return
    errors = resource.validate(surrounding)
    if errors:
        yield path.invalid(value, no_metadata(aggregate(errors)))


def _surrounding(value: JSONValue, way: tuple[str | int, ...]) -> JSONObject:
    """An object with a type, and with `value` at the end of `way`."""
    for step in reversed(way):
        value = [value] if step == _ITEM and isinstance(step, int) else {step: value}
    if not isinstance(value, dict):
        raise _UnsurroundableError(DEFAULT_REPLACES_RESOURCE)
    return {"kind": "Validation", "apiVersion": "validation/v1", **value}
