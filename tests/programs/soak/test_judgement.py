"""What the soak counts as lost, as wrong and as growing. A soak that can't fail would be useless."""

from __future__ import annotations

import os
from collections.abc import Callable

import orjson
import pytest

from tests.programs.soak.api import Answer
from tests.programs.soak.memory import Memory
from tests.programs.soak.run import Options, Outcome
from tests.programs.soak.table import table
from tests.programs.soak.tally import Tally, cause
from tests.programs.soak.workload import Expected

_URL = 'Post "https://127.0.0.1:40123/validate?timeout=3s"'


def _memory(resident: Callable[[int], float]) -> Memory:
    """An hour of samples, one every 5 s."""
    return Memory(os.getpid(), [(float(second), resident(second)) for second in range(0, 3600, 5)])


@pytest.mark.parametrize(
    ("resident", "grows"),
    [
        (lambda _: 110.0, False),
        (lambda second: 90.0 + min(second, 300) / 10, False),
        (lambda second: 110.0 + second % 60 / 4, False),
        (lambda second: 110.0 + second / 600, False),
        (lambda second: 110.0 + second / 100, True),
        (lambda second: 400.0 + second / 100, False),
        (lambda second: 110.0 - second / 100, False),
    ],
    ids=["flat", "warms up", "comes and goes", "6 MiB", "36 MiB", "36 of 400 MiB", "shrinks"],
)
def test_memory_grows_when_its_line_rises_for_good(resident: Callable[[int], float], grows: bool) -> None:
    assert _memory(resident).grows is grows


def test_of_a_short_run_growth_is_not_told() -> None:
    samples = [(float(second), 100.0 + second) for second in range(0, 300, 5)]
    assert not Memory(os.getpid(), samples).grows
    assert Memory(os.getpid(), [(3 * second, resident) for second, resident in samples]).grows


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        (f'failed calling webhook "mutate.llmkube.weighbridge.dev": failed to call webhook: {_URL}: EOF', "mutate: EOF"),
        (
            f'failed calling webhook "validate.llmkube.weighbridge.dev": failed to call webhook: {_URL}: dial tcp 127.0.0.1:9',
            "validate: dial tcp N",
        ),
        ("", "no message"),
    ],
)
def test_failures_of_one_kind_have_one_cause(message: str, wanted: str) -> None:
    assert cause(message) == wanted


@pytest.mark.parametrize(
    ("status", "body", "warnings", "fault"),
    [
        (201, {"spec": {"a": 1}}, ["299 - GIE-002 no pool"], ""),
        (201, {"spec": {"a": 2}}, ["299 - GIE-002 no pool"], "spec.a isn't what it has to be: 2"),
        (201, {"spec": {}}, ["299 - GIE-002 no pool"], "spec.a isn't what it has to be: None"),
        (201, {"spec": {"a": 1}}, [], "no warning GIE-002"),
        (403, {"message": "denied"}, [], "403 in place of 201: denied"),
        (500, {"message": "EOF"}, [], "500 in place of 201: EOF"),
    ],
)
def test_answer_that_is_not_as_expected_is_a_fault(status: int, body: dict[str, object], warnings: list[str], fault: str) -> None:
    expected = Expected(201, {("spec", "a"): 1}, warning="GIE-002")
    assert expected.fault(Answer(status, orjson.dumps(body), tuple(warnings))) == fault


@pytest.mark.parametrize("what", ["nothing", "lost", "failed", "wrong", "grown", "too much"])
def test_soak_fails_by_what_is_lost_wrong_or_grown(what: str) -> None:
    tally = Tally()
    tally.answered("create", 0.01)
    if what == "lost":
        tally.was_lost("create", "the API server gave no answer")
    elif what == "failed":
        tally.answered_wrongly("create", 0.01, Answer(500, b'{"message": "EOF"}'), "500 in place of 201: EOF")
    elif what == "wrong":
        tally.answered_wrongly("create", 0.01, Answer(403, b'{"message": "denied"}'), "403 in place of 201: denied")
    memory = _memory(lambda second: 110.0 + (second / 50 if what == "grown" else 0))
    memory.most = 1025.0 if what == "too much" else 1000.0
    outcome = Outcome(Options(), tally, 3600.0, {"replica 1": memory}, {}, 100.0)
    assert outcome.failed is (what != "nothing")
    assert table(outcome).endswith("passed" if what == "nothing" else "FAILED")
