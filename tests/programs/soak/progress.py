"""The line that is printed every minute."""

from __future__ import annotations

from collections.abc import Sequence

from tests.programs.soak.memory import Memory
from tests.programs.soak.tally import Tally, quantile


def progress(seconds: float, tally: Tally, told: int, memories: Sequence[Memory]) -> str:
    """The results so far; the times are those of the answers after the first `told` ones."""
    latest = tally.seconds[told:]
    fast, slow, slowest = (time * 1e3 for time in (quantile(latest, 0.5), quantile(latest, 0.99), max(latest, default=0.0)))
    times = f"p50 {fast:.0f} ms, p99 {slow:.0f} ms, max {slowest:.0f} ms"
    counts = f"{tally.requests:,} requests, {tally.lost.total()} lost, {tally.wrong.total()} wrong"
    events = f"{tally.replacements} replacements, {tally.rotations} rotations, {tally.hostile.total():,} hostile"
    resident = " ".join(f"{memory.end:.0f}" for memory in memories)
    return f"{seconds:6.0f} s  {counts}; {times}; {events}; {resident} MiB"
