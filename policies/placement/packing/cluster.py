"""From groups of pods and the nodes of a cluster to the problem that is packed."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

from weighbridge.policies.facts import Facts, Inventory, Node
from weighbridge.policies.facts.node_shapes import NodeShape
from weighbridge.policies.facts.occupancy import clashing
from weighbridge.policies.ground.records import dataclass, field, replace
from weighbridge.policies.placement.packing.company import Spread, is_node, keeps_off, keys_of, spreads_of, stays_with_itself
from weighbridge.policies.placement.packing.members import Member
from weighbridge.policies.placement.packing.problem import MANY, NODE, Demand, NodeClass, PodKind, Problem, part_of
from weighbridge.policies.placement.taints import taint_check

_NOTHING: Final[Mapping[str, Mapping[str, int]]] = {}
#: The key of a class of nodes: their amounts, the members that they take, and their domains.
_Alike: TypeAlias = tuple[tuple[int, ...], frozenset[int], tuple[str | None, ...]]


@dataclass(frozen=True, slots=True)
class WantedGroups:
    """Equal groups: each member with its number in one group, and how many groups.

    With `topology` each group needs its own domain of that label. Each node that takes a daemon has one before anything else is placed.
    """

    pods: Sequence[tuple[Member, int]]
    groups: int
    topology: str = ""
    is_daemon: bool = False


@dataclass(slots=True)
class Laid:
    """A problem with what its numbers mean: the members by kind, the nodes of each class, and the demands of each object.

    `inside` has the members of a kind that is a whole group.
    """

    problem: Problem
    members: Sequence[Member]
    names: Sequence[Sequence[str]]
    demands: Sequence[Sequence[Demand]] = ()
    inside: Mapping[int, Sequence[tuple[int, int]]] = field(default_factory=dict)


def laid_out(
    wanted: Sequence[WantedGroups], facts: Facts, used: Mapping[str, Mapping[str, int]] = _NOTHING, extra: Sequence[str] = ()
) -> Laid:
    """The problem of groups on the nodes of the cluster.

    `used` is what is taken of nodes, `extra` are further resources that are counted.
    """
    inventory = facts.inventory
    members = list({id(member): member for one in wanted for member, _ in one.pods}.values())
    number_of = {id(member): number for number, member in enumerate(members)}
    resources = tuple(dict.fromkeys([*(name for member in members for name in member.wants), *extra]))
    labels = {key for member in members for key in keys_of(member.pod)} | {one.topology for one in wanted if one.topology}
    keys = sorted(key for key in labels if not is_node(key))
    key_of = {key: NODE if is_node(key) else keys.index(key) for key in labels}
    if inventory is None or not members:
        return Laid(Problem([], [], [], resources), members, [], [[] for _ in wanted])
    counts: dict[int, int] = {}
    for one in wanted:
        for member, count in one.pods:
            number = number_of[id(member)]
            counts[number] = counts.get(number, 0) + count * max(one.groups, 1)
    wants = [tuple(member.wants.get(name, 0) for name in resources) for member in members]
    classes, names = _Nodes(inventory, members, wants, counts, resources, keys, used).classes()
    daemons = [number_of[id(member)] for one in wanted if one.is_daemon for member, _ in one.pods]
    classes = [_with_daemons(node, daemons, wants) for node in classes]
    apart = _apart(members, key_of, facts)
    kinds = [PodKind(wants[number], {}, apart[number]) for number in range(len(members))]
    bare = Problem(kinds, classes, [], resources)
    for number, member in enumerate(members):
        most = _most(bare, number, member, [other for other in members if other is not member], key_of, inventory)
        kinds[number] = PodKind(wants[number], most, apart[number])
    on_one = [one for one in wanted if one.topology and is_node(one.topology)]
    whole = _with_large(Problem(kinds, classes, [], resources), on_one, number_of)
    large = {id(one): len(members) + index for index, one in enumerate(on_one)}
    demands = [_demands(one, number_of, key_of, members, facts, large.get(id(one))) for one in wanted]
    inside = {large[id(one)]: [(number_of[id(member)], count) for member, count in one.pods] for one in on_one}
    return Laid(replace(whole, demands=[demand for own in demands for demand in own]), members, names, demands, inside)


def _demands(
    one: WantedGroups,
    number_of: Mapping[int, int],
    key_of: Mapping[str, int],
    members: Sequence[Member],
    facts: Facts,
    large: int | None,
) -> list[Demand]:
    if one.is_daemon or not one.groups:
        return []
    if large is not None:
        return [Demand(((large, 1),), one.groups)]
    pods = tuple((number_of[id(member)], count) for member, count in one.pods)
    if one.topology:
        return [Demand(pods, one.groups, key_of[one.topology], excludes=True)]
    if len(pods) > 1:
        return [Demand(pods, one.groups)]
    ((number, count),) = pods
    member = members[number]
    keys = stays_with_itself(member.pod, [other.pod for other in members if other is not member], facts.objects)
    within = next((key_of[key] for key in sorted(keys) if key_of[key] != NODE), None)
    # Each pod wants to be near another one, so all of them are in one domain.
    return [Demand(((number, count * one.groups),), 1, within)] if within is not None else [Demand(pods, one.groups)]


def _with_daemons(node: NodeClass, daemons: Sequence[int], wants: Sequence[tuple[int, ...]]) -> NodeClass:
    """Nodes with what is left of them after their daemons."""
    for kind in daemons:
        if kind in node.takes and all(has >= asked for has, asked in zip(node.has, wants[kind], strict=True)):
            node = replace(node, has=tuple(has - asked for has, asked in zip(node.has, wants[kind], strict=True)))
    return node


def _with_large(problem: Problem, wanted: Sequence[WantedGroups], number_of: Mapping[int, int]) -> Problem:
    """The problem with groups that each need a node: such a group is like one large pod, and two of them don't share a node."""
    kinds, classes = list(problem.kinds), list(problem.classes)
    large = frozenset(range(len(kinds), len(kinds) + len(wanted)))
    for number, one in zip(sorted(large), wanted, strict=True):
        pods = [(number_of[id(member)], count) for member, count in one.pods]
        wants = tuple(sum(problem.kinds[kind].wants[index] * count for kind, count in pods) for index in range(len(problem.resources)))
        kinds.append(PodKind(wants, {}, {NODE: large}))
        own = frozenset(kind for kind, _ in pods)
        classes = [replace(node, takes=node.takes | {number}) if own <= node.takes else node for node in classes]
    return replace(problem, kinds=kinds, classes=classes)


def _apart(members: Sequence[Member], key_of: Mapping[str, int], facts: Facts) -> list[dict[int, frozenset[int]]]:
    """The members that can't share a domain, by key, in both directions."""
    found: list[dict[int, set[int]]] = [{} for _ in members]
    for one, member in enumerate(members):
        if not (member.pod.spec.get("affinity") or member.ports):
            continue
        for other, its in enumerate(members):
            keys = {key_of[key] for key in keeps_off(member.pod, its.pod, facts.objects, is_same=one == other)}
            if next(clashing(member.ports, its.ports), None) is not None:
                keys.add(NODE)
            for key in keys:
                found[one].setdefault(key, set()).add(other)
                found[other].setdefault(key, set()).add(one)
    return [{key: frozenset(others) for key, others in own.items()} for own in found]


def _most(
    problem: Problem, number: int, member: Member, others: Sequence[Member], key_of: Mapping[str, int], inventory: Inventory
) -> dict[int, int]:
    """How many pods of a kind a domain may have by its spread constraints.

    A domain never has more than `maxSkew` pods in addition to the emptiest one's, which has at most as many as fit.
    """
    found: dict[int, int] = {}
    for spread in spreads_of(member.pod, [other.pod for other in others]):
        key = key_of[spread.key]
        domains = _domains(spread, member, inventory)
        room: dict[Hashable, int] = dict.fromkeys(domains, 0)
        if key == NODE:
            takers = sum(node.size for node in problem.classes if number in node.takes)
            least = min((problem.room_on(number, one) for one, node in enumerate(problem.classes) if number in node.takes), default=0)
            least = least if takers >= len(domains) else 0
        else:
            for one, node in enumerate(problem.classes):
                domain = node.domains[key]
                if domain in room:
                    room[domain] += problem.room_on(number, one) * node.size
            least = min(room.values(), default=0)
        if len(domains) < spread.least_domains:
            least = 0
        found[key] = min(found.get(key, least + spread.skew), least + spread.skew)
    return found


def _domains(spread: Spread, member: Member, inventory: Inventory) -> set[str]:
    """The domains that count for a constraint."""
    affinity, key = member.filters.affinity, spread.key

    def counts(node: Node) -> bool:
        if spread.honours_affinity and affinity.check(node):
            return False
        return not (spread.honours_taints and taint_check(member.pod, node))

    if spread.honours_affinity and affinity.differs_within_shapes(inventory):
        return {node.labels[key] for node in inventory.nodes if key in node.labels and counts(node)}
    shapes = [shape for shape in inventory.shapes if counts(inventory.example(shape))]
    return set[str]().union(*(inventory.values_in(shape, key) for shape in shapes))


@dataclass(slots=True)
class _Nodes:
    """Groups equal nodes."""

    inventory: Inventory
    members: Sequence[Member]
    wants: Sequence[tuple[int, ...]]
    counts: Mapping[int, int]
    resources: tuple[str, ...]
    keys: Sequence[str]
    used: Mapping[str, Mapping[str, int]]
    _found: dict[_Alike, list[str]] = field(default_factory=dict)

    def classes(self) -> tuple[list[NodeClass], list[Sequence[str]]]:
        """The classes of nodes that take a member, and the names of the nodes of each."""
        inventory = self.inventory
        apart = self._apart()
        shapes_apart = {inventory.shape_of[name] for name in apart}
        is_large = len(self.members) > MANY
        is_whole = not is_large and not self.used and not inventory.own.labels.intersection(self.keys)
        units = [self._unit(resource) for resource in self.resources] if is_large else []
        for shape in inventory.shapes:
            names = inventory.names_by_shape[shape]
            own = [name for name in names if name in apart] if shape in shapes_apart else []
            alike = [name for name in names if name not in apart] if own else names
            of_shape = self._takes_of_shape(shape) if alike else frozenset()
            if not of_shape or (is_whole and self._take_whole(shape, alike, of_shape)):
                names = own
            for name in names:
                takes = self._takes(name) if name in apart else of_shape
                node = inventory.node(name) if takes else None
                if node is not None:
                    has = tuple(self._free(node, resource) for resource in self.resources)
                    has = (
                        tuple(-(-amount // unit) * unit for amount, unit in zip(has, units, strict=True))
                        if units
                        else self._useful(has, takes)
                    )
                    self._found.setdefault((has, takes, self._domains(node)), []).append(name)
        classes = [NodeClass(len(names), *alike) for alike, names in self._found.items()]
        return classes, list(self._found.values())

    def _unit(self, resource: str) -> int:
        """The unit to which amounts of this resource are rounded up, when nodes have many different amounts of it."""
        richest = self.inventory.richest(resource) if resource in self.inventory.own.amounts else None
        return part_of(richest.amounts.get(resource, 0)) if richest is not None else 1

    def _take_whole(self, shape: NodeShape, names: Sequence[str], takes: frozenset[int]) -> bool:
        """Group these nodes of a shape, if they are equal as far as the pods could use them. Returns whether they are."""
        example, own = self.inventory.example(shape), self.inventory.own.amounts
        least = tuple(self.inventory.least(shape, name) for name in self.resources)
        has = self._useful(least, takes)
        if any(name in own and amount >= known for name, amount, known in zip(self.resources, has, least, strict=True)):
            return False
        self._found.setdefault((has, takes, self._domains(example)), []).extend(names)
        return True

    def _apart(self) -> AbstractSet[str]:
        """The nodes that some member distinguishes from others of their shape: all, if a member doesn't group them by their shapes."""
        found = frozenset[str]()
        for member in self.members:
            if member.verdicts.apart is None:
                return self.inventory.by_name.keys()
            found |= member.verdicts.apart
        return found

    def _takes_of_shape(self, shape: Hashable) -> frozenset[int]:
        """The members that the nodes of a shape take, except the nodes that a member distinguishes."""
        grouped = ((number, member.verdicts.groups.get(shape)) for number, member in enumerate(self.members))
        return frozenset(number for number, group in grouped if group is not None and not group.reasons)

    def _takes(self, name: str) -> frozenset[int]:
        """The members that a node takes."""
        found = []
        for number, member in enumerate(self.members):
            group = member.verdicts.group_of.get(name)
            if group is not None and not member.verdicts.groups[group].reasons:
                found.append(number)
        return frozenset(found)

    def _free(self, node: Node, resource: str) -> int:
        return max(node.amounts.get(resource, 0) - self.used.get(node.name, {}).get(resource, 0), 0)

    def _domains(self, node: Node) -> tuple[str | None, ...]:
        return tuple(node.labels.get(key) for key in self.keys)

    def _useful(self, has: tuple[int, ...], takes: frozenset[int]) -> tuple[int, ...]:
        """The amounts of a node that these members could use; other differences between nodes don't count."""
        most = []
        for index, amount in enumerate(has):
            use = 0
            for kind in takes:
                asked = self.wants[kind]
                if asked[index]:
                    others = [has[at] // other for at, other in enumerate(asked) if other and at != index]
                    use += asked[index] * min([self.counts.get(kind, 0), *others])
            most.append(min(amount, use))
        return tuple(most)
