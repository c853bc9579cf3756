"""The problems of a workload with a scheduler's queue."""

from __future__ import annotations

from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class QueueTrouble:
    """Why the pods of a workload never leave their queue, or what couldn't be checked; `hint` says what to do."""

    message: str
    hint: str = ""
    is_unknown: bool = False
