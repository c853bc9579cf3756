"""The levels of `--fail-on`."""

from __future__ import annotations

from enum import StrEnum


class FailOn(StrEnum):
    """What makes the exit code 1. Each level includes those before it, except `never`."""

    ERROR = "error"
    PLACEMENT = "placement"
    WARNING = "warning"
    NOTE = "note"
    NEVER = "never"

    def holds(self, *, refused: int, never_runs: int, warned: int, noted: int) -> bool:
        """Whether these counts of objects make it 1."""
        counts = {FailOn.ERROR: refused, FailOn.PLACEMENT: never_runs, FailOn.WARNING: warned, FailOn.NOTE: noted}
        if self is FailOn.NEVER:
            return False
        order = list(counts)
        return any(counts[level] for level in order[: order.index(self) + 1])
