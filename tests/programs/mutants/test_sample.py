"""A sample is drawn from a seed, judged by the tests of its modules, and reported with its rate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import cast

import pytest

from tests.conftest import ROOT
from tests.programs.mutants.checkout import CODE, Checkout, Outcome
from tests.programs.mutants.equivalents import Equivalent, known_equivalents
from tests.programs.mutants.mutations import Mutant, mutants
from tests.programs.mutants.responsible import TESTS, responsible_tests
from tests.programs.mutants.sample import Drawn, SampleError, Tally, check_tests, draw, judge
from tests.programs.mutants.table import table

MODULE = "policies/ground/spelling.py"


class Scripted:
    """A copy of the checkout in which the inserted text decides the outcome of the tests."""

    def __init__(self, outcomes: dict[str, Outcome]) -> None:
        self._outcomes = outcomes
        self._text = ""
        self.ran: list[tuple[str, ...]] = []

    @contextmanager
    def changed(self, module: str, text: str) -> Iterator[None]:
        self._text = text
        yield
        self._text = ""

    def run(self, tests: Sequence[str], seconds: float) -> tuple[Outcome, str]:
        self.ran.append(tuple(tests))
        return self._outcomes.get(self._text, Outcome.PASSED), "said"


def a_mutant(text: str, line: int = 1) -> Drawn:
    return Drawn(MODULE, Mutant("comparison", line, range(line, line + 1), f"{text} before", f"{text} after", text))


def judged(outcomes: dict[str, Outcome], *sample: Drawn, known: list[Equivalent] | None = None) -> Tally:
    return judge(sample, [cast(Checkout, Scripted(outcomes)) for _ in range(2)], known or [], 1, lambda *_: None)


def test_a_seed_draws_the_same_sample_of_all_kinds() -> None:
    sample = draw(5, 12, ["policies/facts/selectors.py", "policies/ground/quantity.py"])
    assert sample == draw(5, 12, ["policies/facts/selectors.py", "policies/ground/quantity.py"])
    assert sample != draw(6, 12, ["policies/facts/selectors.py", "policies/ground/quantity.py"])
    assert len(sample) == 12
    assert len({drawn.mutant.kind for drawn in sample}) == 6


def test_a_path_that_is_not_there_is_named() -> None:
    with pytest.raises(SampleError, match=r"there is no policies/nothing\.py"):
        draw(1, 1, ["policies/nothing.py"])


def test_a_mutant_is_killed_by_a_failure_and_by_tests_without_an_end() -> None:
    tally = judged({"a": Outcome.FAILED, "b": Outcome.TIMED_OUT, "c": Outcome.PASSED}, a_mutant("a"), a_mutant("b"), a_mutant("c", 7))
    assert (tally.killed, len(tally.timed_out), len(tally.survived)) == (1, 1, 1)
    assert tally.rate == pytest.approx(2 / 3)
    assert not tally.is_enough
    assert table(tally, 9).splitlines() == [
        f"{MODULE}:7: comparison",
        "  - c before",
        "  + c after",
        f"{MODULE}:1: comparison: counted as killed, since its tests didn't end in time",
        "66.7% of 3 mutants killed (92% wanted: too few), 1 survived, 0 equivalent; --seed 9 draws them again",
    ]


@pytest.mark.parametrize(("survivors", "enough"), [(0, True), (8, True), (9, False)])
def test_the_rate_decides(survivors: int, enough: bool) -> None:
    tally = Tally(killed=100 - survivors, survived=[a_mutant("a")] * survivors)
    assert tally.is_enough is enough


def test_an_equivalent_change_does_not_count() -> None:
    known = [Equivalent(MODULE, "a before", "a after", "it is the same")]
    tally = judged({}, a_mutant("a"), known=known)
    assert (len(tally.equivalent), tally.counted, tally.rate) == (1, 0, 1.0)
    assert len(judged({}, a_mutant("b"), known=known).survived) == 1


def test_tests_that_fail_by_themselves_judge_nothing() -> None:
    checkout = Scripted({"": Outcome.FAILED})
    with pytest.raises(SampleError, match="failed without a mutant:\nsaid"):
        check_tests([a_mutant("a")], [cast(Checkout, checkout)], 1)
    assert checkout.ran == [(min(responsible_tests(MODULE)),)]


def test_each_file_of_tests_is_tried_once() -> None:
    checkout = Scripted({})
    check_tests([a_mutant("a"), a_mutant("b")], [cast(Checkout, checkout)], 1)
    assert checkout.ran == [(path,) for path in sorted(responsible_tests(MODULE))]


def test_a_run_that_breaks_off_judges_nothing() -> None:
    with pytest.raises(SampleError, match=rf"{MODULE}:1: pytest broke off"):
        judged({"a": Outcome.BROKEN}, a_mutant("a"))


def test_every_module_has_tests_that_are_there() -> None:
    modules = [str(path.relative_to(ROOT)) for folder in CODE for path in (ROOT / folder).rglob("*.py")]
    assert all(responsible_tests(module) for module in modules)
    assert [path for tests in TESTS.values() for path in tests if not (ROOT / path).exists()] == []
    assert [path for path in TESTS if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("known", known_equivalents(), ids=lambda known: known.before)
def test_what_is_known_as_equivalent_is_still_a_change_of_the_code(known: Equivalent) -> None:
    assert known.why
    found = mutants((ROOT / known.module).read_text(encoding="utf-8"))
    assert (known.before, known.after) in {(mutant.before, mutant.after) for mutant in found}
