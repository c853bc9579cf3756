"""A ValidatingAdmissionPolicy with its compiled expressions, and their results for one request, binding and parameter.

Source: k8s.io/apiserver pkg/admission/plugin/policy/validating/{plugin,validator}.go, 1.37.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from weighbridge.policies.admission_policies import wordings
from weighbridge.policies.admission_policies.attributes import Attributes
from weighbridge.policies.admission_policies.conditions import ConditionError, conditions_hold
from weighbridge.policies.admission_policies.declarations import PolicyValidation, ValidatingPolicy
from weighbridge.policies.admission_policies.environment import Expression, PolicyEnvironment
from weighbridge.policies.admission_policies.evaluation import BUDGET, ExpressionResult, OutOfBudgetError, Round
from weighbridge.policies.admission_policies.inputs import Inputs
from weighbridge.policies.admission_policies.matching import Matched
from weighbridge.policies.cel.rules.errors import BUDGET_SPENT
from weighbridge.policies.cel.values import types
from weighbridge.policies.cel.values.values import type_name
from weighbridge.policies.ground.go_text import trimmed
from weighbridge.policies.ground.records import dataclass

#: The reason of a failed validation that gives none, and of every error.
INVALID: Final = "Invalid"
_MAX_MESSAGE_BYTES: Final = 5 * 1024
_MAX_ANNOTATION_BYTES: Final = 10 * 1024


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed validation, by its position in the policy; `reason` is the server's reason for the status."""

    index: int
    message: str
    reason: str = INVALID


@dataclass(frozen=True, slots=True)
class Answer:
    """A policy's answer to a request: failures, audit annotations by their keys, and the errors of annotations that fail the request."""

    failures: Sequence[Failure] = ()
    annotations: Sequence[tuple[str, str]] = ()
    errors: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class CompiledValidatingPolicy:
    """A policy and its expressions."""

    policy: ValidatingPolicy
    variables: Mapping[str, Expression]
    conditions: Sequence[Expression]
    validations: Sequence[Expression]
    messages: Sequence[Expression | None]
    annotations: Sequence[Expression]

    def outcome(self, inputs: Inputs, attributes: Attributes, matched: Matched) -> Answer:
        """The policy's answer to a request. Raises NotKnownError."""
        fails = self.policy.head.fails
        try:
            seen = inputs.of_conditions(attributes, matched)
            if not conditions_hold(self.conditions, self.variables, seen, fails=fails):
                return Answer()
            failures = list(self._failures(inputs))
            annotations, errors = self._annotations(inputs)
        except (ConditionError, OutOfBudgetError) as error:
            return Answer([Failure(0, str(error))] if fails else ())
        return Answer(failures, annotations, errors)

    def _failures(self, inputs: Inputs) -> Iterator[Failure]:
        validating = Round(inputs, self.variables, BUDGET)
        results = validating.results(self.validations)
        messages: Sequence[ExpressionResult | None] = [None] * len(results)
        is_spent = False
        try:
            messages = Round(inputs, self.variables, validating.left).results(self.messages)
        except OutOfBudgetError:
            is_spent = True
        for index, (validation, result, message) in enumerate(zip(self.policy.validations, results, messages, strict=True)):
            assert result is not None  # noqa: S101 - there is an expression for each
            if result.error or is_spent:
                if self.policy.head.fails:
                    yield Failure(index, result.error or wordings.message_failed(BUDGET_SPENT))
            elif result.value is not True:
                yield Failure(index, _message(validation, message), validation.reason or INVALID)

    def _annotations(self, inputs: Inputs) -> tuple[list[tuple[str, str]], list[str]]:
        results = Round(inputs, self.variables, BUDGET).results(self.annotations)
        published: list[tuple[str, str]] = []
        errors: list[str] = []
        for named, result in zip(self.policy.annotations, results, strict=True):
            assert result is not None  # noqa: S101 - there is an expression for each
            error = result.error if self.policy.head.fails else ""
            value = None if result.error else result.value
            if isinstance(value, str):
                published += [(named.name, _cut(text))] if (text := trimmed(value)) else []
            elif value is not None:
                error = wordings.wrong_annotation_type(named.expression, type_name(value))
            if error:
                errors.append(error)
        return published, errors


def _cut(text: str) -> str:
    data = text.encode(errors="surrogateescape")
    return text if len(data) <= _MAX_ANNOTATION_BYTES else data[:_MAX_ANNOTATION_BYTES].decode(errors="replace")


def _message(validation: PolicyValidation, result: ExpressionResult | None) -> str:
    """The text of a failed validation: that of its messageExpression if it can be used, else its message, else its expression."""
    message = ""
    if result is not None and isinstance(result.value, str):
        message = trimmed(result.value)
        if len(message.encode(errors="surrogateescape")) > _MAX_MESSAGE_BYTES or "\n" in message:
            message = ""
    return message or trimmed(validation.message) or wordings.false_expression(trimmed(validation.expression))


def compile_policy(policy: ValidatingPolicy) -> CompiledValidatingPolicy:
    """Compile the expressions of a policy as those of a stored one."""
    head = policy.head
    env = PolicyEnvironment(has_params=head.param_kind is not None)
    variables = {variable.name: env.add_variable(variable.name, variable.expression) for variable in head.variables}
    return CompiledValidatingPolicy(
        policy,
        variables,
        [env.compile(condition.expression, types.BOOL) for condition in head.conditions],
        [env.compile(validation.expression, types.BOOL) for validation in policy.validations],
        [
            env.compile(validation.message_expression, types.STRING, asks=False) if validation.message_expression else None
            for validation in policy.validations
        ],
        [env.compile(annotation.expression, types.STRING, types.NULL) for annotation in policy.annotations],
    )
