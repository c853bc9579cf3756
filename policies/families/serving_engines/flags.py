"""An engine's flags, and the notation of its data file (``vllm.json``).

Each flag is one word: its names with ``|`` between them, then what it takes. ``--[no-]x`` means ``--x`` and ``--no-x``, and a name after
``!`` says the opposite of the others. ``about`` says which parser reads the command line, and the source of the table.

=========== =====================================
``--x``     a switch
``--x=``    one value
``--x=2``   two values
``--x=?``   a value, or none
``--x=+``   one value or more
``--x=*``   any number of values
``--x=&``   one value, and every occurrence counts
=========== =====================================
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from pkgutil import get_data
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.ground.spelling import closest

_EITHER: Final = "--[no-]"
#: No bound to the number of values.
MANY: Final = 1_000
_TAKES: Final = {"": (1, 1), "2": (2, 2), "?": (0, 1), "+": (1, MANY), "*": (0, MANY)}
_WORD: Final = expression(r"(?P<names>[^=&]+)(?:(?P<value>=)(?P<takes>[2?+*]?))?(?P<all>&?)")


class Repeats(StrEnum):
    """How an engine treats a repeated flag: it uses the last one, or stops."""

    LAST = "last"
    REFUSED = "refused"


class Style(StrEnum):
    """The parser that reads the command line; it decides how a flag may be written."""

    #: llama.cpp's own parser: `--flag value` alone, whatever the value begins with; underscores in a flag are hyphens.
    LLAMA_CPP = "llama.cpp"
    #: Python's argparse: `--flag value` and `--flag=value`. A flag may be cut short, and a value doesn't begin with a hyphen.
    ARGPARSE = "argparse"
    #: Rust's clap: `--flag value` and `--flag=value`.
    CLAP = "clap"


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag: its usual name, all its names, the names that negate it, and the number of its values."""

    name: str
    names: tuple[str, ...]
    opposites: frozenset[str]
    least: int
    most: int
    all_count: bool

    @property
    def is_switch(self) -> bool:
        """Whether it takes no value."""
        return self.most == 0


@dataclass(frozen=True)
class FlagTable:
    """The flags of one `version` of an engine.

    `older` are names of flags that earlier versions had: an image of such a version still takes them.
    """

    engine: str
    version: str
    style: Style
    flags: Iterable[str]
    older: frozenset[str] = frozenset()
    #: Whether underscores in a flag's name are hyphens.
    folds_underscores: bool = False
    repeats: Repeats = Repeats.LAST
    #: The meaning of the words that belong to no flag.
    first_word: str = ""
    #: The flags that families ask for, by a meaning that is the same for every engine.
    meanings: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def by_name(self) -> dict[str, Flag]:
        """Every name with its flag."""
        return {name: flag for flag in _read(self.flags) for name in flag.names}

    def named(self, meaning: str) -> Flag | None:
        """The flag that has a meaning (``port``, ``tensor parallel``); `None` if the engine has none."""
        return self.by_name.get(self.meanings.get(meaning, ""))

    def find(self, written: str) -> Flag | None:
        """The flag that is written in this way; `None` if the engine has none."""
        return self.by_name.get(self.full_name(written))

    def full_name(self, written: str) -> str:
        """The full name of a flag that is cut short, if only one name begins so; else the name as the engine takes it."""
        name = self.spelled(written)
        if self.style is not Style.ARGPARSE or name in self.by_name or not name.startswith("--") or name == "--":
            return name
        begun = [known for known in self.by_name if known.startswith(name)]
        return begun[0] if len(begun) == 1 else name

    def spelled(self, written: str) -> str:
        """The name with hyphens where the engine takes underscores for them."""
        return written.replace("_", "-") if self.folds_underscores and written.startswith("--") else written

    def nearest(self, written: str) -> str:
        """The known name that is most similar to an unknown one; empty if none is similar."""
        return closest(self.spelled(written), self.by_name)


def flag_table(name: str) -> FlagTable:
    """The table in a data file of this package."""
    found = json.loads(get_data(__package__, f"{name}.json") or b"")
    return FlagTable(
        engine=found["engine"],
        version=found["version"],
        style=Style(found["style"]),
        flags=found["flags"],
        older=frozenset(found.get("older", ())),
        folds_underscores=found.get("foldsUnderscores", False),
        repeats=Repeats(found.get("repeats", "last")),
        first_word=found.get("firstWord", ""),
        meanings=found["meanings"],
    )


def _read(words: Iterable[str]) -> Iterator[Flag]:
    for word in words:
        found = _WORD.fullmatch(word)
        if found is None:
            raise ValueError(f"not a flag of a table: {word}")
        names: list[str] = []
        opposites: list[str] = []
        for name in found["names"].split("|"):
            if name.startswith(_EITHER):
                names.append(f"--{name.removeprefix(_EITHER)}")
                opposites.append(f"--no-{name.removeprefix(_EITHER)}")
            else:
                (opposites if name.startswith("!") else names).append(name.removeprefix("!"))
        least, most = _TAKES[found["takes"]] if found["value"] else (0, 0)
        own = max((name for name in names if name.startswith("--")), key=len, default=names[0])
        yield Flag(own, (*names, *opposites), frozenset(opposites), least, most, bool(found["all"]))
