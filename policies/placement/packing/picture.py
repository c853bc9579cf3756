"""The nodes with the use of their devices: by running pods and by a change, what is free, and what has no room.

It shows one possible packing; the scheduler may choose another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, Node
from weighbridge.policies.facts.occupancy import NodeUse, is_device
from weighbridge.policies.ground.findings import Reported
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.placement.packing.change import Left, PackedChange, Part, left_out
from weighbridge.policies.placement.packing.occupancy import Entry, PackingState
from weighbridge.policies.placement.packing.problem import Problem
from weighbridge.policies.placement.packing.shortages import asks_of
from weighbridge.policies.pods.own_pods import own_pods

_PODS: Final = "pods"


@dataclass(frozen=True, slots=True)
class Device(Reported):
    """One resource of a node: its amount, what running pods take, and what each workload of the change takes, by its number."""

    resource: str
    has: int
    runs: int
    taken: Sequence[tuple[int, int]]

    @property
    def free(self) -> int:
        """What is left."""
        return max(self.has - self.runs - sum(count for _, count in self.taken), 0)


@dataclass(frozen=True, slots=True)
class Row:
    """Equal nodes: their names, their devices, and how many pods of each workload one has."""

    names: Sequence[str]
    devices: Sequence[Device]
    pods: Mapping[int, int]
    is_closed: bool = False


@dataclass(slots=True)
class Shown:
    """Equal pods of a workload: its name, their role, the request of one, and how many are wanted and placed."""

    label: str
    role: str
    asks: str
    wanted: int
    placed: int = 0


@dataclass(frozen=True, slots=True)
class Outside:
    """An object for which there isn't enough room, and why."""

    label: str
    why: str


@dataclass(slots=True)
class Picture:
    """The whole picture. `knows_running` says that the running pods are known."""

    rows: list[Row]
    shown: list[Shown]
    outside: list[Outside]
    knows_running: bool
    is_whole: bool = True
    idle: int = 0

    def total(self, resource: str) -> tuple[int, int, int, int]:
        """The amounts of a resource: in total, taken by running pods, taken by the change, and free."""
        found = [(len(row.names), device) for row in self.rows for device in row.devices if device.resource == resource]
        has = sum(count * device.has for count, device in found)
        runs = sum(count * device.runs for count, device in found)
        free = sum(count * device.free for count, device in found)
        return has, runs, has - runs - free, free

    @property
    def resources(self) -> list[str]:
        """The resources that nodes have."""
        return list(dict.fromkeys(device.resource for row in self.rows for device in row.devices))


def picture_of(parts: Sequence[Part], facts: Facts, config: Configuration, others: Sequence[Outside] = ()) -> Picture:
    """The picture of the parts of a change; `others` are objects that don't fit even alone."""
    running = _running(parts, facts)
    used = {name: {**use.used, _PODS: use.pods} for name, use in running.items()}
    change = PackedChange.of(parts, facts, used, patient=False, names_all=True)
    left, occupancy = left_out(change, config)
    painter = _Painter(change, facts, running)
    shown = list(painter.shown(left))
    rows = painter.rows(occupancy)
    outside = [*others, *(Outside(parts[number].label, _words(one)) for number, one in left.items())]
    outside += [
        Outside(one.label, "which nodes could run its pods isn't known in advance")
        for number, one in enumerate(parts)
        if number not in change.wanted
    ]
    for row in rows:
        for number, count in row.pods.items():
            shown[number].placed += count * len(row.names)
    seen = [row for row in rows if row.devices or row.pods]
    idle = sum(len(row.names) for row in rows) - sum(len(row.names) for row in seen)
    return Picture(seen, shown, outside, facts.occupancy is not None, occupancy is not None, idle)


def _words(left: Left) -> str:
    rivals = ", ".join(left.rivals)
    beside = f"not together with {rivals}: " if rivals else ""
    room = f"{left.room} of {left.asked} fit; " if left.room else ""
    return f"{room}{beside}{left.why}"


def _running(parts: Sequence[Part], facts: Facts) -> Mapping[str, NodeUse]:
    """The use of each node by running pods, without those that the change replaces."""
    if facts.occupancy is None:
        return {}
    found = dict(facts.occupancy.nodes)
    by_namespace: dict[str, list[Part]] = {}
    for one in parts:
        by_namespace.setdefault(one.namespace, []).append(one)
    for namespace, own in by_namespace.items():
        pods = own_pods((groups.workload for one in own for groups in one.groups), namespace)
        for name, use in found.items() if pods is not None else ():
            if pods is not None and (gone := pods.among(use)):
                found[name] = use.without(gone)
    return found


@dataclass(slots=True)
class _Painter:
    """Finds the pods on each node."""

    change: PackedChange
    facts: Facts
    running: Mapping[str, NodeUse]
    #: The workload under which a pod of a kind is shown: several may have equal pods, which are assigned to them in turn.
    _owners: dict[int, list[list[int]]] = field(default_factory=dict)
    problem: Problem = field(init=False)

    def shown(self, left: Mapping[int, Left]) -> Iterator[Shown]:
        """The workloads with their roles, in the order of the objects."""
        members = {id(member): kind for kind, member in enumerate(self.change.laid.members)}
        index = 0
        for number in sorted(self.change.wanted):
            part = self.change.parts[number]
            for groups, wanted in zip(part.groups, self.change.wanted[number], strict=True):
                room = left[number].room if number in left else wanted.groups
                for role, (member, count) in zip(groups.pods, wanted.pods, strict=True):
                    yield Shown(part.label, role, asks_of(member), 0 if wanted.is_daemon else count * wanted.groups)
                    if not wanted.is_daemon:
                        self._owners.setdefault(members[id(member)], []).append([index, count * room])
                    index += 1

    def rows(self, occupancy: PackingState | None) -> list[Row]:
        """The nodes, equal ones together."""
        inventory = self.facts.inventory
        found: dict[object, list[str]] = {}
        rows: dict[object, Row] = {}
        self.problem = occupancy.problem if occupancy is not None else self.change.laid.problem
        held = dict(self._held(occupancy)) if occupancy is not None else {}
        for node in inventory.nodes if inventory is not None else ():
            devices, pods = self._devices(node, held.get(node.name, {})), held.get(node.name, {})
            closed = node.unschedulable or not node.ready
            alike = (tuple((one.resource, one.has, one.runs, tuple(one.taken)) for one in devices), tuple(sorted(pods.items())), closed)
            found.setdefault(alike, []).append(node.name)
            rows[alike] = Row(found[alike], devices, pods, closed)
        return sorted(rows.values(), key=lambda row: (not row.pods, not row.devices, row.is_closed, row.names[0]))

    def _devices(self, node: Node, pods: Mapping[int, int]) -> list[Device]:
        use = self.running.get(node.name)
        found = []
        for resource, has in node.amounts.items():
            if is_device(resource) and has > 0:
                runs = min(use.used.get(resource, 0), has) if use is not None else 0
                taken = [(number, count * self._asked(number, resource)) for number, count in sorted(pods.items())]
                found.append(Device(resource, has, runs, [one for one in taken if one[1]]))
        return found

    def _asked(self, number: int, resource: str) -> int:
        kind = next(kind for kind, owners in self._owners.items() for index, _ in owners if index == number)
        return self.change.laid.members[kind].wants.get(resource, 0)

    def _held(self, occupancy: PackingState) -> Iterator[tuple[str, dict[int, int]]]:
        """The pods of the change on each node, by the number of the workload."""
        names = [list(own) for own in self.change.laid.names]
        for entry, count in sorted(occupancy.nodes.items()):
            for name in _taken(names[entry[0]], count) if entry[2] else ():
                yield name, self._given(entry)

    def _given(self, entry: Entry) -> dict[int, int]:
        """The pods of one node, assigned to the workloads that want such pods."""
        found: dict[int, int] = {}
        for kind, count in self._pods(entry):
            left = count
            for owner in self._owners.get(kind, ()):
                part = min(left, owner[1])
                if part:
                    found[owner[0]] = found.get(owner[0], 0) + part
                    owner[1] -= part
                    left -= part
        return found

    def _pods(self, entry: Entry) -> Iterator[tuple[int, int]]:
        """The pods of a node by their members; those of a large group are counted one by one."""
        problem, laid = self.problem, self.change.laid
        for kind, count in entry[2]:
            original = problem.twin_of.get(kind, kind)
            for member, pods in laid.inside.get(original, ((original, 1),)):
                yield member, pods * count


def _taken(names: list[str], count: int) -> Iterable[str]:
    found, names[:count] = names[:count], []
    return found
