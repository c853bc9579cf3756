"""Draws many examples of a strategy from a seed, with hypothesis' generator but without its checks.

hypothesis tests by examples one at a time; here they are collected first, so that they can be sent many at a time.
"""

from __future__ import annotations

from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

T = TypeVar("T")


def examples(strategy: SearchStrategy[T], count: int, start: int) -> list[T]:
    """A number of examples, always the same for the same `start`; fewer if the strategy has no more."""
    found: list[T] = []

    @seed(start)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        derandomize=False,
    )
    @given(strategy)
    def collect(example: T) -> None:
        found.append(example)

    collect()
    return found[:count]
