"""The settings of a run, and what makes its exit code 1: a level of `--fail-on`, and whether unchecked objects count."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from weighbridge.policies.ground.records import dataclass, field

#: The prefix of environment variables that are settings.
PREFIX: Final = "WEIGHBRIDGE_"
#: The variable that names the file, so that none is searched.
VARIABLE: Final = f"{PREFIX}SETTINGS"
COMMAND_LINE: Final = "command line"
DEFAULT: Final = "default"


@dataclass(frozen=True, slots=True)
class OptionSetting:
    """The values of a setting, as a list even if only one is possible, and their origin; for a file `lines` are those of the values."""

    values: tuple[str, ...]
    origin: str
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Override:
    """Settings for the paths that a pattern matches, relative to `folder`, which has no links. `reason` is shown with ignored findings."""

    paths: tuple[str, ...]
    named: Mapping[str, OptionSetting]
    folder: str
    origin: str
    reason: str = ""

    def holds_for(self, source: str) -> bool:
        """Whether it applies to a file, by its path as it is shown."""
        from weighbridge.webhook.settings.patterns import are_meant

        path = os.path.relpath(os.path.realpath(source), self.folder).replace(os.sep, "/")
        return not path.startswith("../") and are_meant(self.paths, path)

    def texts(self, key: str) -> tuple[str, ...]:
        """The values of a setting; none if it isn't set."""
        found = self.named.get(key)
        return found.values if found is not None else ()


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings that are set, by key. `file` is the path of the file of settings, empty if there is none."""

    named: Mapping[str, OptionSetting] = field(default_factory=dict)
    overrides: Sequence[Override] = ()
    file: str = ""

    def texts(self, key: str) -> tuple[str, ...]:
        """The values of a setting; none if it isn't set."""
        found = self.named.get(key)
        return found.values if found is not None else ()

    def text(self, key: str, default: str = "") -> str:
        """The value of a setting."""
        return next(iter(self.texts(key)), default)

    def words(self, key: str) -> tuple[str, ...]:
        """The values of a setting, split at commas."""
        return words(self.texts(key))

    def text_for(self, key: str, source: str, default: str = "") -> str:
        """The value of a setting for a file, given by its shown path: the command line's, else that of the last entry that applies."""
        found = None if self.origin(key) == COMMAND_LINE else next((own for own in self._texts_for(key, source)), None)
        return found or self.text(key, default)

    def _texts_for(self, key: str, source: str) -> Iterator[str]:
        """The values of entries that apply to a file, the last entry first."""
        return (text for entry in reversed(self.overrides) if entry.holds_for(source) for text in entry.texts(key))

    def folder_of(self, key: str) -> str:
        """The folder to which a setting's patterns are relative: that of the file if it is set there, else the working folder."""
        found = self.named.get(key)
        is_of_file = found is not None and bool(found.lines)
        return (os.path.dirname(self.file) if is_of_file else "") or os.curdir

    def origin(self, key: str) -> str:
        """The origin of a setting."""
        found = self.named.get(key)
        return found.origin if found is not None else DEFAULT


def words(texts: Iterable[str]) -> tuple[str, ...]:
    """Texts split at commas."""
    return tuple(word.strip() for text in texts for word in text.split(",") if word.strip())


class FailOn(StrEnum):
    """What makes the exit code 1. Each level includes those before it, except `never`."""

    ERROR = "error"
    PLACEMENT = "placement"
    WARNING = "warning"
    NOTE = "note"
    NEVER = "never"


#: The levels, of which each includes those before it.
_LEVELS: Final = tuple(FailOn)


class NotChecked(StrEnum):
    """Unchecked objects that count as well: those of unknown kinds, or also those that lack the verdict of a rule."""

    UNKNOWN = "unknown"
    UNCHECKED = "unchecked"


#: The word of `--fail-on` that also counts objects whose pods find no node today.
CAPACITY: Final = "capacity"


@dataclass(frozen=True, slots=True)
class Failing:
    """A level, and what counts in addition."""

    level: FailOn = FailOn.PLACEMENT
    unchecked: NotChecked | None = None
    capacity: bool = False

    @classmethod
    def of(cls, words: Iterable[str]) -> Failing:
        """Read the words of `--fail-on`, which `trouble_with_levels` has checked."""
        given = set(words)
        level = next((level for level in FailOn if level in given), FailOn.PLACEMENT)
        return cls(level, next((kind for kind in reversed(NotChecked) if kind in given), None), CAPACITY in given)

    def holds(
        self, *, refused: int, never_runs: int, warned: int, noted: int, unknown: int = 0, unchecked: int = 0, waits: int = 0
    ) -> bool:
        """Whether these counts of objects make the exit code 1.

        `unchecked` counts objects that a rule couldn't check, `waits` objects whose pods find no room today.
        """
        if self.capacity and waits:
            return True
        if (self.unchecked and unknown) or (self.unchecked is NotChecked.UNCHECKED and unchecked):
            return True
        if self.level is FailOn.NEVER:
            return False
        return any((refused, never_runs, warned, noted)[: _LEVELS.index(self.level) + 1])


#: All words, as a message lists them.
WORDS = (*map(str, FailOn), CAPACITY, *map(str, NotChecked))


def trouble_with_levels(text: str) -> str:
    """The error of words of `--fail-on`, separated by commas; empty if they are right."""
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in WORDS:
            from weighbridge.policies.ground.spelling import close_matches

            near = close_matches(word, WORDS, n=1)
            return f"{word!r} isn't a level; " + (f"did you mean {near[0]}?" if near else f"write one of {', '.join(WORDS)}")
    levels = [word for word in words if word in set(FailOn)]
    if len(levels) > 1:
        return f"{' and '.join(levels)} can't be given together: each level includes those before it"
    return ""
