"""Cautions: what keeps pods from working, or may do so, although the scheduler finds a node for them."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.records import dataclass

#: The ids of what is said.
SLICES: Final = "PLACE-011"
ONE_NODE_STORAGE: Final = "PLACE-012"
OTHER_ZONE: Final = "PLACE-013"
SMALL_DISK: Final = "PLACE-014"


@dataclass(frozen=True, slots=True)
class Caution:
    """One thing that keeps pods from working. It is a warning, or a note if it only may happen."""

    rule: str
    message: str
    hint: str = ""
    is_note: bool = False
