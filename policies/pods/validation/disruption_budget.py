"""Whether the API server takes a PodDisruptionBudget as an operator makes it of what its users write.

The selector is left out: operators write that, and rightly. Source: Kubernetes v1.36.3, pkg/apis/policy/validation.
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.ground.field_errors import ErrorType, FieldError
from weighbridge.policies.ground.fields import part
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.percentages import count_errors, excess_errors
from weighbridge.policies.pods.validation.wordings import BOTH_BOUNDS


def disruption_budget_errors(budget: JSONObject) -> Iterator[FieldError]:
    """What the API server says against the budget, field by field; without the value of one that is wrong as a whole."""
    spec = part(budget, "spec")
    bounds = {name: spec[name] for name in ("minAvailable", "maxUnavailable") if spec.get(name) is not None}
    if len(bounds) > 1:
        yield FieldError(ErrorType.INVALID, "spec", detail=BOTH_BOUNDS)
    for name, value in bounds.items():
        yield from count_errors(value, f"spec.{name}")
        yield from excess_errors(value, f"spec.{name}")
