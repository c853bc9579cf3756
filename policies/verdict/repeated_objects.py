"""Finds an object that occurs twice among the manifests of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.ground.findings import Finding, Severity

#: The id of the finding that an object occurs twice.
TWICE: Final = "WB-005"
_HINT: Final = "the one that is applied last replaces the others; remove all but one, or give each its own name"


def twice(label: str, others: Sequence[str]) -> Finding:
    """The finding on one of several manifests of an object, with the places of the others."""
    more = f" and {len(others) - 1} more" if len(others) > 1 else ""
    return Finding(TWICE, Severity.WARNING, ("metadata", "name"), f"{label} is also in {others[0]}{more}", _HINT)
