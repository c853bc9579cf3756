"""The conditions of a policy's match. Source: k8s.io/apiserver pkg/admission/plugin/webhook/matchconditions/matcher.go, 1.37."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weighbridge.policies.admission_policies.environment import Expression
from weighbridge.policies.admission_policies.evaluation import CONDITIONS_BUDGET, OutOfBudgetError, Round
from weighbridge.policies.admission_policies.inputs import Inputs


class ConditionError(Exception):
    """A condition couldn't be evaluated, and the policy's failurePolicy is Fail; the text is the server's."""


def conditions_hold(conditions: Sequence[Expression], variables: Mapping[str, Expression], inputs: Inputs, *, fails: bool) -> bool:
    """Whether all conditions are true. A false one wins over the errors of others. Raises ConditionError and NotKnownError."""
    if not conditions:
        return True
    try:
        results = Round(inputs, variables, CONDITIONS_BUDGET).results(conditions)
    except OutOfBudgetError as error:
        if fails:
            raise ConditionError(str(error)) from None
        return False
    found = [result for result in results if result is not None]
    if any(not result.error and result.value is False for result in found):
        return False
    errors = list(dict.fromkeys(result.error for result in found if result.error))
    if errors and fails:
        raise ConditionError(errors[0] if len(errors) == 1 else f"[{', '.join(errors)}]")
    return not errors
