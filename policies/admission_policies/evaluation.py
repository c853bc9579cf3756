"""Runs the expressions of a policy on a request, within the server's budgets.

A round is one list of expressions: the conditions, the validations, the messages, or the audit annotations. Variables are computed again in
each round, when they are first read, and their cost counts there. Source: k8s.io/apiserver
pkg/admission/plugin/cel/{activation,composition, condition}.go and pkg/apis/cel/config.go, 1.37.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from weighbridge.policies.admission_policies import wordings
from weighbridge.policies.admission_policies.environment import VARIABLES, VARIABLES_TYPE, Expression
from weighbridge.policies.admission_policies.inputs import Inputs
from weighbridge.policies.cel.rules.errors import BUDGET_SPENT
from weighbridge.policies.cel.values.outcome import OBJECT_BUDGET, PER_CALL_LIMIT, Outcome
from weighbridge.policies.cel.values.values import CelError, LazyMap, NotKnown, NotKnownError, Value
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass

#: More variables that wait for each other than this are worked out one by one.
_MOST_NESTED: Final = 20
#: The variables that an expression names.
_READ: Final = expression(r"\bvariables\s*\.\s*\??\s*(\w+)")
#: The budgets of a round: of the expressions for a binding and a parameter, and of the match conditions.
BUDGET: Final = OBJECT_BUDGET
CONDITIONS_BUDGET: Final = BUDGET // 4


class OutOfBudgetError(Exception):
    """The cost of a round is above the limit. The text is the server's."""

    def __init__(self) -> None:
        super().__init__(BUDGET_SPENT)


@dataclass(frozen=True, slots=True)
class ExpressionResult:
    """The result of an expression: a value, or the text of an error if `error` isn't empty."""

    value: Value
    error: str = ""


class Round:
    """One round; `spent` is its cost so far."""

    def __init__(self, inputs: Inputs, variables: Mapping[str, Expression], budget: int = BUDGET) -> None:
        self.left = budget
        self._of_variables = 0
        self._running: set[str] = set()
        self._variables = variables
        self._settles = False
        work: dict[str, Callable[[], Value]] = {name: partial(self._variable, name, compiled) for name, compiled in variables.items()}
        self._lazy = LazyMap(work, VARIABLES_TYPE)
        self._named = {**inputs.values, "variables": self._lazy}
        self._values = [self._named[name] for name in VARIABLES]

    def results(self, expressions: Sequence[Expression | None]) -> list[ExpressionResult | None]:
        """The results of the expressions, in order; `None` for a missing expression. Raises OutOfBudgetError and NotKnownError."""
        return [None if expression is None else self.result(expression) for expression in expressions]

    def result(self, expression: Expression) -> ExpressionResult:
        """The result of one expression. Raises OutOfBudgetError and NotKnownError."""
        if expression.program is None:
            return ExpressionResult(None, wordings.not_compiled(expression.error))
        outcome = self._run(expression)
        of_variables, self._of_variables = self._of_variables, 0
        for cost in (of_variables, outcome.cost):
            if cost > self.left:
                raise OutOfBudgetError
            self.left -= cost
        if outcome.error:
            return ExpressionResult(None, wordings.evaluation_failed(expression.text, outcome.error))
        return ExpressionResult(outcome.value)

    def _run(self, expression: Expression) -> Outcome:
        for name in expression.mentions:
            value = self._named[name]
            if value.__class__ is NotKnown:
                raise NotKnownError(value.reason)
        assert expression.program is not None  # noqa: S101 - the callers have looked
        return expression.program.run(self._values, PER_CALL_LIMIT)

    def _variable(self, name: str, compiled: Expression) -> Value:
        if compiled.program is None:
            raise CelError(wordings.variable_not_compiled(name, compiled.error))
        if name in self._running:
            raise NotKnownError(wordings.self_reference(name))
        self._running.add(name)
        if len(self._running) > _MOST_NESTED and not self._settles:
            self._settle_for(name)
        outcome = self._run(compiled)
        self._running.discard(name)
        self._of_variables += outcome.cost
        if outcome.error:
            raise CelError(wordings.variable_failed(name, outcome.error))
        return outcome.value

    def _settle_for(self, name: str) -> None:
        """Work out what a variable may read, one after the other: a long chain of variables would exceed Python's stack."""
        needed, pending = set(self._running), [name]
        while pending:
            read = set(_READ.findall(self._variables[pending.pop()].text)) & self._variables.keys() - needed
            needed |= read
            pending += read
        self._settles = True
        for earlier in self._variables:
            if earlier in needed - self._running:
                with suppress(CelError, NotKnownError):
                    self._lazy.find(earlier)
        self._settles = False
