"""The outcome of an evaluation, and what it may cost.

Costs are counted in the server's units; the limits are its own. Source: k8s.io/apiserver `pkg/apis/cel/config.go`.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.values.values import Value
from weighbridge.policies.ground.records import dataclass

#: The limit for one evaluation.
PER_CALL_LIMIT: Final = 1_000_000
#: The limit for all rules of one object.
OBJECT_BUDGET: Final = 10_000_000
COST_EXCEEDED: Final = "operation cancelled: actual cost limit exceeded"


@dataclass(slots=True)
class Outcome:
    """The result of an evaluation: a value, or the text of an error if `error` isn't empty; and its cost."""

    value: Value
    cost: int
    error: str = ""

    @property
    def exceeded(self) -> bool:
        """Whether the evaluation was stopped for its cost."""
        return self.error == COST_EXCEEDED
