"""Tries all ways to pack pods, within a number of steps.

Equal pods are distributed together, onto equal nodes together: only the number of nodes with each number of pods matters. A state from
which the other pods found no room isn't tried again.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import product

from weighbridge.policies.ground.records import dataclass, field, replace
from weighbridge.policies.placement.packing.bounds import may_host
from weighbridge.policies.placement.packing.greedy import domains_of
from weighbridge.policies.placement.packing.occupancy import Entry, PackingState
from weighbridge.policies.placement.packing.problem import NODE, Demand, NodeClass, Problem


class OutOfStepsError(Exception):
    """The search would take too long."""


@dataclass(slots=True)
class PackingSearch:
    """A search with its remaining steps, which several searches can share."""

    steps: int
    _failed: set[Hashable] = field(default_factory=set)

    def packing(self, problem: Problem) -> PackingState | None:
        """A packing of all demands, or `None`. Raises `OutOfStepsError`."""
        for flat in self._flattened(problem):
            self._failed = set()
            counts = flat.counts()
            kinds = sorted(counts, key=lambda kind: _weight(flat, kind), reverse=True)
            found = self._place(PackingState.empty(flat), [(kind, counts[kind]) for kind in kinds])
            if found is not None:
                return found
        return None

    def _step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise OutOfStepsError

    def _place(self, state: PackingState, rest: list[tuple[int, int]]) -> PackingState | None:
        """The first packing of these kinds, each with its count, in addition to what is there."""
        if not rest:
            return state
        key = (len(rest), _signature(state))
        if key in self._failed:
            return None
        (kind, count), *others = rest
        if all(sum(state.room(later, entry) * nodes for entry, nodes in state.nodes.items()) >= number for later, number in rest):
            for filled in self._distributions(state, kind, count, list(state.entries(kind))):
                found = self._place(filled, others)
                if found is not None:
                    return found
        self._failed.add(key)
        return None

    def _distributions(self, state: PackingState, kind: int, count: int, entries: list[Entry]) -> Iterator[PackingState]:
        """Every way to put `count` pods of a kind onto the nodes of these entries."""
        self._step()
        if not count:
            yield state
            return
        if not entries:
            return
        first, *others = entries
        beyond = sum(state.room(kind, entry) * state.nodes[entry] for entry in others)
        if state.room(kind, first) * state.nodes[first] + beyond < count:
            return
        for filled, placed in self._on_equal(state, kind, first, count, state.nodes[first], state.room(kind, first)):
            if count - placed <= beyond:
                yield from self._distributions(filled, kind, count - placed, others)

    def _on_equal(
        self, state: PackingState, kind: int, entry: Entry, count: int, nodes: int, most: int
    ) -> Iterator[tuple[PackingState, int]]:
        """Every way to put up to so many pods onto equal nodes, at most `most` on each, with the number of pods."""
        self._step()
        allowed = state.room_in_domains(kind, entry[0])
        most = min(most, count) if allowed is None else min(most, count, allowed)
        for each in range(most, 0, -1):
            filled = state.copy()
            filled.fill(kind, entry, each)
            if nodes > 1:
                for further, placed in self._on_equal(filled, kind, entry, count - each, nodes - 1, each):
                    yield further, placed + each
            else:
                yield filled, each
        yield state, 0

    def _flattened(self, problem: Problem) -> Iterator[Problem]:
        """The problem for each way to assign domains to groups; in it the pods of a group are free within their domain."""
        bound = [demand for demand in problem.demands if demand.within is not None]
        free = [demand for demand in problem.demands if demand.within is None]
        if not bound:
            yield problem
            return
        ways = [list(self._choices(problem, demand, demand.within)) for demand in bound if demand.within is not None]
        for chosen in product(*ways):
            self._step()
            if _is_exclusive(bound, chosen):
                yield _within(problem, free, list(zip(bound, chosen, strict=True)))

    def _choices(self, problem: Problem, demand: Demand, key: int) -> Iterator[tuple[str, ...]]:
        """Every choice of domains for equal groups, without regard to order."""
        hosts = [domain for domain in domains_of(problem, demand, key) if may_host(problem, demand, key, domain)]
        yield from self._chosen(hosts, demand.groups, repeats=not demand.excludes)

    def _chosen(self, hosts: list[str], count: int, *, repeats: bool) -> Iterator[tuple[str, ...]]:
        self._step()
        if not count:
            yield ()
            return
        for index, domain in enumerate(hosts):
            for others in self._chosen(hosts[index if repeats else index + 1 :], count - 1, repeats=repeats):
                yield (domain, *others)


def _weight(problem: Problem, kind: int) -> tuple[float, ...]:
    """The sort key that puts kinds with the least choice first."""
    wanted = problem.kinds[kind]
    takers = sum(node.size for node in problem.classes if kind in node.takes)
    return (float(not wanted.is_plain), *(float(asked) for asked in wanted.wants), -float(takers))


def _signature(state: PackingState) -> Hashable:
    """What matters for the remaining pods: what is left, and where pods are that exclude others."""
    kinds = state.problem.kinds
    marked = {kind for kind, one in enumerate(kinds) if not one.is_plain}
    marked |= {other for one in kinds for others in one.apart.values() for other in others}
    nodes: dict[Hashable, int] = {}
    for (number, left, held), count in state.nodes.items():
        key = (number, left, tuple(one for one in held if state.problem.twin_of.get(one[0], one[0]) in marked))
        nodes[key] = nodes.get(key, 0) + count
    return frozenset(nodes.items()), frozenset(one for one in state.in_domain.items() if one[0][2] in marked)


def _is_exclusive(demands: list[Demand], chosen: tuple[tuple[str, ...], ...]) -> bool:
    """Whether all groups that exclude others are in different domains."""
    taken = [(demand.within, domain) for demand, domains in zip(demands, chosen, strict=True) if demand.excludes for domain in domains]
    return len(set(taken)) == len(taken)


def _within(problem: Problem, free: list[Demand], bound: list[tuple[Demand, tuple[str, ...]]]) -> Problem:
    """The problem with a separate kind for the pods of each group, which only the nodes of the group's domain take."""
    kinds, classes, demands = list(problem.kinds), list(problem.classes), list(free)
    twins: dict[int, int] = {}
    for demand, domains in bound:
        for domain in domains:
            own = []
            for kind, count in demand.pods:
                number = len(kinds)
                kinds.append(problem.kinds[kind])
                twins[number] = kind
                own.append((number, count))
                classes = [_taking(node, kind, number, demand.within, domain) for node in classes]
            demands.append(Demand(tuple(own), 1))
    return replace(problem, kinds=kinds, classes=classes, demands=demands, twin_of=twins)


def _taking(node: NodeClass, kind: int, number: int, key: int | None, domain: str) -> NodeClass:
    if key is None or key == NODE or kind not in node.takes or node.domains[key] != domain:
        return node
    return replace(node, takes=node.takes | {number})
