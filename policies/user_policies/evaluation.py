"""Evaluates one policy for one request: its conditions, its variables, and the costs of all expressions.

A policy that fails gives the finding WB-014, with the severity of its failurePolicy. Costs are limited as those of a
ValidatingAdmissionPolicy. Source: k8s.io/apiserver v0.36, pkg/admission/plugin/policy/validating/validator.go, pkg/apis/cel/config.go.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

from weighbridge.policies.cel.rules.errors import BUDGET_SPENT
from weighbridge.policies.cel.values.outcome import OBJECT_BUDGET, PER_CALL_LIMIT, Outcome
from weighbridge.policies.cel.values.values import CelError
from weighbridge.policies.config.policies import Policy
from weighbridge.policies.config.sections import POLICY_FAILS
from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import Path, field
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.user_policies.compiled_policy import CompiledPolicy, Expression
from weighbridge.policies.user_policies.inputs import MissingFactError, RequestInputs

_CONDITIONS_BUDGET: Final = 2_500_000
_HINT: Final = "correct the policy: weighbridge config check shows what is wrong with its expressions"


@dataclass(frozen=True, slots=True)
class Said:
    """A finding of a policy on an object; `is_failure` says that the policy failed, and then the finding is WB-014."""

    policy: Policy
    finding: Finding | Unchecked
    is_failure: bool = False


def unchecked(policy: Policy, reason: str) -> Said:
    """The entry that a policy isn't checked because a fact is missing."""
    return Said(policy, Unchecked(f"{policy.id} {policy.name}", reason))


class Evaluation:
    """One policy and one request; the budget is spent by all expressions together."""

    def __init__(self, compiled: CompiledPolicy, inputs: RequestInputs) -> None:
        self.compiled = compiled
        self.policy = compiled.policy
        self._inputs = inputs
        self._budget = OBJECT_BUDGET
        self._variables: dict[str, Any] = {}

    @property
    def is_spent(self) -> bool:
        """Whether the budget is used up."""
        return self._budget <= 0

    def fault(self, part: str) -> Said | None:
        """The finding that a `part` of the policy can't be evaluated: `validations` or `fillIns`."""
        for path, fault in self.compiled.faults:
            if path[0] in (part, "matchConditions", "variables"):
                return self.failed(path, f"{fault.message}; the cluster's kind differs from the one that it was written for")
        return None

    def is_asked(self) -> Generator[Said, None, bool]:
        """Whether all conditions are true; a false one wins over failures of others. Raises MissingFactError."""
        failed: tuple[int, str] | None = None
        spent = 0
        for index, (_, expression) in enumerate(self.compiled.conditions):
            outcome = self.evaluate(expression)
            spent += outcome.cost
            if outcome.value is False and not outcome.error:
                return False
            if outcome.error and failed is None:
                failed = index, outcome.error
            if spent > _CONDITIONS_BUDGET:
                failed = failed or (index, BUDGET_SPENT)
                break
        if failed is None:
            return True
        yield self.failed(("matchConditions", failed[0], "expression"), failed[1])
        return False

    def evaluate(self, expression: Expression) -> Outcome:
        """Evaluate one expression within the budget. Raises MissingFactError."""
        program = expression.program
        if isinstance(program, str):
            return Outcome(None, 0, program)
        if self.is_spent:
            return Outcome(None, 0, BUDGET_SPENT)
        outcome = program.evaluate([self.value(name) for name in expression.uses], PER_CALL_LIMIT)
        self._budget -= outcome.cost
        if self._budget < 0:
            return Outcome(None, outcome.cost, BUDGET_SPENT)
        if outcome.error and self._inputs.cluster.lacked:
            raise MissingFactError(self._inputs.cluster.lacked[-1])
        return outcome

    def value(self, name: str) -> Any:
        """The value of a variable. Raises MissingFactError."""
        own = self.compiled.variables.get(name)
        if own is None:
            return self._inputs.value(name)
        if name not in self._variables:
            outcome = self.evaluate(own)
            self._variables[name] = CelError(outcome.error) if outcome.error else outcome.value
        return self._variables[name]

    def failed(self, path: Path, what: str) -> Said:
        """The finding that the policy fails."""
        policy = self.policy
        severity = Severity.ERROR if policy.failure_policy == "Fail" else Severity.NOTE
        message = f"{policy.id} {policy.name} fails: {field(path)}: {what}"
        return Said(policy, Finding(POLICY_FAILS, severity, (), message, _HINT), is_failure=True)
