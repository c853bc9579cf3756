"""Reading the message of an unschedulable pod: `0/N nodes are available: <count> <reason>, ... . <what PostFilter says>`.

A PreFilter plugin that refuses puts its text where the counts would be. A reason may hold commas and full stops (names of claims do),
so an item is only what starts with a number.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from tests.programs.scheduler.extender import FEASIBLE

#: kube-scheduler's reason for nodes that a PreFilter plugin left out.
NARROWED = "node(s) didn't satisfy plugin(s) [NodeAffinity]"
NO_NODES = "no nodes available to schedule pods"
CONFLICT = "pod affinity terms conflict"

_MESSAGE = re.compile(r"0/(\d+) nodes are available: (.*)", re.DOTALL)
_ITEM = re.compile(r"(\d+) (.+)", re.DOTALL)
#: PostFilter's part starts with one of these (facts: sections 7 and 4); a message without it comes from another version.
_POSTFILTER = re.compile(
    r"\. (no new claims to deallocate, |still not schedulable, |deallocation of ResourceClaim completed|preemption: |not found)"
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A parsed message: the number of nodes for each reason, or the text of the PreFilter plugin that refused."""

    nodes: int
    counts: Counter[str]
    prefilter: str

    @property
    def feasible(self) -> set[str]:
        """The nodes that nothing but the extender refused."""
        return {reason.removeprefix(FEASIBLE) for reason in self.counts if reason.startswith(FEASIBLE)}

    @property
    def refusals(self) -> Counter[str]:
        """The reasons of the scheduler's own filters."""
        return Counter({reason: count for reason, count in self.counts.items() if not reason.startswith(FEASIBLE)})


class UnreadableMessageError(Exception):
    """Not a message of the kind this module knows."""


def read(message: str) -> Verdict:
    """Parses the message of an unschedulable pod. Raises UnreadableMessageError for any other text."""
    if message == NO_NODES:
        return Verdict(0, Counter(), NO_NODES)
    found = _MESSAGE.fullmatch(message)
    end = _POSTFILTER.search(message)
    if found is None or end is None:
        raise UnreadableMessageError(message)
    text = message[found.start(2) : end.start()]
    items = [_ITEM.fullmatch(item) for item in text.split(", ")]
    counts = Counter({item[2]: int(item[1]) for item in items if item is not None})
    if len(counts) != len(items):
        return Verdict(int(found[1]), Counter(), text)
    return Verdict(int(found[1]), counts, "")
