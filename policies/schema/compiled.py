"""One CRD version's schema, ready for use: prune, drop nulls, default, validate, each by functions generated from it.

Nothing is generated before it is needed, and then only for the part of the schema that an object reaches (`assembly`). The steps are those
that kube-apiserver 1.36 takes on a custom resource; their order is the caller's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.schema.emit.assembly import Assembly
from weighbridge.policies.schema.go_values import deep_copy
from weighbridge.policies.schema.kept_units import KeptUnits
from weighbridge.policies.schema.node import Schema
from weighbridge.policies.schema.structure import ROOT, Place

if TYPE_CHECKING:
    from weighbridge.policies.schema.emit.default import DefaultEmitter
    from weighbridge.policies.schema.emit.lists import ListsEmitter
    from weighbridge.policies.schema.emit.nulls import NullsEmitter
    from weighbridge.policies.schema.emit.prune import PruneEmitter
    from weighbridge.policies.schema.emit.validate import ValidateEmitter

# The modules that write functions are imported when a function has to be written, and those with the texts of errors when there is an
# error.


class CompiledSchema:
    """A structural schema with its operations; `name` is shown in tracebacks, `kept` has the units that other runs have compiled.

    Objects are plain JSON: exactly ``dict``, ``list``, ``str``, ``int``, ``float``, ``bool`` and ``None``. Every operation raises
    `SchemaTooDeepError` when an object reaches a place that lies too deep in the schema.
    """

    def __init__(self, schema: Schema, name: str, kept: KeptUnits | None = None) -> None:
        self.schema = schema
        self.name = name
        self._kept = kept
        self._subschemas: dict[str, CompiledSchema] = {}
        self._prune = Assembly("prune", _pruning, name, kept)
        self._nulls = Assembly("nulls", _dropping_nulls, name, kept)
        self._default = Assembly("default", self._defaulting, name, kept)
        self._validate = Assembly("valid", _validating, name, kept)
        self._lists = Assembly("lists", _comparing, name, kept)
        root = Place(schema)
        self._prune_node, self._prune_root = self._prune.cell(root), self._prune.cell(Place(schema, mode=ROOT))
        self._nulls_root, self._default_root = self._nulls.cell(root), self._default.cell(root)
        self._valid_root, self._lists_root = self._validate.cell(root), self._lists.cell(root)

    def _defaulting(self) -> DefaultEmitter:
        from weighbridge.policies.schema.emit.default import DefaultEmitter

        return DefaultEmitter(self._pruned_default)

    def _pruned_default(self, place: Place) -> JSONValue:
        """The default of a place without what the schema doesn't know, as the server keeps it."""
        value = place.schema.default
        if isinstance(value, (dict, list)):
            value = deep_copy(value)
            self._prune.cell(Place(place.schema, place.label, place.depth))[0](value, None, [])
        return value

    def prune(self, obj: JSONValue, *, is_resource_root: bool = True) -> list[str]:
        """Remove, in place, the fields that the schema doesn't know; the paths of what was removed, sorted.

        A resource's root keeps apiVersion, kind and metadata, which are handled elsewhere.
        """
        dropped: list[str] = []
        if type(obj) is dict or type(obj) is list:
            (self._prune_root if is_resource_root else self._prune_node)[0](obj, None, dropped)
        dropped.sort()
        return dropped

    def drop_nulls(self, obj: JSONValue) -> None:
        """Remove, in place, nulls that the schema neither allows nor has a default for."""
        self._nulls_root[0](obj)

    def default(self, obj: JSONValue) -> None:
        """Fill in defaults in place."""
        self._default_root[0](obj)

    def validate(self, obj: JSONValue, path: str = "") -> list[FieldError]:
        """The errors of an object that is created. Their fields begin with `path`, while their texts have paths from the schema's root."""
        if self._valid_root[0](obj):
            return []
        from weighbridge.policies.schema.explain import explain

        return [found.as_field_error(path) for found in explain(self.schema, obj, "").violations.values()]

    def validate_update(self, obj: JSONValue, old: JSONValue, path: str = "") -> list[FieldError]:
        """The errors of an object that replaces `old`, less those in parts that didn't change."""
        if self._valid_root[0](obj):
            return []
        from weighbridge.policies.schema.explain import explain
        from weighbridge.policies.schema.ratchet import Correlated

        result = explain(self.schema, obj, "", Correlated(obj, old, self.schema))
        return [found.as_field_error(path) for found in result.violations.values()]

    def holds(self, obj: JSONValue) -> bool:
        """Whether `obj` has no errors at all."""
        return bool(self._valid_root[0](obj))

    def validate_list_types(self, obj: JSONValue, path: str = "") -> list[FieldError]:
        """The errors of lists of type set or map that hold an item twice."""
        if self._lists_root[0](obj):
            return []
        from weighbridge.policies.schema.lists import list_type_errors

        return list(list_type_errors(self.schema, obj, path))

    def subschema(self, field: str) -> CompiledSchema | None:
        """The schema of a declared field by itself, such as ``status``; `None` where it isn't declared."""
        schema = self.schema.properties.get(field)
        if schema is not None and field not in self._subschemas:
            self._subschemas[field] = CompiledSchema(schema, f"{self.name} {field}", self._kept)
        return self._subschemas.get(field)

    def source(self) -> str:
        """All of the generated Python, to be read; the same text for the same schema."""
        parts = (
            (self._prune, Place(self.schema, mode=ROOT)),
            (self._nulls, Place(self.schema)),
            (self._default, Place(self.schema)),
            (self._validate, Place(self.schema)),
            (self._lists, Place(self.schema)),
        )
        return "\n".join(assembly.source(place) for assembly, place in parts)


def _pruning() -> PruneEmitter:
    from weighbridge.policies.schema.emit.prune import PruneEmitter

    return PruneEmitter()


def _dropping_nulls() -> NullsEmitter:
    from weighbridge.policies.schema.emit.nulls import NullsEmitter

    return NullsEmitter()


def _validating() -> ValidateEmitter:
    from weighbridge.policies.schema.emit.validate import ValidateEmitter

    return ValidateEmitter()


def _comparing() -> ListsEmitter:
    from weighbridge.policies.schema.emit.lists import ListsEmitter

    return ListsEmitter()
