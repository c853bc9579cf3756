"""Every rule of a schema explained: its type, its worst-case cost, and the Python that it becomes.

For people who write or debug rules; it isn't used when objects are judged.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.cel.rules.compiled_rule import CompiledRule
from weighbridge.policies.cel.rules.errors import UNDECLARED
from weighbridge.policies.cel.rules.rule_verdict import RuleVerdict, judge_rule, stored_rules, times
from weighbridge.policies.cel.values.declared import DeclaredType, SelfTypes, Shape
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema.node import Schema, ValidationRule


@dataclass(frozen=True, slots=True)
class RuleExplanation:
    """One rule: its place (`index` counts the rules of that field from 0) and how it is compiled.

    `evaluations` is how often it can be evaluated on one object by the schema's limits, and `max_cost` the estimated cost of all these
    evaluations. `type` is the type of the expression, `self_type` that of ``self``; `source` is the generated code, empty if the rule
    doesn't compile.
    """

    field: str
    index: int
    rule: ValidationRule
    verdict: RuleVerdict
    type: str
    self_type: str
    evaluations: int
    source: str

    @property
    def max_cost(self) -> int:
        """The estimated cost of all evaluations on one object."""
        return times(self.verdict.max_cost, self.evaluations)

    def as_json(self) -> JSONObject:
        """The explanation as data."""
        return {
            "field": self.field,
            "index": self.index,
            "rule": self.rule.rule,
            "message": self.rule.message,
            "messageExpression": self.rule.message_expression,
            "error": self.verdict.error,
            "messageError": self.verdict.message_error,
            "type": self.type,
            "selfType": self.self_type,
            "usesOldSelf": self.verdict.uses_old_self,
            "costPerEvaluation": self.verdict.max_cost,
            "evaluations": self.evaluations,
            "estimatedCost": self.max_cost,
            "python": self.source,
        }


@dataclass(frozen=True, slots=True)
class _Place:
    """A node on the walk; `count` is how many values of it an object can have, `None` if the schema sets no limit."""

    schema: Schema
    declared: DeclaredType
    field: str
    count: int | None


def explain(schema: Schema, field: str = "") -> Iterator[RuleExplanation]:
    """The rules at and below `field` (``spec.items[].name``, ``spec.labels[*]``; the root where it is empty), parents first."""
    waiting = [_Place(schema, DeclaredType(schema, root=True), "", 1)]
    while waiting:
        place = waiting.pop()
        if _is_within(place.field, field):
            for index, rule in enumerate(place.schema.validations):
                yield _explained(rule, place, index)
        waiting.extend(child for child in reversed(list(_children(place))) if _may_reach(child.field, field))


def _is_within(field: str, wanted: str) -> bool:
    return not wanted or field == wanted or field.startswith((f"{wanted}.", f"{wanted}["))


def _may_reach(field: str, wanted: str) -> bool:
    return _is_within(field, wanted) or _is_within(wanted, field)


def _children(place: _Place) -> Iterator[_Place]:
    schema = place.schema
    for name, child in schema.properties.items():
        declared = place.declared.properties.get(name) or DeclaredType(child)
        yield _Place(child, declared, f"{place.field}.{name}" if place.field else name, place.count)
    for inner, limit, step in ((schema.items, "maxItems", "[]"), (schema.additional_properties, "maxProperties", "[*]")):
        if inner is not None:
            most = schema.raw.get(limit)
            count = None if most is None or place.count is None else place.count * int(most)
            yield _Place(inner, DeclaredType(inner), place.field + step, count)


def _described(declared: DeclaredType) -> str:
    """The type of ``self`` in words, since the names of struct types say nothing."""
    if declared.shape in (Shape.OBJECT, Shape.EMPTY):
        return f"object with {', '.join(declared.properties) or 'no fields'}"
    if declared.shape in (Shape.LIST, Shape.MAP) and declared.element is not None:
        return f"{declared.shape.name.lower()} of {_described(declared.element)}"
    return str(SelfTypes(declared).type)


def _explained(rule: ValidationRule, place: _Place, index: int) -> RuleExplanation:
    if not place.declared.exposed:
        return RuleExplanation(place.field, index, rule, RuleVerdict(error=UNDECLARED), "", "", 0, "")
    verdict = judge_rule(rule, place.declared, rule_environment=stored_rules(), message_environment=stored_rules())
    compiled = CompiledRule(rule, place.declared, f"{place.field} rule {index}")
    program = compiled.program
    parts = [part.source() for part in (program, compiled.message_program) if part is not None]
    return RuleExplanation(
        field=place.field,
        index=index,
        rule=rule,
        verdict=verdict,
        type="" if program is None else str(program.checked.type),
        self_type=_described(place.declared),
        evaluations=verdict.max_cardinality if place.count is None else place.count,
        source="\n".join(parts),
    )
