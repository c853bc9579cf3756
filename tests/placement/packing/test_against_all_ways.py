"""A packing says "never" only if no way exists, and "fits" only if it has one: compared with trying every way on small clusters."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from weighbridge.policies.placement.packing.fit import PackingOutcome, pack
from weighbridge.policies.placement.packing.occupancy import PackingState
from weighbridge.policies.placement.packing.problem import NODE, Demand, NodeClass, PodKind, Problem

_DOMAINS = ("a", "b", None)


@st.composite
def _problems(draw: st.DrawFn) -> Problem:
    """Up to three kinds of pods and five nodes, with limits, conflicts and domains."""
    number = draw(st.integers(1, 3))
    pairs = st.tuples(st.integers(0, number - 1), st.integers(0, number - 1), st.sampled_from((NODE, 0)))
    conflicts = draw(st.lists(pairs, max_size=2)) if draw(st.booleans()) else []
    kinds = []
    for kind in range(number):
        apart: dict[int, frozenset[int]] = {}
        for one, other, key in conflicts:
            if kind in (one, other):
                apart[key] = apart.get(key, frozenset()) | {other if kind == one else one}
        most = draw(st.dictionaries(st.sampled_from((NODE, 0)), st.integers(1, 2), max_size=1)) if draw(st.booleans()) else {}
        kinds.append(PodKind((draw(st.integers(1, 4)), draw(st.integers(0, 3))), most, apart))
    classes = []
    for _ in range(draw(st.integers(1, 3))):
        takes = frozenset(kind for kind in range(number) if draw(st.integers(0, 5)))
        has = (draw(st.integers(3, 9)), draw(st.integers(2, 7)))
        classes.append(NodeClass(draw(st.integers(1, 2)), has, takes, (draw(st.sampled_from(_DOMAINS)),)))
    demands = [_demand(draw, kind, number) for kind in range(number)]
    return Problem(kinds, classes, demands, ("gpu", "cpu"))


def _demand(draw: st.DrawFn, kind: int, number: int) -> Demand:
    if draw(st.integers(0, 3)):
        return Demand(((kind, 1),), draw(st.integers(1, 3)))
    second = draw(st.integers(0, number - 1))
    pods = ((kind, draw(st.integers(1, 2))),) + (((second, 1),) if second != kind else ())
    return Demand(pods, draw(st.integers(1, 2)), within=0, excludes=draw(st.booleans()))


def _pods(problem: Problem) -> list[tuple[int, int]]:
    """Each pod as its kind and its group; groups that need no separate domain have negative numbers."""
    pods, group = [], 0
    for demand in problem.demands:
        for _ in range(demand.groups):
            group += 1
            pods += [(kind, group if demand.within is not None else -group) for kind, count in demand.pods for _ in range(count)]
    return pods


def _is_right(problem: Problem, nodes: list[NodeClass], placed: list[tuple[int, int, int]]) -> bool:
    """Whether the placed pods, each with kind, group and node, meet every condition."""
    for node in {where for *_, where in placed}:
        held = [kind for kind, _, where in placed if where == node]
        for index, has in enumerate(nodes[node].has):
            if sum(problem.kinds[kind].wants[index] for kind in held) > has:
                return False
    for key in (NODE, 0):
        domains: dict[object, Counter[int]] = {}
        for kind, _, where in placed:
            domain = where if key == NODE else nodes[where].domains[key]
            if domain is not None:
                domains.setdefault(domain, Counter())[kind] += 1
        for held_kinds in domains.values():
            for kind, count in held_kinds.items():
                wanted = problem.kinds[kind]
                if count > wanted.most.get(key, count) or (count > 1 and kind in wanted.apart.get(key, ())):
                    return False
            if any(other in problem.kinds[kind].apart.get(key, ()) for kind, other in combinations(held_kinds, 2)):
                return False
    return _groups_are_right(problem, nodes, placed)


def _groups_are_right(problem: Problem, nodes: list[NodeClass], placed: list[tuple[int, int, int]]) -> bool:
    excluding, number = set(), 0
    for demand in problem.demands:
        for _ in range(demand.groups):
            number += 1
            if demand.excludes and demand.within is not None:
                excluding.add(number)
    domain_of: dict[int, object] = {}
    for _, group, where in placed:
        if group > 0:
            domain = nodes[where].domains[0]
            if domain is None or domain_of.setdefault(group, domain) != domain:
                return False
    taken = [domain for group, domain in domain_of.items() if group in excluding]
    return len(taken) == len(set(taken))


def _some_way(problem: Problem) -> bool:
    """Whether there is a way to place the pods, found by trying every node for every pod."""
    nodes = [node for node in problem.classes for _ in range(node.size)]
    pods = _pods(problem)

    def place(number: int, placed: list[tuple[int, int, int]]) -> bool:
        if number == len(pods):
            return True
        kind, group = pods[number]
        for where, node in enumerate(nodes):
            after = [*placed, (kind, group, where)]
            if kind in node.takes and _is_right(problem, nodes, after) and place(number + 1, after):
                return True
        return False

    return place(0, [])


def _holds(problem: Problem, found: PackingState) -> bool:
    """Whether a packing has every pod, and no node gets more than it has room for."""
    held: Counter[int] = Counter()
    for (number, left, kinds), count in found.nodes.items():
        used = [sum(found.problem.kinds[kind].wants[index] * pods for kind, pods in kinds) for index in range(len(left))]
        if min(left, default=0) < 0 or any(
            one + rest != has for one, rest, has in zip(used, left, problem.classes[number].has, strict=True)
        ):
            return False
        held.update({kind: pods * count for kind, pods in kinds})
    return sum(held.values()) == sum(problem.counts().values()) and sum(found.nodes.values()) == sum(node.size for node in problem.classes)


@settings(max_examples=300, deadline=None)
@given(_problems())
def test_a_packing_is_right_wherever_it_speaks(problem: Problem) -> None:
    found = pack(problem)
    if found.outcome is PackingOutcome.UNKNOWN:
        return
    assert (found.outcome is PackingOutcome.FITS) == _some_way(problem)
    if found.occupancy is not None:
        assert _holds(problem, found.occupancy)
