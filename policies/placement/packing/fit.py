"""Whether demands fit together: first by counting, then by a packing, then by a search."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.placement.packing.bounds import Proof, proof
from weighbridge.policies.placement.packing.greedy import packed, rounded
from weighbridge.policies.placement.packing.occupancy import PackingState
from weighbridge.policies.placement.packing.problem import MANY, Problem
from weighbridge.policies.placement.packing.search import OutOfStepsError, PackingSearch

#: The most steps of a search, about 10 ms.
STEPS: Final = 2000


class PackingOutcome(StrEnum):
    """Whether pods fit together; `UNKNOWN` if neither a packing was found nor a proof that there is none."""

    FITS = "fits"
    NEVER = "never"
    UNKNOWN = "not known"


@dataclass(frozen=True, slots=True)
class Packing:
    """The outcome, with a way to pack the pods if there is one, or the proof by counting that there is none."""

    outcome: PackingOutcome
    occupancy: PackingState | None = None
    proof: Proof | None = None


def pack(problem: Problem, steps: int = STEPS, *, names_all: bool = False) -> Packing:
    """Whether all demands of a problem fit together on empty nodes.

    With many kinds, a packing says which pod is where only if it `names_all`.
    """
    why = proof(problem)
    if why is not None:
        return Packing(PackingOutcome.NEVER, proof=why)
    is_large = len(problem.kinds) > MANY
    found = packed(rounded(problem), names_all=names_all) if is_large else packed(problem)
    if found is not None:
        return Packing(PackingOutcome.FITS, found)
    if is_large:
        return Packing(PackingOutcome.UNKNOWN)
    try:
        found = PackingSearch(steps).packing(problem)
    except OutOfStepsError:
        return Packing(PackingOutcome.UNKNOWN)
    return Packing(PackingOutcome.FITS, found) if found is not None else Packing(PackingOutcome.NEVER)
