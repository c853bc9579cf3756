"""The table that a soak ends with."""

from __future__ import annotations

import os
from array import array
from collections import Counter
from collections.abc import Iterator

from tests.programs.soak.memory import CRITERION, POD_MIB
from tests.programs.soak.run import Outcome
from tests.programs.soak.tally import quantile

_WIDTH = 36


def table(outcome: Outcome) -> str:
    """The whole table, without a line break at the end."""
    return "\n".join(_lines(outcome))


def _lines(outcome: Outcome) -> Iterator[str]:
    options, tally = outcome.options, outcome.tally
    yield f"{outcome.seconds:.0f} s of {options.rate:g} requests a second through kube-apiserver"
    yield _row("replicas, seed", f"{options.replicas}, {options.seed}")
    yield _row("requests", f"{tally.requests:,}")
    yield from _counts(tally.kinds)
    yield _row("lost", str(tally.lost.total()))
    yield from _counts(tally.lost)
    yield _row("failures by cause", str(tally.failures.total()))
    yield from _counts(tally.failures)
    yield _row("wrong", str(tally.wrong.total()))
    yield from _counts(tally.wrong)
    yield _row("p50, p99, p99.9, max", _times(tally.seconds))
    yield _row("of that until sent", _times(tally.waited))
    yield _row("replacements", str(tally.replacements))
    yield _row("rotations of the certificate", str(tally.rotations))
    yield _row("hostile connections", f"{tally.hostile.total():,}")
    yield from _counts(tally.hostile)
    yield _row("calls turned away by replicas", str(tally.turned_away.total()))
    yield from _counts(tally.turned_away)
    yield _row("errors and warnings logged", str(tally.logged.total()))
    yield from _counts(tally.logged)
    yield from _processes(outcome)
    grows = "it grows" if outcome.steady.grows else "it does not" if outcome.steady.is_telling else "the run was too short to tell"
    yield f"{CRITERION}: {grows}"
    yield f"with its copies a replica had {outcome.most:.0f} MiB at most, of {POD_MIB:.0f} that a pod may have"
    yield "FAILED" if outcome.failed else "passed"


def _times(seconds: array[float]) -> str:
    times = [*(quantile(seconds, share) for share in (0.5, 0.99, 0.999)), max(seconds, default=0.0)]
    return ", ".join(f"{time * 1e3:.1f} ms" for time in times)


def _row(name: str, value: str) -> str:
    return f"  {name:{_WIDTH}} {value}"


def _counts(counts: Counter[str]) -> Iterator[str]:
    """One line each, the most frequent first."""
    return (f"    {count:>9,}  {name}" for name, count in counts.most_common() if count)


def _processes(outcome: Outcome) -> Iterator[str]:
    yield f"  {'process':{_WIDTH}} {'start':>7} {'warm':>7} {'end':>7} {'in 1000 s':>9} {'most':>7} {'files':>6} {'most':>6} {'CPU':>9}"
    processes = {**outcome.replicas, **outcome.others}
    for name, memory in processes.items():
        warm = memory.warm[0][1] if memory.warm else 0.0
        sizes = f"{memory.start:7.1f} {warm:7.1f} {memory.end:7.1f} {memory.slope * 1000:9.2f} {memory.most:7.1f}"
        told = f"{name} (stays)" if memory is outcome.steady else name
        yield f"  {told:{_WIDTH}} {sizes} {memory.files:6} {memory.most_files:6} {memory.cpu:7.1f} s"
    cores = os.cpu_count() or 1
    ours = sum(memory.cpu for memory in processes.values())
    shares = [seconds / outcome.seconds / cores for seconds in (outcome.machine, ours)]
    yield _row("machine", f"{cores} cores, {shares[0]:.0%} busy, {shares[1]:.0%} with the soak")
