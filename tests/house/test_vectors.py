"""A gate misses no vector: what is counted, and what is said of too few."""

from __future__ import annotations

from tests.house.vectors import EXPECTED, too_few

ALL = {name: (number, number) for name, number in EXPECTED.items()}


def test_as_many_as_expected_and_more_are_enough() -> None:
    assert list(too_few(ALL)) == []
    assert list(too_few(ALL | {"default": (99, 99), "new": (1, 1)})) == []


def test_a_file_with_fewer_and_one_that_never_ran_are_named() -> None:
    without = {name: counts for name, counts in ALL.items() if name != "prune"}
    assert list(too_few(without | {"default": (12, 13)})) == ["default: 12 of 13", "prune: 0 of 69"]
