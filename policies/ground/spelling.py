"""Finds the existing name that a user may have meant."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from typing import Final

#: How many words of one object are compared with others: an object with more unknown words isn't a matter of spelling.
MOST_SEARCHED: Final = 20
#: A word isn't compared with more others than this, but with the two hundred that begin most like it.
_MANY: Final = 500
_MOST_COMPARED: Final = 200


def closest(word: str, words: Iterable[str]) -> str:
    """The word that differs least: in case only, else in the part before the slash, else in a few letters; empty if there is none.

    >>> closest("criticallity", ["criticality", "modelName"])
    'criticality'
    >>> closest("weight", ["criticality", "modelName"])
    ''
    """
    known = sorted(words)
    for same in (str.casefold, lambda text: text.rpartition("/")[2].casefold()):
        alike = [found for found in known if same(found) == same(word)]
        if alike:
            return alike[0]
    return next(iter(close_matches(word, known, n=1, cutoff=0.75)), "")


def similar(word: str, words: Collection[str], *, otherwise: int = 0) -> str:
    """The word with the most letters in common; if none has many, the first `otherwise` of the words.

    >>> similar("lama", ["llama", "qwen"])
    'llama'
    >>> similar("x", ["qwen", "llama", "phi"], otherwise=2)
    'llama, phi'
    """
    return ", ".join(close_matches(word, words, n=1) or sorted(words)[:otherwise])


class Similar:
    """Finds similar names for the words of one object; only the first `MOST_SEARCHED` words are compared.

    Otherwise an author's two long lists would take as many comparisons as their product.
    """

    __slots__ = ("_left", "_words")

    def __init__(self, words: Collection[str] = ()) -> None:
        self._words, self._left = words, MOST_SEARCHED

    def to(self, word: str, words: Collection[str] | None = None, *, otherwise: int = 0) -> str:
        """As `similar`, of other words if they are given."""
        if not self.may_search():
            return ""
        return similar(word, self._words if words is None else words, otherwise=otherwise)

    def may_search(self) -> bool:
        """Whether one more word may be compared."""
        self._left -= 1
        return self._left >= 0


def is_within(word: str, other: str, edits: int) -> bool:
    """Whether at most `edits` letters have to be inserted, removed or replaced to turn one word into the other."""
    if abs(len(word) - len(other)) > edits:
        return False
    before = list(range(len(other) + 1))
    for at, letter in enumerate(word, start=1):
        row = [at]
        for place, wanted in enumerate(other):
            row.append(min(row[-1] + 1, before[place + 1] + 1, before[place] + (letter != wanted)))
        before = row
    return before[-1] <= edits


def listed(names: Sequence[str], *, most: int = 3) -> str:
    """The first few names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def amount(count: int, noun: str, plural: str = "") -> str:
    """A number with its noun: ``1 GPU``, ``2 GPUs``, and ``2 entries`` where the plural is given."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def close_matches(word: str, words: Iterable[str], *, n: int, cutoff: float = 0.6) -> list[str]:
    """As `difflib.get_close_matches`, of the nearby words.

    The letters that two words share bound their similarity. Most words are passed over by that, and the sequence of their letters isn't
    compared.
    """
    # Imported when it is needed, as is difflib.
    from weighbridge.policies.ground.letters import letters_of

    nearby, length, letters = _nearby(word, list(words)), len(word), letters_of(word)
    bounds = [(2.0 * (letters & letters_of(other)).bit_count() / both if (both := length + len(other)) else 1.0, other) for other in nearby]
    possible = sorted((bound for bound in bounds if bound[0] >= cutoff), reverse=True)
    if not possible:
        return []
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, "", word)
    best: list[tuple[float, str]] = []
    for bound, other in possible:
        if len(best) == n and bound < best[-1][0]:
            break
        matcher.set_seq1(other)
        ratio = matcher.ratio()
        if ratio >= cutoff:
            best = sorted([*best, (ratio, other)], reverse=True)[:n]
    return [other for _, other in best]


def _nearby(word: str, words: list[str]) -> list[str]:
    """The words that a word is compared with: all of them, or of more than five hundred those that begin most like it."""
    if len(words) <= _MANY:
        return words
    words.sort()
    at = bisect_left(words, word)
    return words[max(0, at - _MOST_COMPARED // 2) : at + _MOST_COMPARED // 2]
