"""Validates the nodes of a schema: keywords that a definition can't use, forbidden defaults, list types, rules.

Rules are compiled only if nothing else is wrong at their node or below it.
Source: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.apiserver.acceptance import schema_wordings
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.list_types import LIST_TYPE, MAP_TYPE, list_type_errors
from weighbridge.policies.apiserver.acceptance.options import Options
from weighbridge.policies.apiserver.acceptance.rule_fields import rule_field_errors
from weighbridge.policies.apiserver.acceptance.rule_types import ITEMS, VALUES
from weighbridge.policies.apiserver.acceptance.schema_rules import RULES, RuleContext, rule_errors
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.records import dataclass, replace

TYPES: Final = ("array", "boolean", "integer", "number", "object", "string")
_METADATA: Final = frozenset({"metadata", "kind", "apiVersion"})
_PRESERVE: Final = "x-kubernetes-preserve-unknown-fields"
_EMBEDDED: Final = "x-kubernetes-embedded-resource"


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What is true of a node because of its place."""

    allows_defaults: bool = True
    why_no_defaults: str = ""
    in_metadata: bool = False
    #: The place nearest to the root from which on values can't be correlated with old ones.
    uncorrelatable: FieldPath | None = None

    def without_defaults(self, why: str) -> _Surroundings:
        return replace(self, allows_defaults=False, why_no_defaults=why)

    def without_old_values(self, path: FieldPath) -> _Surroundings:
        return self if self.uncorrelatable is not None else replace(self, uncorrelatable=path)


@dataclass(slots=True)
class _Errors:
    """Errors of the schema and errors of its rules, which come after them."""

    schema: list[FieldError]
    rules: list[FieldError]


def openapi_errors(schema: JSONObject, path: FieldPath, options: Options, context: RuleContext | None) -> list[FieldError]:
    """The errors of a schema; rules are compiled only with a `context`, and their costs are added up in it."""
    walk = _Walk(options)
    found = walk.node(schema, path, _Surroundings(options.allow_defaults), context, is_root=True)
    return found.schema + found.rules


class _Walk:
    """One walk through a schema."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def node(
        self, schema: JSONObject, path: FieldPath, here: _Surroundings, context: RuleContext | None, *, is_root: bool = False
    ) -> _Errors:
        found = _Errors(list(self._keywords(schema, path, here)), [])
        for child in self._children(schema, path, here, context, is_root=is_root):
            below = self.node(*child)
            found.schema += below.schema
            found.rules += below.rules
        if schema.get(_PRESERVE) is False:
            found.schema.append((path / _PRESERVE).invalid(value=False, detail=schema_wordings.PRESERVE_FALSE))
        found.schema += list_type_errors(schema, path, self._options)
        for index, rule in enumerate(schema.get(RULES) or ()):
            found.schema += rule_field_errors(schema, rule, (path / RULES)[index])
        if schema.get(RULES) and not found.schema and context is not None:
            suppress = self._options.suppress_expression_cost
            found.rules += rule_errors(context, path, here.uncorrelatable, suppress_cost=suppress)
        return found

    def _keywords(self, schema: JSONObject, path: FieldPath, here: _Surroundings) -> Iterator[FieldError]:
        yield from _forbidden(schema, path, here, valid_types=self._options.valid_types)
        if schema.get("uniqueItems"):
            yield (path / "uniqueItems").forbidden(schema_wordings.UNIQUE_ITEMS)
        if schema.get("properties") and schema.get("additionalProperties") not in (None, True):
            yield (path / "additionalProperties").forbidden(schema_wordings.PROPERTIES_AND_VALUES)

    def _children(
        self, schema: JSONObject, path: FieldPath, here: _Surroundings, context: RuleContext | None, *, is_root: bool
    ) -> Iterator[tuple[JSONObject, FieldPath, _Surroundings, RuleContext | None]]:
        values = schema.get("additionalProperties")
        if isinstance(values, dict):
            around = here
            if here.in_metadata:
                around = here.without_defaults(schema_wordings.BELOW_METADATA_VALUES)
            yield values, path / "additionalProperties", around, context and context.child(values, VALUES)
        # Old and new values of fields correlate for any known map type.
        is_correlatable = schema.get(MAP_TYPE) in (None, "granular", "atomic")
        for name, field in (schema.get("properties") or {}).items():
            around = here if is_correlatable else here.without_old_values(path)
            if name in _METADATA and (is_root or schema.get(_EMBEDDED)):
                around = replace(around, in_metadata=True)
                if is_root:
                    around = around.without_defaults(schema_wordings.at_top_level(name))
            yield field, (path / "properties")[name], around, context and context.child(field, name)
        for branch, where in _branches(schema, path):
            yield branch, where, here, None
        items = schema.get("items")
        if items is not None:
            around = here if schema.get(LIST_TYPE) == "map" else here.without_old_values(path)
            if isinstance(items, dict):
                yield items, path / "items", around, context and context.child(items, ITEMS)
            for index, item in enumerate(items if isinstance(items, list) else ()):
                yield item, (path / "items")[index], around, None
        for name, dependency in (schema.get("dependencies") or {}).items():
            if isinstance(dependency, dict):
                yield dependency, (path / "dependencies")[name], here, None


def _branches(schema: JSONObject, path: FieldPath) -> Iterator[tuple[JSONObject, FieldPath]]:
    if schema.get("not") is not None:
        yield schema["not"], path / "not"
    for keyword in ("allOf", "oneOf", "anyOf"):
        for index, branch in enumerate(schema.get(keyword) or ()):
            yield branch, (path / keyword)[index]
    for name, definition in (schema.get("definitions") or {}).items():
        yield definition, (path / "definitions")[name]


def _forbidden(schema: JSONObject, path: FieldPath, here: _Surroundings, *, valid_types: bool) -> Iterator[FieldError]:
    kind: JSONValue = schema.get("type", "")
    if valid_types and kind and kind not in TYPES:
        yield (path / "type").not_supported(kind, TYPES)
    if schema.get("default") is not None and not here.allows_defaults:
        yield (path / "default").forbidden(schema_wordings.default_not_allowed(here.why_no_defaults))
    for keyword in ("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"):
        held = schema.get(keyword)
        # An empty map counts only as dependencies; a pointer always counts.
        if held or (held is not None and keyword in ("additionalItems", "dependencies", "$ref")):
            yield (path / keyword).forbidden(schema_wordings.unsupported_keyword(keyword))
    if kind == "null":
        yield (path / "type").forbidden(schema_wordings.TYPE_NULL)
    if isinstance(schema.get("items"), list) and schema["items"]:
        yield (path / "items").forbidden(schema_wordings.SEVERAL_ITEM_SCHEMAS)
    if here.in_metadata and schema.get(_EMBEDDED):
        yield (path / _EMBEDDED).forbidden(schema_wordings.EMBEDDED_IN_METADATA)
