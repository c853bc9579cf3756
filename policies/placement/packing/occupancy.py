"""The nodes while they are filled: nodes of a class with the same pods are one entry with a count.

An entry is `(class, left, held)`: what is left on such a node, and the kinds that it holds with their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.placement.packing.problem import NODE, Problem

Entry: TypeAlias = tuple[int, tuple[int, ...], tuple[tuple[int, int], ...]]


@dataclass(slots=True)
class PackingState:
    """The number of nodes of each entry, and the number of pods of a kind in each domain, where that matters.

    Unless it `names_all`, entries have only kinds that exclude others or are limited, so that there are fewer entries.
    """

    problem: Problem
    nodes: dict[Entry, int]
    in_domain: dict[tuple[int, str, int], int] = field(default_factory=dict)
    names_all: bool = True

    @classmethod
    def empty(cls, problem: Problem, *, names_all: bool = True) -> PackingState:
        """The empty cluster."""
        nodes: dict[Entry, int] = {(number, node.has, ()): node.size for number, node in enumerate(problem.classes) if node.size}
        return cls(problem, nodes, names_all=names_all)

    def copy(self) -> PackingState:
        """A copy that can be filled further."""
        return PackingState(self.problem, dict(self.nodes), dict(self.in_domain), self.names_all)

    def room(self, kind: int, entry: Entry) -> int:
        """How many more pods of a kind one node of an entry takes, apart from limits of domains."""
        number, left, held = entry
        wanted = self.problem.kinds[kind]
        if kind not in self.problem.classes[number].takes:
            return 0
        room = min((has // asked for has, asked in zip(left, wanted.wants, strict=True) if asked > 0), default=0)
        if not room or wanted.is_plain:
            return room
        apart, twins = wanted.apart.get(NODE, frozenset()), self.problem.twin_of
        own = twins.get(kind, kind)
        alike = 0
        for other, count in held:
            original = twins.get(other, other)
            if original in apart:
                return 0
            alike += count if original == own else 0
        if own in apart:
            return 1
        return max(min(room, wanted.most.get(NODE, room + alike) - alike), 0)

    def room_in_domains(self, kind: int, number: int) -> int | None:
        """How many more pods of a kind the domains of a class take; `None` if nothing limits that."""
        wanted, own = self.problem.kinds[kind], self.problem.twin_of.get(kind, kind)
        if wanted.is_plain:
            return None
        least: int | None = None
        for key, domain in enumerate(self.problem.classes[number].domains):
            if domain is None:
                continue
            if any(self.in_domain.get((key, domain, other), 0) for other in wanted.apart.get(key, ())):
                return 0
            if own in wanted.apart.get(key, ()):
                least = 1 if least is None else min(least, 1)
            if key in wanted.most:
                room = max(wanted.most[key] - self.in_domain.get((key, domain, own), 0), 0)
                least = room if least is None else min(least, room)
        return least

    def fill(self, kind: int, entry: Entry, each: int, nodes: int = 1) -> Entry:
        """Put `each` pods of a kind on each of some nodes of an entry. Returns the entry of these nodes."""
        number, left, held = entry
        wants = self.problem.kinds[kind].wants
        after = tuple(has - asked * each for has, asked in zip(left, wants, strict=True))
        counts = dict(held)
        if self.names_all or not self.problem.kinds[kind].is_plain:
            counts[kind] = counts.get(kind, 0) + each
        filled = (number, after, tuple(sorted(counts.items())))
        self.nodes[entry] -= nodes
        if not self.nodes[entry]:
            del self.nodes[entry]
        self.nodes[filled] = self.nodes.get(filled, 0) + nodes
        for key, domain in enumerate(self.problem.classes[number].domains):
            if domain is not None:
                place = (key, domain, self.problem.twin_of.get(kind, kind))
                self.in_domain[place] = self.in_domain.get(place, 0) + each * nodes
        return filled

    def entries(self, kind: int, within: tuple[int, str] | None = None) -> Iterator[Entry]:
        """The entries whose nodes can run a kind, in one domain or in all."""
        for entry in self.nodes:
            node = self.problem.classes[entry[0]]
            if kind in node.takes and (within is None or node.domains[within[0]] == within[1]):
                yield entry
