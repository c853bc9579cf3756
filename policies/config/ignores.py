"""Reads an object's own exceptions from rules: ``[LLMKUBE-085] reason until 2027-01-31``.

The annotation `weighbridge.dev/ignore` has one entry a line. In a manifest the same may be written as a comment. The reason is required.
The last day is written as in an exception of the configuration, and includes the whole day in UTC.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from weighbridge.policies.config.exceptions import read_end
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import text_map
from weighbridge.policies.ground.objects import JSONValue
from weighbridge.policies.ground.records import dataclass

#: The ids of findings about such entries: one that ignores nothing, one that has ended, one that can't be used.
UNUSED: Final = "WB-010"
ENDED: Final = "WB-011"
UNUSABLE: Final = "WB-012"
#: The id of the finding that an entry of a baseline has no finding any more.
GONE: Final = "WB-013"
#: The annotation that an author writes on an object.
ANNOTATION: Final = "weighbridge.dev/ignore"
_FORM: Final = "write [RULE] reason, or [RULE, RULE] reason until 2027-01-31"
_PARTS: Final = expression(r"\s*\[([^\]]*)\]\s*:?\s*(.*)")
#: A single word after the last "until" is a date, or is meant as one.
_UNTIL: Final = expression(r"(?:(.*)\s)?until\s+(\S+)")
#: The longest reason: reports and the audit log show it, and a tenant may have written it.
_LONGEST_REASON: Final = 256


@dataclass(frozen=True, slots=True)
class Ignore:
    """An entry: the ids of rules, the reason, and when it ends, `None` if it doesn't."""

    rules: tuple[str, ...]
    reason: str
    until: str = ""
    end: datetime | None = None

    def holds(self, moment: datetime | None) -> bool:
        """Whether it is in force at a moment. Without a moment, only entries that never end are."""
        return self.end is None or (moment is not None and moment < self.end)

    @property
    def said(self) -> str:
        """The reason and the end, as reports show them."""
        reason = self.reason if len(self.reason) <= _LONGEST_REASON else f"{self.reason[: _LONGEST_REASON - 3]}..."
        return f"{reason} until {self.until}" if self.until else reason


def read_ignore(written: str) -> Ignore | str:
    """An entry, or what is wrong with it."""
    match = _PARTS.fullmatch(written.strip())
    if match is None:
        return f"no rules in brackets; {_FORM}"
    rules = tuple(rule.strip() for rule in match[1].split(","))
    if not all(rules):
        return f"a rule is missing between the brackets; {_FORM}"
    reason, until, end = match[2].strip(), "", None
    if dated := _UNTIL.fullmatch(reason):
        reason, until = (dated[1] or "").strip(), dated[2]
        try:
            end = read_end(until)
        except ValueError:
            return f"{until[:64]!r} isn't a date; write until 2027-01-31, or until 2027-01-31T18:00:00Z"
    if reason.split()[-1:] == ["until"]:
        return "the day is missing; write until 2027-01-31, or until 2027-01-31T18:00:00Z"
    if not reason:
        return f"the reason is missing; {_FORM}"
    return Ignore(rules, reason, until, end)


def ignores_of(obj: JSONValue) -> Iterator[Ignore | str]:
    """The entries of an object's annotation; for each that can't be read, the error."""
    for line in text_map(obj, "metadata", "annotations").get(ANNOTATION, "").splitlines():
        if line.strip():
            yield read_ignore(line)


def first_of(entries: Iterable[Ignore], moment: datetime | None) -> tuple[Ignore | None, Ignore | None]:
    """The first entry that holds, or else the first that has ended."""
    former = None
    for entry in entries:
        if entry.holds(moment):
            return entry, None
        former = former or entry
    return None, former
