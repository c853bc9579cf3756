"""A judged sample as text: the survivors as changes of their lines, and the rate."""

from __future__ import annotations

from collections.abc import Iterator

from tests.programs.mutants.sample import FLOOR, Drawn, Tally


def place(drawn: Drawn) -> str:
    """The place of a mutant, and its kind."""
    return f"{drawn.module}:{drawn.mutant.line}: {drawn.mutant.kind}"


def change(drawn: Drawn) -> str:
    """The line before and after."""
    return f"  - {drawn.mutant.before}\n  + {drawn.mutant.after}"


def table(tally: Tally, seed: int) -> str:
    """The survivors, those that never ended, and the rate."""
    return "\n".join(_lines(tally, seed))


def _lines(tally: Tally, seed: int) -> Iterator[str]:
    for drawn in tally.survived:
        yield place(drawn)
        yield from change(drawn).splitlines()
    for drawn in tally.timed_out:
        yield f"{place(drawn)}: counted as killed, since its tests didn't end in time"
    verdict = "enough" if tally.is_enough else "too few"
    yield (
        f"{tally.rate:.1%} of {tally.counted} mutants killed ({FLOOR:.0%} wanted: {verdict}), {len(tally.survived)} survived, "
        f"{len(tally.equivalent)} equivalent; --seed {seed} draws them again"
    )
