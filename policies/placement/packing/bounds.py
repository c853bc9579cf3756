"""Proofs that pods don't fit together, each by counting. If none succeeds, nothing is proven.

A kind has no more room than all nodes have for it alone. Pods that request at least some amount of a resource need as many places of that
size. Pods that can only run on some nodes can't need more than these have. If the requests of all pods are multiples of one amount, the
remainder on each node is lost. Groups that exclude each other need a domain each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import gcd
from typing import Final, TypeAlias

from weighbridge.policies.ground.records import dataclass, replace
from weighbridge.policies.placement.packing.greedy import domains_of
from weighbridge.policies.placement.packing.problem import NODE, Demand, Problem

_Counts: TypeAlias = Mapping[int, int]
#: The most sizes of pods, and sets of nodes, that are tried for a resource: all of them, in a usual cluster.
_MOST_SIZES: Final = 16
_MOST_SETS: Final = 32


@dataclass(frozen=True, slots=True)
class Proof:
    """Why pods don't fit: there is room for at most `room` pods or groups of these kinds, and `count` are wanted.

    With a `resource` both are amounts of it. `groups` says that groups are counted, each of which needs its own domain.
    """

    kinds: tuple[int, ...]
    count: int
    room: int
    resource: str = ""
    groups: bool = False


def proof(problem: Problem) -> Proof | None:
    """The first proof that the demands don't fit together, or `None`."""
    counts = problem.counts()
    return next(_proofs(problem, counts), None)


def _proofs(problem: Problem, counts: _Counts) -> Iterator[Proof]:
    for kind, count in counts.items():
        room = room_alone(problem, kind)
        if room < count:
            yield Proof((kind,), count, room)
    for index in range(len(problem.resources)):
        yield from _by_size(problem, counts, index)
        yield from _by_nodes(problem, counts, index)
    for demand in problem.demands:
        if demand.within is not None:
            yield from _by_domain(problem, demand, demand.within)


def room_alone(problem: Problem, kind: int) -> int:
    """The most pods of a kind for which all nodes together have room, if nothing else is there."""
    wanted = problem.kinds[kind]
    keys = [key for key in (*wanted.most, *(key for key in wanted.apart if kind in wanted.apart[key])) if key != NODE]
    rooms = [(number, node.size * _on_node(problem, kind, number)) for number, node in enumerate(problem.classes) if kind in node.takes]
    total = sum(room for _, room in rooms)
    for key in keys:
        in_domain: dict[str, int] = {}
        apart = 0
        for number, room in rooms:
            domain = problem.classes[number].domains[key]
            if domain is None:
                apart += room
            else:
                in_domain[domain] = in_domain.get(domain, 0) + room
        most = 1 if kind in wanted.apart.get(key, ()) else wanted.most[key]
        total = min(total, apart + sum(min(room, most) for room in in_domain.values()))
    return total


def _on_node(problem: Problem, kind: int, number: int) -> int:
    room = problem.room_on(kind, number)
    return min(room, 1) if kind in problem.kinds[kind].apart.get(NODE, ()) else room


def _by_size(problem: Problem, counts: _Counts, index: int) -> Iterator[Proof]:
    """Counts pods that request at least some amount of a resource: a node has only a few places of that size."""
    sizes = sorted({problem.kinds[kind].wants[index] for kind in counts} - {0}, reverse=True)[:_MOST_SIZES]
    for size in sizes if len(counts) > 1 else ():
        kinds = [kind for kind in counts if problem.kinds[kind].wants[index] >= size]
        count = sum(counts[kind] for kind in kinds)
        room = sum(node.size * (node.has[index] // size) for node in problem.classes if not node.takes.isdisjoint(kinds))
        if room < count:
            yield Proof(tuple(kinds), count, room)


def _by_nodes(problem: Problem, counts: _Counts, index: int) -> Iterator[Proof]:
    """Counts pods that can only run on some of the nodes: what these have of a resource, without the remainder on each."""
    takers: dict[int, set[int]] = {kind: set() for kind in counts if problem.kinds[kind].wants[index]}
    for number, node in enumerate(problem.classes):
        for kind in node.takes & takers.keys():
            takers[kind].add(number)
    sets = {frozenset(numbers) for numbers in takers.values()}
    chosen = sorted(sets, key=lambda found: (len(found), sorted(found)))[:_MOST_SETS]
    for numbers in (*chosen, frozenset().union(*sets)):
        kinds = [kind for kind, own in takers.items() if own <= numbers]
        if len(kinds) < 2:
            continue
        sizes = [problem.kinds[kind].wants[index] for kind in kinds]
        unit = gcd(*sizes)
        asked = sum(counts[kind] * size for kind, size in zip(kinds, sizes, strict=True))
        room = sum(problem.classes[number].size * (problem.classes[number].has[index] // unit * unit) for number in numbers)
        if room < asked:
            yield Proof(tuple(kinds), asked, room, resource=problem.resources[index])


def _by_domain(problem: Problem, demand: Demand, key: int) -> Iterator[Proof]:
    """Counts groups that are in one domain each: how many domains have room for one, by the same proofs."""
    kinds = tuple(kind for kind, _ in demand.pods)
    hosts = sum(1 for domain in domains_of(problem, demand, key) if may_host(problem, demand, key, domain))
    if not hosts:
        yield Proof(kinds, demand.groups, 0, groups=True)
    elif demand.excludes and hosts < demand.groups:
        yield Proof(kinds, demand.groups, hosts, groups=True)


def may_host(problem: Problem, demand: Demand, key: int, domain: str) -> bool:
    """Whether nothing proves that a domain has no room for one group."""
    inside = [node for node in problem.classes if node.domains[key] == domain]
    alone = replace(problem, classes=inside, demands=[replace(demand, groups=1, within=None, excludes=False)])
    return proof(alone) is None
