"""Mutants are put into a copy: tests see them there, and the checkout stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.programs.mutants.checkout import Checkout, Outcome

MODULE = "policies/ground/durations.py"
TESTS = ("tests/ground/test_durations.py",)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A copy of the checkout."""
    return Checkout(tmp_path_factory.mktemp("mutants"))


@pytest.mark.timeout(600)
def test_a_changed_copy_fails_its_tests_and_is_mended_afterwards(checkout: Checkout) -> None:
    original = (ROOT / MODULE).read_bytes()
    assert checkout.run(TESTS, 300)[0] is Outcome.PASSED
    changed = original.decode().replace("1_000", "1_001")
    assert changed != original.decode()
    with checkout.changed(MODULE, changed):
        assert checkout.run(TESTS, 300)[0] is Outcome.FAILED
    assert (checkout.root / MODULE).read_bytes() == original == (ROOT / MODULE).read_bytes()


@pytest.mark.timeout(600)
def test_a_module_that_cannot_be_imported_fails_its_tests(checkout: Checkout) -> None:
    with checkout.changed(MODULE, "raise ValueError\n"):
        assert checkout.run(TESTS, 300)[0] is Outcome.FAILED


def test_tests_without_an_end_are_cut_off(checkout: Checkout) -> None:
    assert checkout.run(TESTS, 0.01)[0] is Outcome.TIMED_OUT


def test_a_test_that_is_not_there_judges_nothing(checkout: Checkout, tmp_path: Path) -> None:
    outcome, said = checkout.run((str(tmp_path / "test_nothing.py"),), 300)
    assert outcome is Outcome.BROKEN
    assert "test_nothing.py" in said
