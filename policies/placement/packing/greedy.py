"""Packs pods one demand after the other, the largest first, each pod onto the nodes on which it leaves the least.

This finds a packing for most demands that have one. If it finds none, nothing is proven.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from weighbridge.policies.ground.records import replace
from weighbridge.policies.placement.packing.occupancy import Entry, PackingState
from weighbridge.policies.placement.packing.problem import Demand, Problem, part_of

#: The weight of each kind; the heaviest comes first.
_Weights: TypeAlias = Sequence[tuple[float, ...]]


def packed(problem: Problem, *, names_all: bool = True) -> PackingState | None:
    """A packing of all demands, or `None` if none is found."""
    for weights in _weightings(problem):
        found = PackingState.empty(problem, names_all=names_all)
        if all(put(found, demand) for demand in _ordered(problem.demands, weights)):
            return found
    return None


def add(occupancy: PackingState, demands: Sequence[Demand]) -> PackingState | None:
    """A packing with these demands in addition to what is there; only the first order is tried."""
    found = occupancy.copy()
    return found if all(put(found, demand) for demand in _ordered(demands, next(_weightings(occupancy.problem)))) else None


def rounded(problem: Problem) -> Problem:
    """The problem with slightly larger pods and slightly smaller nodes: what fits in it also fits in the original."""
    units = [part_of(max((node.has[index] for node in problem.classes), default=0)) for index in range(len(problem.resources))]
    kinds = [
        replace(kind, wants=tuple(-(-asked // unit) * unit for asked, unit in zip(kind.wants, units, strict=True)))
        for kind in problem.kinds
    ]
    nodes = [
        replace(node, has=tuple(max(has - unit + 1, 0) for has, unit in zip(node.has, units, strict=True))) for node in problem.classes
    ]
    return replace(problem, kinds=kinds, classes=nodes)


def put(found: PackingState, demand: Demand) -> bool:
    """Put a demand onto the nodes. Returns whether all of it found room; the part that did stays there."""
    if demand.within is None:
        return all(not _spread(found, kind, count * demand.groups) for kind, count in demand.pods)
    return all(_group(found, demand, demand.within) for _ in range(demand.groups))


def _weightings(problem: Problem) -> Iterator[_Weights]:
    """The weightings to try: by the largest share of a node, pods with conditions first; by the share alone; and by each resource."""
    most = [max((node.has[index] for node in problem.classes), default=0) or 1 for index in range(len(problem.resources))]
    shares = [tuple(sorted((asked / has for asked, has in zip(kind.wants, most, strict=True)), reverse=True)) for kind in problem.kinds]
    yield [(float(not kind.is_plain), *share) for kind, share in zip(problem.kinds, shares, strict=True)]
    if any(not kind.is_plain for kind in problem.kinds):
        yield shares
    for index in range(len(problem.resources)) if len(problem.kinds) > 1 else ():
        yield [(kind.wants[index] / most[index], *share) for kind, share in zip(problem.kinds, shares, strict=True)]


def _ordered(demands: Sequence[Demand], weights: _Weights) -> list[Demand]:
    """The demands, sorted so that those with the least choice come first."""
    return sorted(demands, key=lambda one: (one.within is not None, max(weights[kind] for kind, _ in one.pods)), reverse=True)


def _spread(found: PackingState, kind: int, count: int, within: tuple[int, str] | None = None) -> int:
    """Put pods of a kind onto nodes, the fullest first; returns how many are left over."""
    for entry in sorted(found.entries(kind, within), key=lambda entry: _left_on(found, kind, entry)):
        each = found.room(kind, entry)
        while count and each and entry in found.nodes:
            allowed = found.room_in_domains(kind, entry[0])
            most = count if allowed is None else min(count, allowed)
            if most <= 0:
                break
            nodes = min(found.nodes[entry], most // each)
            if nodes:
                found.fill(kind, entry, each, nodes)
                count -= each * nodes
            else:
                found.fill(kind, entry, most)
                count -= most
        if not count:
            break
    return count


def _left_on(found: PackingState, kind: int, entry: Entry) -> tuple[float, ...]:
    """What is left on a node that is full of a kind, beginning with the scarcest requested resource."""
    wants, has = found.problem.kinds[kind].wants, found.problem.classes[entry[0]].has
    each = found.room(kind, entry)
    left = [(entry[1][index] - each * asked, asked / (has[index] or 1)) for index, asked in enumerate(wants)]
    by_share = sorted(left, key=lambda one: -one[1])
    other = sum(entry[1][index] for index, asked in enumerate(wants) if not asked)
    return (*(float(amount) for amount, _ in by_share), float(other))


def _group(found: PackingState, demand: Demand, key: int) -> bool:
    """Put one group into the first domain that has room for it."""
    for domain in domains_of(found.problem, demand, key):
        if demand.excludes and _is_taken(found, demand, key, domain):
            continue
        tried = found.copy()
        if all(not _spread(tried, kind, count, (key, domain)) for kind, count in demand.pods):
            found.nodes, found.in_domain = tried.nodes, tried.in_domain
            return True
    return False


def _is_taken(found: PackingState, demand: Demand, key: int, domain: str) -> bool:
    """Whether another group that excludes others is in a domain."""
    others = (kind for one in found.problem.demands if one.excludes and one.within == key for kind, _ in one.pods)
    return any(found.in_domain.get((key, domain, kind), 0) for kind in {*others, *(kind for kind, _ in demand.pods)})


def domains_of(problem: Problem, demand: Demand, key: int) -> list[str]:
    """The domains of a key in which a node takes a pod of a demand, sorted by name."""
    kinds = {kind for kind, _ in demand.pods}
    found = (node.domains[key] for node in problem.classes if not kinds.isdisjoint(node.takes))
    return sorted({domain for domain in found if domain is not None})
