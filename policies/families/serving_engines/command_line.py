"""A command line as its engine reads it: its flags with their values, and the words that the engine can't read.

`read` never fails: a word at which the engine would stop becomes a `Problem`, and reading goes on after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from weighbridge.policies.families.serving_engines.flags import Flag, FlagTable, Repeats, Style
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.spelling import MOST_SEARCHED

#: The words that argparse takes as values though they begin with a hyphen.
_NEGATIVE: Final = expression(r"-\d+|-\d*\.\d+")
#: vLLM's way to give a part of a flag's JSON: ``--flag.key value``, or ``-cc.key+ value`` with a short name and for an element of a list.
_DOTTED: Final = expression(r"(--?[A-Za-z][A-Za-z0-9_-]*)\.([^=]+)")
#: A flag of one letter with a number right after it, such as ``-O3``.
_ATTACHED: Final = expression(r"(-[A-Za-z])([0-9]+)")


class Trouble(StrEnum):
    """What an engine can't read."""

    UNKNOWN = "unknown"
    NO_VALUE = "no value"
    JOINED = "joined"
    SPACED = "spaced"
    NOT_TAKEN = "not taken"
    STRAY = "stray"


@dataclass(frozen=True, slots=True)
class GivenFlag:
    """One use of a flag: how it is written, its values, its place among the arguments, and of vLLM the part of the flag's JSON that it
    gives (``key``, or ``key+`` for an element of a list).
    """

    flag: Flag
    written: str
    values: tuple[str, ...]
    at: int
    part: str = ""

    @property
    def value(self) -> str:
        """The values as one text; of a switch ``true`` or ``false``."""
        if self.values:
            return " ".join(self.values)
        return "false" if self.written in self.flag.opposites else "true"

    @property
    def name(self) -> str:
        """The flag as it is written, with the part that it gives."""
        return f"{self.written}.{self.part}" if self.part else self.written

    def adds_to(self, other: GivenFlag) -> bool:
        """Whether both count, since they give different parts of one JSON, or elements of one list."""
        is_same = self.written == other.written and bool(self.part and other.part)
        return is_same and (self.part != other.part or self.part.endswith("+"))


@dataclass(frozen=True, slots=True)
class Problem:
    """A word that the engine can't read, and its place among the arguments. `nearest` is the flag that may be meant."""

    trouble: Trouble
    word: str
    at: int
    nearest: str = ""


@dataclass(slots=True)
class CommandLine:
    """An engine's arguments as it reads them; `words` are those that belong to no flag, each with its place."""

    table: FlagTable
    given: list[GivenFlag] = field(default_factory=list)
    words: list[tuple[int, str]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def all_of(self, flag: Flag | None) -> list[GivenFlag]:
        """Every use of a flag, in order."""
        return [given for given in self.given if given.flag is flag] if flag is not None else []

    def final(self, meaning: str) -> GivenFlag | None:
        """The setting that the engine uses, by its meaning; `None` if the line doesn't set it, or the engine has no such flag."""
        flag = self.table.named(meaning)
        if flag is not None:
            for given in reversed(self.given):
                if given.flag is flag:
                    return given
        return None

    def number(self, meaning: str) -> int | None:
        """The whole number that the engine uses, by its meaning; `None` if there is none."""
        found = self.final(meaning)
        value = found.value if found is not None else ""
        return int(value) if re.fullmatch(r"[+-]?[0-9]{1,18}", value) else None

    def overridden(self) -> Iterator[tuple[GivenFlag, GivenFlag]]:
        """Each setting that is overridden, with the later one that overrides it."""
        # vLLM puts the JSON that it collects from parts behind all other arguments.
        last = {given.flag.name: given for given in sorted(self.given, key=lambda given: bool(given.part))}
        for given in self.given:
            winner = last[given.flag.name]
            if not given.flag.all_count and winner is not given and not given.adds_to(winner):
                yield given, winner

    @property
    def stops_at_repeats(self) -> bool:
        """Whether the engine doesn't start with a flag that is written twice."""
        return self.table.repeats is Repeats.REFUSED


def read(table: FlagTable, args: Sequence[str]) -> CommandLine:
    """The settings that the engine reads from its arguments."""
    line = CommandLine(table)
    at = 0
    while at < len(args):
        at = _word(line, args, at)
    return line


def _word(line: CommandLine, args: Sequence[str], at: int) -> int:
    """Read the word at a place and its values; return the place after them."""
    word = args[at]
    if not _is_flag(line.table, word):
        line.words.append((at, word))
        if not line.table.first_word or len(line.words) > 1:
            line.problems.append(Problem(Trouble.STRAY, word, at))
        return at + 1
    name, part, equals, value = _divided(line.table, word)
    written = line.table.full_name(name)
    flag = line.table.by_name.get(written)
    if flag is None:
        line.problems.append(_unknown(line, word, at))
        return _after_values(line.table, args, at + 1)
    if equals:
        if flag.is_switch:
            line.problems.append(Problem(Trouble.NOT_TAKEN, word, at, flag.name))
        line.given.append(GivenFlag(flag, written, (value,), at, part))
        return at + 1
    values = _values(line.table, flag, args, at + 1)
    if len(values) < flag.least:
        line.problems.append(Problem(Trouble.NO_VALUE, word, at))
    else:
        line.given.append(GivenFlag(flag, written, tuple(values), at, part))
    return at + 1 + len(values)


def _is_flag(table: FlagTable, word: str) -> bool:
    if table.style is Style.LLAMA_CPP:
        return word.startswith("-") or not table.first_word
    return len(word) > 1 and word.startswith("-") and not _NEGATIVE.fullmatch(word)


def _divided(table: FlagTable, word: str) -> tuple[str, str, str, str]:
    """The flag of a word, the part of the flag's JSON, the separator and the value. For llama.cpp the whole word is the flag."""
    if table.style is Style.LLAMA_CPP:
        return word, "", "", ""
    name, equals, value = word.partition("=")
    if name in table.by_name:
        return name, "", equals, value
    attached, dotted = _ATTACHED.fullmatch(word), _DOTTED.fullmatch(name)
    if attached is not None and attached[1] in table.by_name:
        return attached[1], "", "=", attached[2]
    return (dotted[1], dotted[2], equals, value) if dotted is not None else (name, "", equals, value)


def _values(table: FlagTable, flag: Flag, args: Sequence[str], start: int) -> list[str]:
    """The words after a flag that are its values."""
    found: list[str] = []
    if table.style is Style.LLAMA_CPP and flag.least == flag.most:
        # The parser would take the next flag as the value, which the author can't mean.
        for word in args[start : start + flag.most]:
            if word in table.by_name:
                break
            found.append(word)
        return found
    for word in args[start : start + flag.most]:
        if word.startswith("-") and len(word) > 1 and not _NEGATIVE.fullmatch(word):
            break
        found.append(word)
    return found


def _after_values(table: FlagTable, args: Sequence[str], start: int) -> int:
    """The place after an unknown flag and what looks like its value."""
    if start < len(args) and not args[start].startswith("-") and " " not in args[start - 1] and "=" not in args[start - 1]:
        return start + 1
    return start


def _unknown(line: CommandLine, word: str, at: int) -> Problem:
    """The problem with a word that is no known flag: it has a value in the same word, or the engine has no flag of that name."""
    table = line.table
    name, space, _ = word.partition(" ")
    if space and table.find(name) is not None:
        return Problem(Trouble.SPACED, word, at, name)
    name, equals, _ = word.partition("=")
    if equals and table.find(name) is not None:
        return Problem(Trouble.JOINED, word, at, name)
    # Only the first problems are searched for a similar flag, since a search compares the word with every flag.
    return Problem(Trouble.UNKNOWN, word, at, table.nearest(name) if len(line.problems) < MOST_SEARCHED else "")
