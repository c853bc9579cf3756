"""Random choices drawn from hypothesis, so that a seed repeats them and a search can steer them.

A thin layer over a draw function: the strategies of this folder ask for many small choices, and a new strategy for each would cost more
than the choice.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

T = TypeVar("T")


@cache
def _integers(least: int, most: int) -> SearchStrategy[int]:
    return st.integers(least, most)


@cache
def _matching(pattern: str) -> SearchStrategy[str] | None:
    """Texts that match a pattern of the schema, `None` if Python can't read it."""
    try:
        with warnings.catch_warnings():
            # Python reads `[[:alpha:]]` as another class than Go. A text that doesn't match then is one more broken value.
            warnings.simplefilter("ignore", FutureWarning)
            compiled = re.compile(pattern, re.ASCII)
    except re.error:
        return None
    return st.from_regex(compiled, alphabet=st.characters(min_codepoint=32, max_codepoint=126))


class Dice:
    """The choices of one example."""

    def __init__(self, draw: DrawFn) -> None:
        self._draw = draw

    def number(self, least: int, most: int) -> int:
        """A whole number between the two, both possible."""
        return least if least >= most else self._draw(_integers(least, most))

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.number(0, len(options) - 1)]

    def chance(self, percent: int) -> bool:
        """True in this percentage of the examples."""
        return self.number(0, 99) >= 100 - percent

    def some(self, options: Sequence[T], most: int) -> list[T]:
        """A few different ones of the options, in their order."""
        wanted = self.number(0, min(most, len(options)))
        chosen: set[int] = set()
        while len(chosen) < wanted:
            chosen.add(self.number(0, len(options) - 1))
        return [options[index] for index in sorted(chosen)]

    def matching(self, pattern: str) -> str | None:
        """A text that matches a pattern; `None` if none can be generated."""
        strategy = _matching(pattern)
        return None if strategy is None else self._draw(strategy)
