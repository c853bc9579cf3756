"""Asks the policies about a request: findings, what couldn't be checked, and policies that fail.

A policy that fails is a finding of its own, WB-014, with the weight that its failurePolicy gives. Costs are bounded as those of a
ValidatingAdmissionPolicy. Source: k8s.io/apiserver v0.36, pkg/admission/plugin/policy/validating/validator.go, pkg/apis/cel/config.go.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import Any, Final

from weighbridge.policies.apiserver.definitions import Definitions, ResourceDefinition
from weighbridge.policies.apiserver.unknown_fields import steps
from weighbridge.policies.cel.values.outcome import OBJECT_BUDGET, PER_CALL_LIMIT, Outcome
from weighbridge.policies.cel.values.undecided import UNDECIDED
from weighbridge.policies.cel.values.values import CelError
from weighbridge.policies.config import Configuration
from weighbridge.policies.config.policies import Policies, Policy, Validation
from weighbridge.policies.config.sections import POLICY_FAILS
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.namespaces import namespace_labels
from weighbridge.policies.ground.findings import Finding, Severity, Unchecked
from weighbridge.policies.ground.objects import Path, field
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.request import Request
from weighbridge.policies.user_policies.compiled_policy import CompiledPolicy, CompiledValidation, Expression, wanted_of
from weighbridge.policies.user_policies.inputs import Inputs, Made, NotKnownError

_BUDGET_OVER: Final = "validation failed due to running out of cost budget, no further validation rules will be run"
_CONDITIONS_BUDGET: Final = 2_500_000
_LONGEST_MESSAGE: Final = 5 * 1024
_HINT: Final = "correct the policy: weighbridge config check shows what is wrong with its expressions"


@dataclass(frozen=True, slots=True)
class Said:
    """What a policy says of an object; of one that fails `is_failure`, and then the finding is of WB-014."""

    policy: Policy
    finding: Finding | Unchecked
    is_failure: bool = False


class KindPolicies:
    """The policies for the objects of one kind, compiled."""

    def __init__(self, policies: Policies, definition: ResourceDefinition, definitions: Definitions) -> None:
        self.definition, self.definitions = definition, definitions
        schema = definition.openapi_schema
        self.compiled = [CompiledPolicy(policy, schema, definitions) for policy in policies.of_kind(definition.gvk)]
        self.wanted: Mapping[str, frozenset[str]] = wanted_of(self.compiled)
        self._looks_up = any(expression.compiled.looks_up for policy in self.compiled for expression in policy.expressions())

    def is_of(self, definition: ResourceDefinition, definitions: Definitions) -> bool:
        """Whether these are compiled by these definitions."""
        return definition is self.definition and (definitions is self.definitions or not self._looks_up)


def compiled_for(policies: Policies, definition: ResourceDefinition, definitions: Definitions) -> KindPolicies:
    """The policies for a kind, compiled when they are first asked."""
    known = policies.recall(id(definition))
    if isinstance(known, KindPolicies) and known.is_of(definition, definitions):
        return known
    found = KindPolicies(policies, definition, definitions)
    policies.remember(id(definition), found)
    return found


def said_of(
    request: Request,
    facts: Facts,
    config: Configuration,
    definition: ResourceDefinition,
    made: Callable[[], Made],
    *,
    is_stored: bool = False,
    check_deadline: Callable[[], None],
) -> Iterator[Said]:
    """What the policies of a configuration say of a request; of an object as it is stored (`is_stored`) those about changes say nothing."""
    if config.policies is None:
        return
    known = compiled_for(config.policies, definition, facts.definitions)
    inputs = Inputs(request, facts, config, made, known.wanted)
    for compiled in known.compiled:
        check_deadline()
        if is_stored and compiled.is_about_changes:
            continue
        if compiled.quick is not None and _hold_at_once(*compiled.quick, inputs):
            continue
        match = compiled.policy.match
        is_meant = match.is_everything or match.includes(request, lambda: namespace_labels(request.namespace, facts.objects))
        if is_meant is None:
            yield _unchecked(compiled.policy, f"the labels of namespace {request.namespace} aren't known")
        elif is_meant:
            yield from _Run(compiled, inputs).said()


def _hold_at_once(holds: Callable[..., tuple[Any, int]], uses: Iterable[str], inputs: Inputs) -> bool:
    """Whether all validations of a policy surely hold; False says nothing."""
    try:
        value, cost = holds(PER_CALL_LIMIT, *map(inputs.value, uses))
    except (*UNDECIDED, NotKnownError):
        return False
    return value is True and cost <= PER_CALL_LIMIT


def _unchecked(policy: Policy, reason: str) -> Said:
    return Said(policy, Unchecked(f"{policy.id} {policy.name}", reason))


class _Run:
    """One policy asked about one request."""

    def __init__(self, compiled: CompiledPolicy, inputs: Inputs) -> None:
        self._compiled = compiled
        self._policy = compiled.policy
        self._inputs = inputs
        self._budget = OBJECT_BUDGET
        self._variables: dict[str, Any] = {}

    def said(self) -> Iterator[Said]:
        """What it says."""
        compiled = self._compiled
        if compiled.faults:
            path, fault = compiled.faults[0]
            yield self._failed(path, f"{fault.message}; the cluster's kind differs from the one that it was written for")
            return
        try:
            if compiled.conditions and not (yield from self._is_asked()):
                return
            if not self._all_hold():
                yield from self._of_each()
        except NotKnownError as error:
            yield _unchecked(self._policy, str(error))

    def _is_asked(self) -> Generator[Said, None, bool]:
        """Whether all conditions hold; one that is false ends it, whatever fails besides."""
        failed: tuple[int, str] | None = None
        spent = 0
        for index, (_, expression) in enumerate(self._compiled.conditions):
            outcome = self._evaluate(expression)
            spent += outcome.cost
            if outcome.value is False and not outcome.error:
                return False
            if outcome.error and failed is None:
                failed = index, outcome.error
            if spent > _CONDITIONS_BUDGET:
                failed = failed or (index, _BUDGET_OVER)
                break
        if failed is None:
            return True
        yield self._failed(("matchConditions", failed[0], "expression"), failed[1])
        return False

    def _all_hold(self) -> bool:
        """Whether all validations are surely true; False says nothing."""
        combined = self._compiled.all_at_once
        program = combined.program if combined is not None else ""
        if combined is None or isinstance(program, str):
            return False
        values = [self._value(name) for name in combined.uses]
        if any(value.__class__ is CelError for value in values):
            return False
        outcome = program.direct(values, PER_CALL_LIMIT)
        return outcome is not None and outcome.value is True and not outcome.error

    def _of_each(self) -> Iterator[Said]:
        written = self._policy.validations
        for validation in self._compiled.validations:
            entry = written[validation.index]
            outcome = self._evaluate(validation.expression)
            if outcome.error:
                yield self._failed(("validations", validation.index, "expression"), outcome.error)
                if self._budget <= 0 or outcome.exceeded:
                    return
            elif outcome.value is not True:
                place = steps(validation.path) if validation.path else ()
                yield Said(
                    self._policy, Finding(self._policy.id, self._policy.severity, place, self._message(validation, entry), entry.hint)
                )

    def _message(self, validation: CompiledValidation, entry: Validation) -> str:
        found = ""
        if validation.message is not None:
            outcome = self._evaluate(validation.message)
            found = outcome.value.strip() if isinstance(outcome.value, str) and not outcome.error else ""
        if not found or "\n" in found or len(found.encode("utf-8", "surrogatepass")) > _LONGEST_MESSAGE:
            found = entry.message.strip()
        return found or f"failed expression: {' '.join(entry.expression.split())}"

    # --- evaluation ---

    def _evaluate(self, expression: Expression) -> Outcome:
        """Evaluate one expression within the budget. Raises NotKnownError."""
        program = expression.program
        if isinstance(program, str):
            return Outcome(None, 0, program)
        if self._budget <= 0:
            return Outcome(None, 0, _BUDGET_OVER)
        outcome = program.evaluate([self._value(name) for name in expression.uses], PER_CALL_LIMIT)
        self._budget -= outcome.cost
        if self._budget < 0:
            return Outcome(None, outcome.cost, _BUDGET_OVER)
        if outcome.error and self._inputs.cluster.lacked:
            raise NotKnownError(self._inputs.cluster.lacked[-1])
        return outcome

    def _value(self, name: str) -> Any:
        own = self._compiled.variables.get(name)
        if own is None:
            return self._inputs.value(name)
        if name not in self._variables:
            outcome = self._evaluate(own)
            self._variables[name] = CelError(outcome.error) if outcome.error else outcome.value
        return self._variables[name]

    def _failed(self, path: Path, what: str) -> Said:
        policy = self._policy
        severity = Severity.ERROR if policy.failure_policy == "Fail" else Severity.NOTE
        return Said(
            policy, Finding(POLICY_FAILS, severity, (), f"{policy.id} {policy.name} fails: {field(path)}: {what}", _HINT), is_failure=True
        )
