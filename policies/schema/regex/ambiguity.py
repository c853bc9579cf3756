"""Whether a backtracking search of a regular expression is linear, decided on its position automaton.

If no text has two ways to reach the same position, a backtracking matcher visits each pair of text offset and position at most once.
Methods: Glushkov's construction; Book, Even, Greibach, Ott, "Ambiguity in graphs and expressions" (1971).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from weighbridge.policies.schema.regex.nodes import Chars, Choice, Node, NotPlainError, Repeat, Sequence

_MAX_POSITIONS: Final = 160
_MAX_PAIRS: Final = 5_000


@dataclass(slots=True)
class _Piece:
    """What Glushkov's construction knows of a node: whether it matches nothing, and the positions that begin and end it."""

    nullable: bool
    first: list[int]
    last: list[int]


class _Automaton:
    """Positions and what may follow each. Two ways to the same successor are an ambiguity at once."""

    __slots__ = ("chars", "follow")

    def __init__(self) -> None:
        self.chars: list[frozenset[int]] = []
        self.follow: list[set[int]] = []

    def build(self, node: Node) -> _Piece:
        match node:
            case Chars(chars):
                if len(self.chars) >= _MAX_POSITIONS:
                    raise NotPlainError
                self.chars.append(chars)
                self.follow.append(set())
                position = len(self.chars) - 1
                return _Piece(nullable=False, first=[position], last=[position])
            case Sequence(parts):
                return self._sequence(self.build(part) for part in parts)
            case Choice(branches):
                return self._choice([self.build(branch) for branch in branches])
            case Repeat(body, least, most):
                return self._repeat(body, least, most)

    def _link(self, sources: list[int], targets: list[int]) -> None:
        for source, target in product(sources, targets):
            if target in self.follow[source]:
                raise NotPlainError
            self.follow[source].add(target)

    def _sequence(self, pieces: Iterator[_Piece]) -> _Piece:
        whole = _Piece(nullable=True, first=[], last=[])
        for piece in pieces:
            self._link(whole.last, piece.first)
            whole = _Piece(
                whole.nullable and piece.nullable,
                whole.first + piece.first if whole.nullable else whole.first,
                whole.last + piece.last if piece.nullable else piece.last,
            )
        return whole

    def _choice(self, pieces: list[_Piece]) -> _Piece:
        if sum(piece.nullable for piece in pieces) > 1:
            raise NotPlainError
        return _Piece(
            any(piece.nullable for piece in pieces),
            [position for piece in pieces for position in piece.first],
            [position for piece in pieces for position in piece.last],
        )

    def _repeat(self, body: Node, least: int, most: int | None) -> _Piece:
        """Counted repeats as copies: the required ones in a row, the optional ones each inside the one before."""
        copies = [self._solid(body) for _ in range(least)]
        if most is None:
            loop = copies.pop() if copies else self._solid(body)
            self._link(loop.last, loop.first)
            return self._sequence(iter([*copies, _Piece(least == 0, loop.first, loop.last)]))
        optional = _Piece(nullable=True, first=[], last=[])
        for _ in range(most - least):
            piece = self._solid(body)
            self._link(piece.last, optional.first)
            optional = _Piece(nullable=True, first=piece.first, last=piece.last + optional.last)
        return self._sequence(iter([*copies, optional]))

    def _solid(self, body: Node) -> _Piece:
        """A copy of a repeat's body, which mustn't match nothing."""
        piece = self.build(body)
        if piece.nullable:
            raise NotPlainError
        return piece


def require_unambiguous(alternatives: list[Node]) -> None:
    """Raise `NotPlainError` unless every text has at most one way to each position of the alternatives.

    Every two positions that one text can reach are followed; their ways must never meet again.
    """
    automaton = _Automaton()
    start = automaton.build(Choice(tuple(alternatives)) if len(alternatives) > 1 else alternatives[0])
    pending: list[tuple[int, int]] = []
    for origin in (set(start.first), *automaton.follow):
        pending.extend(combinations(sorted(origin), 2))
    seen: set[tuple[int, int]] = set()
    while pending:
        pair = pending.pop()
        one, other = pair
        if pair in seen or not automaton.chars[one] & automaton.chars[other]:
            continue
        seen.add(pair)
        if len(seen) > _MAX_PAIRS or not automaton.follow[one].isdisjoint(automaton.follow[other]):
            raise NotPlainError
        for first, second in product(automaton.follow[one], automaton.follow[other]):
            pending.append((min(first, second), max(first, second)))
