"""Every x-kubernetes-validations rule of one CRD version, evaluated on an object.

Errors have the server's texts and fields. A failure on a value that hasn't changed is a warning (KEP-4008). A rule that mentions
``oldSelf`` runs only if there is an old value to compare with. All rules share one cost budget. Source: k8s.io/apiextensions-apiserver
`pkg/apiserver/schema/cel/validation.go`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

from weighbridge.policies.cel.rules.compiled_rule import CompiledRule
from weighbridge.policies.cel.rules.direct_rule import DirectRule, KeptRules
from weighbridge.policies.cel.rules.rule_nodes import BRANCH, FIELD, INDEX, RuleNode, WalkResolver, leads_to_rules, write_walk
from weighbridge.policies.cel.values.declared import DeclaredType
from weighbridge.policies.cel.values.outcome import COST_EXCEEDED, OBJECT_BUDGET, PER_CALL_LIMIT, Outcome
from weighbridge.policies.cel.values.undecided import UNDECIDED
from weighbridge.policies.cel.values.values import Value
from weighbridge.policies.codegen import CompiledUnit, SourceWriter, load
from weighbridge.policies.codegen.frozen import FrozenUnit
from weighbridge.policies.codegen.unit import compile_unit
from weighbridge.policies.codegen.writer import comment_text
from weighbridge.policies.ground.field_errors import OMITTED, ErrorType, FieldError
from weighbridge.policies.ground.go_text import trimmed
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.records import field as default_field
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.schema.kept_units import KeptUnits
from weighbridge.policies.schema.node import Schema, ValidationRule
from weighbridge.policies.schema.ratchet import Correlated, OldItems

_LONGEST_MESSAGE: Final = 5 * 1024
_REASONS: Final = {
    "FieldValueForbidden": ErrorType.FORBIDDEN,
    "FieldValueRequired": ErrorType.REQUIRED,
    "FieldValueDuplicate": ErrorType.DUPLICATE,
}
#: The key of the walk among the kept units.
_WALK: Final = ("walk",)
#: ``(parent trail, step, kind)``; the root's is None.
Trail = tuple[Any, Any, int]


@dataclass(frozen=True, slots=True)
class Limits:
    """The cost limits of an evaluation: for all rules of an object, and for each one."""

    budget: int = OBJECT_BUDGET
    per_call: int = PER_CALL_LIMIT


DEFAULT_LIMITS: Final = Limits()


@dataclass(slots=True)
class RulesResult:
    """The results of the rules for one object; a negative budget means that the evaluation was stopped."""

    errors: list[FieldError] = default_field(default_factory=list)
    warnings: list[FieldError] = default_field(default_factory=list)
    remaining_budget: int = OBJECT_BUDGET


class CompiledRules:
    """The rules of one CRD version; `root` is false if the schema is only a part of a resource's.

    `kept` has the units that other runs have compiled of the schema.
    """

    def __init__(self, schema: Schema, name: str, *, root: bool = True, kept: KeptUnits | None = None) -> None:
        self._schema = schema
        self._kept = None if kept is None else KeptRules(kept, is_root=root)
        self._name = name
        self._root = root

    @cached_property
    def has_rules(self) -> bool:
        """Whether there is a rule outside of ``allOf``. If there is none, the server doesn't find the rules inside ``allOf`` either."""
        return leads_to_rules(self._schema, branches=False)

    @cached_property
    def tree(self) -> RuleNode:
        """The root of the nodes that have rules or lead to some."""
        declared = DeclaredType(self._schema, root=self._root)
        return RuleNode(self._schema, self._schema, declared if declared.exposed else None, self._name, self._kept)

    @cached_property
    def _walk(self) -> CompiledUnit:
        resolver = None if self._kept is None else WalkResolver(self._kept)
        found = None if resolver is None else resolver.kept.units.find(_WALK, resolver)
        if found is None:
            writer = SourceWriter()
            write_walk(self.tree, writer)
            unit = writer.unit(comment_text(f"rules of {self._name}"))
            found = FrozenUnit(unit, compile_unit(unit), None)
            if resolver is not None:
                resolver.kept.units.keep(_WALK, found, resolver)
        return load(found.unit, {"OldItems": OldItems}, found.code)

    def validate(
        self,
        obj: JSONValue,
        old: JSONValue = None,
        *,
        has_old: bool,
        path: str = "",
        budget: int = OBJECT_BUDGET,
        call_limit: int = PER_CALL_LIMIT,
        ratchets: bool | None = None,
        is_typed: bool = True,
    ) -> RulesResult:
        """Evaluate all rules on `obj`; with `ratchets` unchanged failures are warnings, by default if there is an old object.

        `is_typed` says that the schema's validation has found every value to be of its type. On an update, wrong values may remain, and
        then each value is checked again. A schema with rules only in ``allOf`` has none: the server looks there only if there are others.
        """
        if not self.has_rules:
            return RulesResult(remaining_budget=budget)
        limits = Limits(budget, call_limit)
        return self.evaluate(obj, old, has_old=has_old, path=path, limits=limits, ratchets=ratchets, is_typed=is_typed)

    def evaluate(
        self,
        obj: JSONValue,
        old: JSONValue = None,
        *,
        has_old: bool,
        path: str = "",
        limits: Limits = DEFAULT_LIMITS,
        ratchets: bool | None = None,
        is_typed: bool = True,
    ) -> RulesResult:
        """Evaluate the rules as `validate` does, also if all of them are in ``allOf``."""
        if obj is None:
            return RulesResult(remaining_budget=limits.budget)
        ratcheting = has_old if ratchets is None else ratchets
        correlated = Correlated(obj, old, self._schema) if ratcheting else None
        run = _Run(path, limits, correlated, is_typed=is_typed)
        try:
            self._walk.function("walk")(run.visit, obj, old if has_old else None, None)
        except _StoppedError:
            run.result.remaining_budget = -1
        return run.result

    def source(self) -> str:
        """The generated walk and every rule's generated programs, to be read."""
        parts = [self._walk.source]
        waiting = [self.tree]
        while waiting:
            node = waiting.pop()
            for rule in node.rules:
                parts += [program.source() for program in (rule.program, rule.message_program) if program is not None]
            waiting += [*node.branches, *node.properties.values(), *(x for x in (node.values, node.items) if x is not None)]
        return "\n".join(parts)


class _StoppedError(Exception):
    """The budget or a limit is used up; no further rule runs."""


class _Run:
    """One evaluation of all rules on one object."""

    def __init__(self, path: str, limits: Limits, correlated: Correlated | None, *, is_typed: bool) -> None:
        self.result = RulesResult(remaining_budget=limits.budget)
        self._path = path
        self._call_limit = limits.per_call
        self._correlated = correlated
        self._is_typed = is_typed

    def visit(self, node: RuleNode, value: JSONValue, old: JSONValue, trail: Trail | None) -> None:
        """Evaluate the rules of one node; raises _StoppedError."""
        if node.is_unreadable:
            self._unreadable(node, trail)
            return
        if self.result.remaining_budget <= 0:
            self._spent(node, trail)
        for ready in node.direct_rules:
            if ready.error:
                self._uncompiled(node, trail, ready.error)
            elif old is not None or not ready.needs_old:
                self._evaluate(ready, node, value, old, trail)

    def _evaluate(self, ready: DirectRule, node: RuleNode, value: JSONValue, old: JSONValue, trail: Trail | None) -> None:
        limit = min(self._call_limit, self.result.remaining_budget)
        try:
            decided = ready.direct(limit, value, old) if ready.direct is not None and self._is_typed else None
        except UNDECIDED:
            decided = None
        if decided is None or decided[1] > limit:
            self._run_program(ready, node, value, old, trail)
            return
        self.result.remaining_budget -= decided[1]
        if decided[0] is not True:
            self._false(ready, node, value, old, trail)

    def _run_program(self, ready: DirectRule, node: RuleNode, value: JSONValue, old: JSONValue, trail: Trail | None) -> None:
        program = ready.rule.program
        assert program is not None  # noqa: S101 - the rule isn't empty and has no error
        optional = ready.rule.rule.optional_old_self
        outcome = program.run_on_data(value, old, optional=optional, limit=self._call_limit, is_typed=self._is_typed)
        if outcome.cost > self.result.remaining_budget:
            self._spent(node, trail)
        self.result.remaining_budget -= outcome.cost
        if outcome.error:
            self._failed(ready.rule, node, trail, outcome)
        elif outcome.value is not True:
            self._false(ready, node, value, old, trail)

    # Most rules never fail, so their wordings are imported where one is needed.

    def _unreadable(self, node: RuleNode, trail: Trail | None) -> None:
        from weighbridge.policies.cel.rules.errors import NO_TYPES

        self._invalid(node, trail, NO_TYPES)

    def _uncompiled(self, node: RuleNode, trail: Trail | None, why: str) -> None:
        from weighbridge.policies.cel.rules.errors import uncompiled

        self._invalid(node, trail, uncompiled(why))

    def _spent(self, node: RuleNode, trail: Trail | None) -> None:
        from weighbridge.policies.cel.rules.errors import BUDGET_SPENT

        self._stop(node, trail, BUDGET_SPENT)

    def _failed(self, rule: CompiledRule, node: RuleNode, trail: Trail | None, outcome: Outcome) -> None:
        from weighbridge.policies.cel.rules import errors
        from weighbridge.policies.cel.run_time_errors import NO_SUCH_OVERLOAD

        text = _rule_text(rule.rule)
        if outcome.error.startswith(NO_SUCH_OVERLOAD):
            self._invalid(node, trail, errors.call_not_supported(outcome.error, text))
        elif outcome.error == COST_EXCEEDED:
            self._stop(node, trail, errors.rule_too_expensive(outcome.error, text))
        else:
            self._invalid(node, trail, errors.evaluation_failed(outcome.error, text))

    def _false(self, ready: DirectRule, node: RuleNode, value: JSONValue, old: JSONValue, trail: Trail | None) -> None:
        field = self._field(trail)
        if ready.rule.field_path:
            field = f"{field}.{ready.rule.field_path}" if field else ready.rule.field_path
        detail = self._message(ready, node, (value, old), trail, field)
        error = _error(ready.rule.rule.reason, field, _shown(value, node.schema.type), detail)
        self._add(ready, trail, error)

    def _add(self, ready: DirectRule, trail: Trail | None, error: FieldError) -> None:
        unchanged = not ready.uses_old_self and self._is_unchanged(trail)
        (self.result.warnings if unchanged else self.result.errors).append(error)

    def _message(self, ready: DirectRule, node: RuleNode, values: tuple[JSONValue, JSONValue], trail: Trail | None, field: str) -> str:
        program = ready.rule.message_program
        if program is None:
            return _default_message(ready.rule.rule)
        from weighbridge.policies.cel.rules import errors

        outcome = program.run_on_data(*values, optional=False, limit=self._call_limit, plain_old=not ready.uses_old_self)
        if outcome.cost > self.result.remaining_budget:
            self._stop_at(ready, node, trail, field, errors.MESSAGE_BUDGET_SPENT)
        if outcome.error == COST_EXCEEDED:
            self._stop_at(ready, node, trail, field, errors.message_too_expensive(ready.rule.rule.message_expression))
        self.result.remaining_budget -= outcome.cost
        message = trimmed(outcome.value) if isinstance(outcome.value, str) and not outcome.error else ""
        if not message or "\n" in message or len(message.encode("utf-8", "surrogatepass")) > _LONGEST_MESSAGE:
            return _default_message(ready.rule.rule)
        return message

    def _stop_at(self, ready: DirectRule, node: RuleNode, trail: Trail | None, field: str, text: str) -> None:
        self._add(ready, trail, FieldError(ErrorType.INVALID, field, node.schema.type, text))
        raise _StoppedError

    def _invalid(self, node: RuleNode, trail: Trail | None, detail: str) -> None:
        self.result.errors.append(FieldError(ErrorType.INVALID, self._field(trail), node.schema.type, detail))

    def _stop(self, node: RuleNode, trail: Trail | None, detail: str) -> None:
        self._invalid(node, trail, detail)
        raise _StoppedError

    def _field(self, trail: Trail | None) -> str:
        text = self._path
        for step, kind in _steps(trail):
            if kind == FIELD:
                text = f"{text}.{step}" if text else step
            elif kind != BRANCH:
                text += f"[{step}]"
        return text

    def _is_unchanged(self, trail: Trail | None) -> bool:
        """Whether the node, or the nearest one above it that can be compared, equals its old value."""
        parent: Correlated | None = None
        current = self._correlated
        for step, kind in _steps(trail):
            if kind == BRANCH:
                current = None
            elif current is not None:
                if parent is None and kind != INDEX and step in ("apiVersion", "kind"):
                    return False
                parent, current = current, current.index(step) if kind == INDEX else current.key(step)
        nearest = current or parent
        return nearest is not None and nearest.equal()


def _steps(trail: Trail | None) -> list[tuple[Any, int]]:
    found = []
    while trail is not None:
        trail, step, kind = trail
        found.append((step, kind))
    found.reverse()
    return found


def _rule_text(rule: ValidationRule) -> str:
    return trimmed(rule.message or rule.rule)


def _default_message(rule: ValidationRule) -> str:
    if rule.message:
        return trimmed(rule.message)
    from weighbridge.policies.cel.rules.errors import failed

    return failed(trimmed(rule.rule))


def _shown(value: JSONValue, type_name: str) -> Value:
    """What the error of a rule shows of a value."""
    if not release().shows_values_of_rules:
        return type_name
    return OMITTED if type_name in ("object", "array") else value


def _error(reason: str, field: str, value: Value, detail: str) -> FieldError:
    type_ = _REASONS.get(reason, ErrorType.INVALID)
    if type_ in (ErrorType.FORBIDDEN, ErrorType.REQUIRED):
        return FieldError(type_, field, "", detail)
    return FieldError(type_, field, value, "" if type_ is ErrorType.DUPLICATE else detail)
