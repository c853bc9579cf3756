"""The outcome of the requests: their number, their times, lost ones, and wrong answers."""

from __future__ import annotations

import re
import time
from array import array
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from tests.programs.soak.api import Answer

_SERVERS_FAULT: Final = 500
#: Ports, memory addresses and the like, with which equal causes would look different.
_NUMBERS: Final = re.compile(r"\b\d[\d.:]*")
_HOOK: Final = re.compile(r'failed calling webhook "(\w+)\.[^"]*": (.*)', re.DOTALL)
_CAUSE_LENGTH: Final = 100


@dataclass(slots=True)
class Tally:
    """Counts of one run; `seconds` are the times from when a request was due to its answer, `waited` those until it was sent."""

    seconds: array[float] = field(default_factory=lambda: array("d"))
    waited: array[float] = field(default_factory=lambda: array("d"))
    kinds: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    hostile: Counter[str] = field(default_factory=Counter)
    lost_at: list[float] = field(default_factory=list)
    logged: Counter[str] = field(default_factory=Counter)
    turned_away: Counter[str] = field(default_factory=Counter)
    replacements: int = 0
    rotations: int = 0

    @property
    def requests(self) -> int:
        """The number of answered and lost requests."""
        return self.kinds.total()

    def answered(self, what: str, seconds: float) -> None:
        """Count a request with the expected answer."""
        self.kinds[what] += 1
        self.seconds.append(seconds)

    def answered_wrongly(self, what: str, seconds: float, answer: Answer, fault: str) -> None:
        """Count a request with another answer; with a failure of the server it counts as lost."""
        self.answered(what, seconds)
        if answer.status >= _SERVERS_FAULT:
            self.failures[f"{answer.status} {cause(str(answer.json.get('message', '')))}"] += 1
            self._lose(what)
        else:
            self.wrong[f"{what}: {fault}"[: 2 * _CAUSE_LENGTH]] += 1

    def was_lost(self, what: str, why: str) -> None:
        """Count a request without an answer."""
        self.kinds[what] += 1
        self._lose(what)
        self.failures[cause(why)] += 1

    def _lose(self, what: str) -> None:
        self.lost[what] += 1
        self.lost_at.append(time.monotonic())


def cause(message: str) -> str:
    """Why the API server failed, as a text that is the same for all failures of one kind."""
    found = _HOOK.search(message)
    text = message if found is None else f"{found[1]}: {_after_url(found[2])}"
    return _NUMBERS.sub("N", text)[:_CAUSE_LENGTH] or "no message"


def _after_url(text: str) -> str:
    """The text after the URL of the call, if there is one."""
    return text.rpartition('": ')[2]


def quantile(seconds: array[float], share: float) -> float:
    """The time within which that share of the requests was answered; 0 without any."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
