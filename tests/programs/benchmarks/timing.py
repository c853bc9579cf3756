"""Takes times in rounds that alternate between the candidates, so that a slow spell of the machine hits all of them.

Times are CPU times: the timed code never waits, and the wall clock would also count other work on the machine. The fastest round counts,
since delays by other processes are no property of the code.
"""

from __future__ import annotations

import gc
import resource
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import repeat
from typing import Any

#: A function and the arguments of each call.
Call = tuple[Callable[..., object], tuple[Any, ...]]


#: A clock of CPU time, in seconds.
Clock = Callable[[], float]


def children_time() -> float:
    """The CPU time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@dataclass(frozen=True, slots=True)
class Timing:
    """The best of the rounds, in seconds per call."""

    name: str
    seconds: float


def _seconds(call: Call, calls: int, clock: Clock) -> float:
    function, arguments = call
    start = clock()
    for _ in repeat(None, calls):
        function(*arguments)
    return clock() - start


def _calls_per_round(call: Call, round_seconds: float, clock: Clock) -> int:
    # The first call imports modules and fills caches, so it doesn't count.
    _seconds(call, 1, clock)
    calls = 1
    while (taken := _seconds(call, calls, clock)) < round_seconds / 4:
        calls *= 2
    return max(1, int(calls * round_seconds / taken))


def fastest(
    candidates: Mapping[str, Call], *, rounds: int = 7, round_seconds: float = 0.15, clock: Clock = time.process_time
) -> dict[str, float]:
    """Seconds per call of each candidate."""
    calls = {name: _calls_per_round(call, round_seconds, clock) for name, call in candidates.items()}
    best = dict.fromkeys(candidates, float("inf"))
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, call in candidates.items():
                best[name] = min(best[name], _seconds(call, calls[name], clock) / calls[name])
            gc.collect()
    finally:
        if collecting:
            gc.enable()
    return best


def compare(candidates: Mapping[str, Callable[[], object]], clock: Clock = time.process_time) -> dict[str, Timing]:
    """Time every candidate."""
    found = fastest({name: (call, ()) for name, call in candidates.items()}, clock=clock)
    return {name: Timing(name, seconds) for name, seconds in found.items()}


def reference() -> int:
    """A fixed piece of pure Python, about what a small rule does: dict and list access, string building, branches."""
    total = 0
    table: dict[str, tuple[int, int, dict[str, int]]] = {f"field{number}": (number, number + 1, {"value": number}) for number in range(40)}
    for _ in range(4):
        for key, (low, high, rest) in table.items():
            if key.endswith("7") or low % 3 == 0:
                total += len(f"{key}.{high}") + rest["value"]
    return total
