"""Draws mutants and judges them: a mutant is killed if one of its tests fails or never ends."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from queue import SimpleQueue
from typing import Final, TypeVar

from tests.conftest import ROOT
from tests.programs.mutants.checkout import CODE, Checkout, Outcome
from tests.programs.mutants.equivalents import Equivalent, is_equivalent
from tests.programs.mutants.mutations import Mutant, mutants
from tests.programs.mutants.responsible import responsible_tests

#: The least share of mutants that tests must notice.
FLOOR: Final = 0.92
_Each = TypeVar("_Each")
_Result = TypeVar("_Result")


class SampleError(Exception):
    """The sample can't be judged."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A mutant of a module."""

    module: str
    mutant: Mutant


@dataclass(slots=True)
class Tally:
    """The result of a sample."""

    killed: int = 0
    timed_out: list[Drawn] = field(default_factory=list)
    equivalent: list[Drawn] = field(default_factory=list)
    survived: list[Drawn] = field(default_factory=list)

    @property
    def counted(self) -> int:
        """How many mutants count: all but the equivalent ones."""
        return self.killed + len(self.timed_out) + len(self.survived)

    @property
    def rate(self) -> float:
        """The share of mutants that tests notice; 1 if none counts."""
        return 1 - len(self.survived) / self.counted if self.counted else 1.0

    @property
    def is_enough(self) -> bool:
        """Whether the tests notice as many as they should."""
        return self.rate >= FLOOR


def draw(seed: int, count: int, below: Iterable[str] = CODE, kind: str | None = None) -> list[Drawn]:
    """A sample of the mutants of the modules below some paths, with equally many of each kind, or all of one kind, in the order of the
    modules.
    """
    by_kind: dict[str, list[Drawn]] = defaultdict(list)
    for module in _modules(below):
        for mutant in mutants((ROOT / module).read_text(encoding="utf-8")):
            if kind is None or mutant.kind == kind:
                by_kind[mutant.kind].append(Drawn(module, mutant))
    chance = random.Random(seed)
    shuffled = (chance.sample(by_kind[kind], len(by_kind[kind])) for kind in sorted(by_kind))
    in_turn = (drawn for turn in zip_longest(*shuffled) for drawn in turn if drawn is not None)
    return sorted(islice(in_turn, count), key=lambda drawn: (drawn.module, drawn.mutant.line, drawn.mutant.after))


def _modules(below: Iterable[str]) -> Iterator[str]:
    for path in below:
        at = ROOT / path
        if not at.exists():
            raise SampleError(f"there is no {path} in this checkout: name folders or modules of {', '.join(CODE)}")
        files = [at] if at.is_file() else sorted(at.rglob("*.py"))
        yield from (str(file.relative_to(ROOT)) for file in files)


def check_tests(sample: Iterable[Drawn], checkouts: Sequence[Checkout], seconds: float) -> None:
    """Raise SampleError if tests fail without any mutant, since they would then seem to notice all mutants."""
    # A file of tests that many modules share is run once.
    found = sorted({path for drawn in sample for path in responsible_tests(drawn.module)})
    for path, (outcome, said) in _at_once(found, lambda path, checkout: checkout.run([path], seconds), checkouts):
        if outcome is not Outcome.PASSED:
            raise SampleError(f"{path}: {outcome} without a mutant:\n{said}")


def judge(
    sample: Iterable[Drawn], checkouts: Sequence[Checkout], known: list[Equivalent], seconds: float, told: Callable[[Drawn, str], None]
) -> Tally:
    """Run the tests of each mutant, on as many at once as there are copies; `told` is called with the outcome of each."""

    def run(drawn: Drawn, checkout: Checkout) -> tuple[Outcome, str]:
        with checkout.changed(drawn.module, drawn.mutant.text):
            return checkout.run(responsible_tests(drawn.module), seconds)

    tally, judged = Tally(), []
    for drawn in sample:
        if is_equivalent(drawn.module, drawn.mutant, known):
            tally.equivalent.append(drawn)
            told(drawn, "equivalent")
        else:
            judged.append(drawn)
    for drawn, (outcome, said) in _at_once(judged, run, checkouts):
        match outcome:
            case Outcome.FAILED:
                tally.killed += 1
            case Outcome.TIMED_OUT:
                tally.timed_out.append(drawn)
            case Outcome.PASSED:
                tally.survived.append(drawn)
            case Outcome.BROKEN:
                raise SampleError(f"{drawn.module}:{drawn.mutant.line}: pytest broke off:\n{said}")
        told(drawn, "survived" if outcome is Outcome.PASSED else "killed")
    return tally


def _at_once(
    each: Sequence[_Each], run: Callable[[_Each, Checkout], _Result], checkouts: Sequence[Checkout]
) -> Iterator[tuple[_Each, _Result]]:
    """The result of `run` for each, in order. Each run has a copy of the checkout to itself."""
    free: SimpleQueue[Checkout] = SimpleQueue()
    for checkout in checkouts:
        free.put(checkout)

    def with_a_copy(one: _Each) -> _Result:
        checkout = free.get()
        try:
            return run(one, checkout)
        finally:
            free.put(checkout)

    with ThreadPoolExecutor(len(checkouts)) as pool:
        try:
            yield from zip(each, pool.map(with_a_copy, each), strict=True)
        finally:
            pool.shutdown(cancel_futures=True)
