"""One line per rule: the time of a hand-written function, and how many times longer the engine and other CEL engines for Python take."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from tests.programs.benchmarks.engines import OTHERS, Run, answering, installed, ours
from tests.programs.benchmarks.rules import FROM_CRDS, TYPICAL, TimedRule
from tests.programs.benchmarks.timing import Call, fastest
from weighbridge.policies.cel.values.outcome import PER_CALL_LIMIT

_ROUNDS: Final = 15
_ROUND_SECONDS: Final = 0.012
#: The aims: at most this many times the time of the hand-written function, and at least this many times faster than the fastest other
#: engine.
_MOST_BY_HAND: Final = 2.0
_LEAST_AHEAD: Final = 5.0


@dataclass(frozen=True, slots=True)
class Row:
    """One rule's seconds per call: by hand, in the engine, and in the others by column; `marks` say in which way another engine ran."""

    name: str
    by_hand: float
    engine: float
    others: dict[str, float]
    marks: dict[str, str]

    @property
    def by_hand_ratio(self) -> float:
        """How many times longer than the hand-written function the engine takes."""
        return self.engine / self.by_hand

    @property
    def ahead(self) -> float:
        """How many times longer the fastest other engine takes; infinite if no other can run the rule."""
        return min(self.others.values(), default=math.inf) / self.engine


def _prepared(rules: Iterable[TimedRule]) -> dict[str, dict[str, tuple[str, Run]]]:
    """For each rule and column, the call with which that engine runs the rule."""
    rules = list(rules)
    found: dict[str, dict[str, tuple[str, Run]]] = {timed.name: {} for timed in rules}
    for column, distribution, ways in OTHERS:
        if not installed(distribution):
            continue
        for mark, prepare in ways:
            for timed in rules:
                run = None if column in found[timed.name] else answering(timed, prepare)
                if run is not None:
                    found[timed.name][column] = (mark, run)
    return found


def measure(rules: Iterable[TimedRule]) -> Iterator[Row]:
    """Time every rule; all candidates of one rule in turns."""
    rules = list(rules)
    others = _prepared(rules)
    for timed in rules:
        arguments = (timed.value, timed.old, PER_CALL_LIMIT)
        candidates: dict[str, Call] = {"by hand": (timed.by_hand, arguments), "engine": ours(timed)}
        candidates |= {column: (run, arguments) for column, (_, run) in others[timed.name].items()}
        seconds = fastest(candidates, rounds=_ROUNDS, round_seconds=_ROUND_SECONDS)
        by_hand, engine = seconds.pop("by hand"), seconds.pop("engine")
        yield Row(timed.name, by_hand, engine, seconds, {column: mark for column, (mark, _) in others[timed.name].items()})


def _cell(row: Row, column: str) -> str:
    if column not in row.others:
        return "-"
    return f"{row.marks[column]}{row.others[column] / row.by_hand:,.0f}x"


def _mean(ratios: Iterable[float]) -> float:
    """The geometric mean."""
    logarithms = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(logarithms) / len(logarithms))


def _print_rows(rows: list[Row], columns: list[str]) -> None:
    for row in rows:
        cells = "".join(f"{_cell(row, column):>9}" for column in columns)
        print(f"  {row.name:35}{row.by_hand * 1e9:9,.0f}{row.by_hand_ratio:6.2f}x{cells}")


def _print_summary(rows: list[Row], columns: list[str]) -> None:
    cells = ""
    for column in columns:
        known = [row.others[column] / row.by_hand for row in rows if column in row.others]
        cells += f"{_mean(known):8,.0f}x" if known else f"{'-':>9}"
    print(f"  {'geometric mean':44}{_mean(row.by_hand_ratio for row in rows):6.2f}x{cells}")
    slow = [row for row in rows if row.by_hand_ratio > _MOST_BY_HAND]
    print(f"  within {_MOST_BY_HAND:g}x of the hand-written function: {len(rows) - len(slow)} of {len(rows)}")
    for row in slow:
        print(f"    not: {row.name}, {row.by_hand_ratio:.2f}x")
    if columns:
        close = [row for row in rows if row.ahead < _LEAST_AHEAD]
        print(f"  at least {_LEAST_AHEAD:g}x ahead of the fastest other engine: {len(rows) - len(close)} of {len(rows)}")
        for row in close:
            print(f"    not: {row.name}, {row.ahead:.1f}x ahead")


def main() -> None:
    """Print the table."""
    versions = {column: (distribution, installed(distribution)) for column, distribution, _ in OTHERS}
    columns = [column for column, (_, version) in versions.items() if version]
    print("CEL rules, from plain data. By hand: ns of CPU of a Python function with the same")
    print("checks and costs. The rest: times that, the least of interleaved rounds")
    for column, (distribution, version) in versions.items():
        print(f"  {column:9}{distribution} {version or 'is not installed: `uv pip install --group bench`'}")
    header = "".join(f"{column:>9}" for column in columns)
    print(f"  {'':35}{'by hand':>9}{'ours':>7}{header}")
    rows = list(measure([*TYPICAL, *FROM_CRDS]))
    _print_rows(rows, columns)
    _print_summary(rows, columns)
    print("  i: interpreted, where cel-python can't compile; -: no answer, or a wrong one")
