"""What became of the requests: how many, how long they took, what was lost, what was answered wrongly."""

from __future__ import annotations

import re
import time
from array import array
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from tests.programs.soak.api import Answer

_SERVERS_FAULT: Final = 500
#: Ports, addresses of memory and the like, which would make each cause another one.
_NUMBERS: Final = re.compile(r"\b\d[\d.:]*")
_HOOK: Final = re.compile(r'failed calling webhook "(\w+)\.[^"]*": (.*)', re.DOTALL)
_CAUSE_LENGTH: Final = 100


@dataclass(slots=True)
class Tally:
    """Counts of one run; `seconds` are from when a request was due until its answer was there, `waited` until it was sent."""

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
        """Those that were answered or lost."""
        return self.kinds.total()

    def answered(self, what: str, seconds: float) -> None:
        """A request was answered as it should be."""
        self.kinds[what] += 1
        self.seconds.append(seconds)

    def answered_wrongly(self, what: str, seconds: float, answer: Answer, fault: str) -> None:
        """A request was answered with something else: with the server's own failure it is lost."""
        self.answered(what, seconds)
        if answer.status >= _SERVERS_FAULT:
            self.failures[f"{answer.status} {cause(str(answer.json.get('message', '')))}"] += 1
            self._lose(what)
        else:
            self.wrong[f"{what}: {fault}"[: 2 * _CAUSE_LENGTH]] += 1

    def was_lost(self, what: str, why: str) -> None:
        """A request got no answer."""
        self.kinds[what] += 1
        self._lose(what)
        self.failures[cause(why)] += 1

    def _lose(self, what: str) -> None:
        self.lost[what] += 1
        self.lost_at.append(time.monotonic())


def cause(message: str) -> str:
    """Why the API server failed: what all failures of one kind have in common."""
    found = _HOOK.search(message)
    text = message if found is None else f"{found[1]}: {_after_url(found[2])}"
    return _NUMBERS.sub("N", text)[:_CAUSE_LENGTH] or "no message"


def _after_url(text: str) -> str:
    """What follows the URL that was called, where one is named."""
    return text.rpartition('": ')[2]


def quantile(seconds: array[float], share: float) -> float:
    """The time within which that share was answered; 0 where nothing was."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
