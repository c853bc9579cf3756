"""Takes times in rounds that alternate between the candidates, so that a slow spell of the machine hits all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_ROUNDS = 7
_ROUND_SECONDS = 0.15


@dataclass(frozen=True, slots=True)
class Timing:
    """The median over the rounds, in seconds per call."""

    name: str
    seconds: float


def _calls_per_round(call: Callable[[], object]) -> int:
    start, calls = time.perf_counter(), 0
    while time.perf_counter() - start < _ROUND_SECONDS / 3:
        call()
        calls += 1
    return max(1, calls * 3)


def compare(candidates: Mapping[str, Callable[[], object]]) -> dict[str, Timing]:
    """Time every candidate."""
    calls = {name: _calls_per_round(call) for name, call in candidates.items()}
    rounds: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(_ROUNDS):
        for name, call in candidates.items():
            start = time.perf_counter()
            for _ in range(calls[name]):
                call()
            rounds[name].append((time.perf_counter() - start) / calls[name])
    return {name: Timing(name, statistics.median(values)) for name, values in rounds.items()}


def reference() -> int:
    """A fixed piece of pure Python, about what a small rule does: dict and list access, string building, branches."""
    total = 0
    table: dict[str, tuple[int, int, dict[str, int]]] = {f"field{number}": (number, number + 1, {"value": number}) for number in range(40)}
    for _ in range(4):
        for key, (low, high, rest) in table.items():
            if key.endswith("7") or low % 3 == 0:
                total += len(f"{key}.{high}") + rest["value"]
    return total
