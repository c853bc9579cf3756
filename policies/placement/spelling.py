"""Which of the names that are there a user may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def closest(word: str, words: Iterable[str]) -> str:
    """The word that differs least: in case only, then in what stands before the slash, then in a few letters; empty where none does."""
    known = sorted(words)
    for same in (str.casefold, lambda text: text.rpartition("/")[2].casefold()):
        alike = [found for found in known if same(found) == same(word)]
        if alike:
            return alike[0]
    return next(iter(difflib.get_close_matches(word, known, n=1, cutoff=0.75)), "")
