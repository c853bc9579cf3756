"""Checks the CEL rules of a definition: whether they compile, what they could cost, and whether they may use ``oldSelf``.

A new rule is compiled for the previous release, since the server must be able to go back to it. A stored rule is compiled for the server's
own release. Source: k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation {validation,cel_validation}.go and
pkg/apiserver/schema/cel/compilation.go, 1.36.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.apiserver.acceptance import schema_wordings
from weighbridge.policies.apiserver.acceptance.field_path import FieldPath
from weighbridge.policies.apiserver.acceptance.go_struct_text import rule_text
from weighbridge.policies.apiserver.acceptance.rule_types import RuleTypes, StoredExpressions, judge
from weighbridge.policies.apiserver.acceptance.schema_wordings import too_expensive
from weighbridge.policies.cel.rules.rule_verdict import times
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.ground.field_errors import OMITTED, ErrorType, FieldError
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.schema.node import Schema

RULES: Final = "x-kubernetes-validations"
#: The limits of costs: of one expression, times the number of values that it may run on, and of all expressions of a schema.
EXPRESSION_LIMIT: Final = 10_000_000
SCHEMA_LIMIT: Final = 100_000_000
_NAMED: Final = 4


@dataclass(slots=True)
class TotalCost:
    """The total cost of the expressions of a schema, and the most expensive of them."""

    total: int = 0
    dearest: list[tuple[int, FieldPath]] = field(default_factory=list)

    def add(self, cost: int, path: FieldPath) -> None:
        """Count one expression."""
        self.total = times(self.total + cost, 1)
        if cost >= SCHEMA_LIMIT // 100:
            self.dearest = sorted([*self.dearest, (cost, path)], key=lambda entry: -entry[0])[:_NAMED]

    def errors(self, path: FieldPath) -> Iterator[FieldError]:
        """The errors of a schema at `path` if its rules cost too much together."""
        if self.total > SCHEMA_LIMIT:
            for _, dear in self.dearest:
                yield dear.forbidden(schema_wordings.EXPENSIVE_PART)
            yield path.forbidden(too_expensive(schema_wordings.SCHEMA_COST, self.total, SCHEMA_LIMIT))


class RuleContext:
    """A place with rules: its CEL type, how many values it can have (`None`: no limit), and the schema's total cost.

    The type is found from the node above, if a rule there or above it reaches this node; else from the node itself.
    """

    def __init__(self, schema: JSONObject, stored: StoredExpressions, parent: RuleContext | None = None, child_of: str = "") -> None:
        self.schema = schema
        self.stored = stored
        self.total: TotalCost = TotalCost() if parent is None else parent.total
        self._parent = parent
        self._name = child_of
        self._types: RuleTypes | None = None
        self.in_scope: bool = bool(schema.get(RULES)) or (parent is not None and parent.in_scope)
        self.count = 1 if parent is None else parent.children_count()

    def children_count(self) -> int | None:
        """How many values a child of this node can have in an object."""
        factor = _most_children(self.schema)
        return None if self.count is None or factor is None else times(self.count, factor)

    def child(self, schema: JSONObject, name: str) -> RuleContext:
        """The context of a property, or of ``items`` or ``additionalProperties``, whose names begin with a slash."""
        return RuleContext(schema, self.stored, self, name)

    def types(self) -> RuleTypes | None:
        """The CEL type of the place; `None` if no rule reaches it."""
        if not self.in_scope:
            return None
        if self._types is None:
            above = self._parent.types() if self._parent is not None else None
            found = above.child(self._name) if above is not None else None
            self._types = found or RuleTypes.of(DeclaredType(Schema(self.schema), root=self._parent is None))
        return self._types


def _most_children(schema: JSONObject) -> int | None:
    kind = schema.get("type")
    if kind == "object" and schema.get("additionalProperties") is None:
        return 1
    keyword = {"object": "maxProperties", "array": "maxItems"}.get(kind or "")
    if keyword is None:
        return 1
    bound = schema.get(keyword)
    return None if bound is None else max(bound, 0)


def rule_errors(context: RuleContext, path: FieldPath, uncorrelatable: FieldPath | None, *, suppress_cost: bool) -> Iterator[FieldError]:
    """The errors of the rules of one node whose schema has no errors. Their costs are added to the total."""
    types = context.types()
    where = path / RULES
    if types is None:
        return
    if types.declared is None:
        yield FieldError(ErrorType.INTERNAL, str(where), OMITTED, types.why)
        return
    for index, rule in enumerate(context.schema[RULES]):
        yield from _rule(context, rule, types.declared, where[index], uncorrelatable, suppress_cost=suppress_cost)


def _rule(
    context: RuleContext,
    rule: JSONObject,
    declared: DeclaredType,
    path: FieldPath,
    uncorrelatable: FieldPath | None,
    *,
    suppress_cost: bool,
) -> Iterator[FieldError]:
    verdict = judge(rule, declared, context.stored)
    cost = times(verdict.max_cost, verdict.max_cardinality if context.count is None else context.count)
    if not suppress_cost and cost > EXPRESSION_LIMIT:
        yield (path / "rule").forbidden(too_expensive(schema_wordings.RULE_COST, cost, EXPRESSION_LIMIT))
    context.total.add(cost, path / "rule")
    if verdict.error:
        yield (path / "rule").invalid_text(rule_text(rule), verdict.error)
    if verdict.message_error:
        yield (path / "messageExpression").invalid_text(rule_text(rule), verdict.message_error)
    elif verdict.has_message:
        if not suppress_cost and verdict.message_max_cost > EXPRESSION_LIMIT:
            text = too_expensive(schema_wordings.MESSAGE_COST, verdict.message_max_cost, EXPRESSION_LIMIT)
            yield (path / "messageExpression").forbidden(text)
        context.total.add(verdict.message_max_cost, path / "messageExpression")
    if verdict.uses_old_self:
        if uncorrelatable is not None:
            yield (path / "rule").invalid(rule.get("rule", ""), schema_wordings.old_self_uncorrelatable(uncorrelatable))
    elif rule.get("optionalOldSelf") is not None:
        yield (path / "optionalOldSelf").invalid(rule["optionalOldSelf"], schema_wordings.OPTIONAL_OLD_SELF_UNUSED)
