"""A process that has collected tests judges mutants in forks, by the tests that reach them, and stays as it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.programs.mutants.checkout import Checkout, Outcome
from tests.programs.mutants.mutations import Mutant
from tests.programs.mutants.reached import Reached, in_order
from tests.programs.mutants.server import Server, ServerError

MODULE = "policies/ground/durations.py"
TEXT = (ROOT / MODULE).read_text()
TESTS = "tests/ground/test_durations.py"

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A copy of the checkout."""
    return Checkout(tmp_path_factory.mktemp("mutants"))


@pytest.fixture(scope="module")
def server(checkout: Checkout) -> Iterator[Server]:
    """A process that has collected one file."""
    server = Server(checkout, [TESTS])
    yield server
    server.close()


def judged(server: Server, before: str, after: str) -> Outcome:
    """The outcome of all its tests with a change."""
    assert before in TEXT
    return server.judge(MODULE, Mutant("any", 1, range(1, 2), before, after, TEXT.replace(before, after)), server.tests, 60)


def test_each_fork_begins_with_the_code_as_it_is(server: Server, checkout: Checkout) -> None:
    assert judged(server, "digits * 10 + int(digit)", "digits * 11 + int(digit)") is Outcome.FAILED
    assert judged(server, "from __future__", "\nfrom __future__") is Outcome.PASSED
    assert judged(server, "digits * 10 + int(digit)", "digits * (") is Outcome.FAILED
    assert (checkout.root / MODULE).read_text() == TEXT


def test_what_no_living_function_has_is_left_to_a_new_process(server: Server) -> None:
    assert judged(server, "1_000", "1_001") is Outcome.BROKEN


def test_what_tests_reach_is_known_line_by_line(server: Server, tmp_path: Path) -> None:
    assert server.reach(server.tests, Reached(tmp_path).new_file())
    reached = Reached(tmp_path)
    assert set(reached.seconds) == set(server.tests)
    assert all(map(reached.passed, server.tests))
    lines = reached.by_line([MODULE], server.tests)[MODULE]
    refused = {test for tests in lines.values() for test in tests if "refused" in test}
    assert refused
    # Each test reaches some lines, and none reaches all.
    assert {test for tests in lines.values() for test in tests} == set(server.tests)
    assert min(len(tests) for tests in lines.values()) < len(server.tests)
    assert reached.by_line([MODULE], [])[MODULE] == {}


def test_a_few_tests_of_each_file_come_first() -> None:
    seconds = {"a/x::1": 3.0, "a/x::2": 1.0, "a/x::3": 2.0, "b/y::1": 9.0, "c/z::1": 0.5}
    assert in_order(seconds, seconds, ["b"], first=1) == ["b/y::1", "c/z::1", "a/x::2", "a/x::3", "a/x::1"]


def test_a_process_that_collects_nothing_is_an_error(checkout: Checkout) -> None:
    with pytest.raises(ServerError, match="pytest ended with"):
        Server(checkout, ["tests/nothing.py"])
