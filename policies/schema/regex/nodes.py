"""The nodes of a parsed regular expression, as far as Python's engine may take it over from RE2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


class NotPlainError(Exception):
    """The pattern is beyond the subset; RE2 takes it."""


@dataclass(frozen=True, slots=True)
class Chars:
    """One character of a set."""

    chars: frozenset[int]


@dataclass(frozen=True, slots=True)
class Sequence:
    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    body: Node
    least: int
    most: int | None


Node: TypeAlias = Chars | Sequence | Choice | Repeat
