"""How the server judges one rule when it is written into a CRD: errors, worst-case costs, and the field of its errors.

A new rule must compile in the environment of new rules; one that the CRD had before, in that of stored rules. Source:
k8s.io/apiextensions-apiserver `pkg/apiserver/schema/cel/compilation.go`.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.check.environment import Environment, environment
from weighbridge.policies.cel.cost.estimate import estimate
from weighbridge.policies.cel.emit.program import Program
from weighbridge.policies.cel.rules.compiled_rule import CompiledRule
from weighbridge.policies.cel.rules.field_paths import FieldPathError, normalised
from weighbridge.policies.cel.values.declared import MAX_REQUEST_SIZE, DeclaredType
from weighbridge.policies.cel.versions import new_rules_version
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.schema.node import Schema, ValidationRule

#: Costs are unsigned 64-bit numbers that stay at this largest value instead of overflowing.
MAX_COST: Final = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """The verdict on one rule. Texts are empty and costs zero if they don't apply.

    `max_cost` is the cost of one evaluation. The schema above may limit the number of evaluations; if it doesn't, `max_cardinality` does.
    """

    error: str = ""
    uses_old_self: bool = False
    max_cost: int = 0
    max_cardinality: int = 0
    message_error: str = ""
    has_message: bool = False
    message_max_cost: int = 0
    field_path: str = ""


def new_rules() -> Environment:
    """The environment of rules that are new to a CRD."""
    return environment(new_rules_version())


def stored_rules() -> Environment:
    """The environment of rules that a CRD has already."""
    return environment()


def judge_rule(
    rule: ValidationRule,
    declared: DeclaredType,
    *,
    rule_environment: Environment | None = None,
    message_environment: Environment | None = None,
) -> RuleVerdict:
    """Compile a rule and its message against its node, each as a new one by default; an empty rule has no errors.

    `declared` must be exposed: the server has no type for other nodes, and reports that before it compiles anything.
    """
    compiled = CompiledRule(
        rule, declared, "rule", rule_environment=rule_environment or new_rules(), message_environment=message_environment or new_rules()
    )
    if compiled.program is None:
        return RuleVerdict(error=compiled.error)
    message = compiled.message_program
    return RuleVerdict(
        uses_old_self=compiled.uses_old_self,
        max_cost=_most(compiled.program, declared),
        max_cardinality=MAX_REQUEST_SIZE // (declared.min_size + 1),
        message_error=compiled.message_error,
        has_message=message is not None,
        message_max_cost=0 if message is None else _most(message, declared),
        field_path=compiled.field_path,
    )


def _most(program: Program, declared: DeclaredType) -> int:
    return estimate(program.checked, declared).high


def times(cost: int, count: int) -> int:
    """A cost multiplied by a count."""
    return min(cost * count, MAX_COST)


def field_path_error(path: str, schema: Schema, *, brackets: bool = True) -> str:
    """What is wrong with a `fieldPath` below a node, or the empty string; `brackets` says whether ``['name']`` is accepted."""
    try:
        normalised(path, schema, brackets=brackets)
    except FieldPathError as error:
        return str(error)
    return ""
