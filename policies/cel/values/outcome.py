"""The outcome of an evaluation, and what it may cost.

Costs are counted in the server's units; the limits are its own. Source: k8s.io/apiserver `pkg/apis/cel/config.go`.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.cel.values.values import Value
from weighbridge.policies.ground.records import dataclass

#: The most that one evaluation may cost.
PER_CALL_LIMIT: Final = 1_000_000
#: What may be spent on one object, over all its rules.
OBJECT_BUDGET: Final = 10_000_000
COST_EXCEEDED: Final = "operation cancelled: actual cost limit exceeded"


@dataclass(slots=True)
class Outcome:
    """What an evaluation came to: a value, or an error's text where `error` isn't empty; and its cost."""

    value: Value
    cost: int
    error: str = ""

    @property
    def exceeded(self) -> bool:
        """Whether the evaluation was stopped for its cost."""
        return self.error == COST_EXCEEDED
