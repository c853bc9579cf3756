"""Whether a pod finds a node in addition to the pods that run now; if not, the scheduler's message and what it does.

Of running pods their requests, their number and their ports count. Their labels aren't known, so affinity to them, topology spread and
volumes are judged as on an empty cluster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, TypeAlias

from weighbridge.policies.facts import Inventory, Node
from weighbridge.policies.facts.occupancy import UNUSED, Holder, NodeUse, Occupancy, devices_of, is_device
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.placement.dynamic_resources import PodDevices
from weighbridge.policies.placement.filters import Filter, PodFilters
from weighbridge.policies.placement.message import NO_VICTIMS, UNHELPFUL, refused_everywhere, room_by_preemption
from weighbridge.policies.placement.now.preemption import PreemptionCandidate, candidate, chosen, makes_room
from weighbridge.policies.placement.now.room import Lack, Room
from weighbridge.policies.placement.shapes import Group, Verdicts
from weighbridge.policies.placement.volumes.limits import may_be_preempted
from weighbridge.policies.placement.wordings import NARROWED_AWAY
from weighbridge.policies.pods.own_pods import OwnPods

#: The use of nodes by their names; a missing node is unused.
_Uses: TypeAlias = Mapping[str, NodeUse]
#: The most nodes that are named, and the most that are checked for them.
MOST_NEAR: Final = 3
_MOST_LOOKED_AT: Final = 16
#: The scheduler tries at least as many nodes before it chooses one.
_MOST_CANDIDATES: Final = 100
#: The filters before those that depend on the pods of a node.
_BEFORE: Final = (Filter.NODE_UNSCHEDULABLE, Filter.TAINT_TOLERATION, Filter.NODE_AFFINITY)


@dataclass(frozen=True, slots=True)
class Asked:
    """A pod with its filters, and the verdict on each empty node."""

    filters: PodFilters
    devices: PodDevices
    inventory: Inventory
    verdicts: Verdicts


@dataclass(frozen=True, slots=True)
class Short:
    """A node that would take the pod if less ran there: what it lacks, and the holders that would have to be removed."""

    node: str
    lacks: tuple[Lack, ...]
    ports: tuple[str, ...] = ()
    without: tuple[Holder, ...] = ()


@dataclass(frozen=True, slots=True)
class Today:
    """The answer for now. `feasible` are nodes with room: all of them, or the first if no more was asked for.

    `message` is the scheduler's text if no node has room; empty if it wasn't requested. `near` are the nodes that lack the least,
    `scarce` is a resource of which no node has enough left, and `candidates` are nodes on which preemption would make room.
    """

    feasible: Sequence[str] = ()
    message: str = ""
    near: Sequence[Short] = ()
    scarce: str = ""
    candidates: Sequence[PreemptionCandidate] = field(default_factory=list)

    @property
    def fits(self) -> bool:
        """Whether a node has room now."""
        return bool(self.feasible)


def today(asked: Asked, occupancy: Occupancy, own: OwnPods | None = None, *, whole: bool) -> Today:
    """Where the pod fits now without its `own` pods. With `whole` all nodes are named, and the scheduler's message is given."""
    room = Room(asked.filters)
    if whole:
        uses = (_without(own, occupancy) if own is not None else None) or occupancy.nodes
        feasible = list(_with_room(asked, room, uses))
        return Today(feasible) if feasible else _refused(asked, room, uses)
    # A node with room next to all running pods also has room without the own ones.
    found = _first_or_nearest(asked, room, occupancy.nodes)
    less = _without(own, occupancy) if own is not None and not isinstance(found, str) else None
    if less is not None:
        found = _first_or_nearest(asked, room, less)
    if isinstance(found, str):
        return Today((found,))
    return Today((), "", *found, _candidates(asked, room, less or occupancy.nodes))


def _without(own: OwnPods, occupancy: Occupancy) -> _Uses | None:
    """The use of nodes without some pods; `None` if none of them runs."""
    at = [(name, use) for name, use in occupancy.nodes.items() if not own.namespaces.isdisjoint(use.namespaces)]
    changed = {name: use.without(gone) for name, use in at if (gone := own.among(use))}
    return {**occupancy.nodes, **changed} if changed else None


def _fitting(asked: Asked) -> Iterator[Node]:
    """The nodes that take the pod if they are empty."""
    nodes = asked.inventory.by_name
    fitting = {key for key, group in asked.verdicts.groups.items() if not group.reasons}
    for name, key in asked.verdicts.group_of.items():
        if key in fitting and name in nodes:
            yield nodes[name]


def _with_room(asked: Asked, room: Room, uses: _Uses) -> Iterator[str]:
    return (node.name for node in _fitting(asked) if room.fits(node, uses.get(node.name, UNUSED)))


def _first_or_nearest(asked: Asked, room: Room, uses: _Uses) -> str | tuple[list[Short], str]:
    """The first node with room; if none has, those that lack the least, and a resource of which none has enough.

    They are found by the pod's devices, or else by all its requests.
    """
    by_devices = room.by_devices
    wanted = {name: count for name, count in room.requests.items() if is_device(name)} or room.requests
    best: list[Node] = []
    most, scarce = -1.0, dict(wanted)
    for node in _fitting(asked):
        use = uses.get(node.name, UNUSED)
        amounts, used = node.amounts, use.used
        least = 1.0
        for name, count in wanted.items():
            has = amounts.get(name, 0)
            free = has - used.get(name, 0)
            if free < count and not (has <= 0 and name in by_devices):
                least = min(least, free / count)
            elif name in scarce:
                del scarce[name]
        if least >= 1.0 and room.fits(node, use):
            return node.name
        if least > most:
            most, best = least, []
        if least == most and len(best) < _MOST_LOOKED_AT:
            best.append(node)
    found = [_short(room, node, uses.get(node.name, UNUSED)) for node in best]
    found.sort(key=lambda short: (len(short.lacks) + len(short.ports), not short.without, len(short.without)))
    return found[:MOST_NEAR], next(iter(scarce), "")


def _short(room: Room, node: Node, use: NodeUse) -> Short:
    ports = tuple(f"{port.port}/{port.protocol}" for port in room.taken(use))
    return Short(node.name, tuple(room.lacks(node, use)), ports, _enough(room, node, use))


def _enough(room: Room, node: Node, use: NodeUse) -> tuple[Holder, ...]:
    """A few holders of devices without which the pod would fit; a single one is preferred, and the smallest. Empty if that isn't known."""
    if not use.holders or not room.fits(node, use.without(use.holders)):
        return ()
    for alone in sorted(use.holders, key=lambda holder: (devices_of(holder.requests), holder.priority, holder.name)):
        if room.fits(node, use.without([alone])):
            return (alone,)
    gone: list[Holder] = []
    for holder in use.holders:
        gone.append(holder)
        if room.fits(node, use.without(gone)):
            break
    # Some of the first holders may not be needed any more.
    for holder in list(gone):
        rest = [other for other in gone if other is not holder]
        if room.fits(node, use.without(rest)):
            gone = rest
    return tuple(gone)


def _candidates(asked: Asked, room: Room, uses: _Uses) -> list[PreemptionCandidate]:
    """The nodes of which the scheduler would take one for preemption."""
    pod = asked.filters.pod
    if not pod.preempts:
        return []
    lower = ((node, use) for node in _fitting(asked) if (use := uses.get(node.name, UNUSED)).has_below(pod.priority))
    possible = (node for node, use in lower if makes_room(room, node, use, pod.priority))
    found = list(islice(possible, _MOST_CANDIDATES + 1))
    if len(found) > _MOST_CANDIDATES:
        # If there are this many, the scheduler tries only some, at random.
        return [PreemptionCandidate(node.name, None) for node in found]
    return chosen([candidate(room, node, uses.get(node.name, UNUSED), pod.priority) for node in found])


def _refused(asked: Asked, room: Room, uses: _Uses) -> Today:
    """The answer with the scheduler's message; it checks every node."""
    pod = asked.filters.pod
    reasons: Counter[str] = Counter()
    preemption: Counter[str] = Counter()
    by_node: list[tuple[Node, tuple[str, ...]]] = []
    is_early = {key: _is_early(asked.filters, group) for key, group in asked.verdicts.groups.items()}
    for node, group, key in _nodes(asked):
        use = uses.get(node.name, UNUSED)
        here = () if is_early[key] else room.refusal(node, use)
        given = here or group.reasons
        by_node.append((node, given))
        reasons.update(given)
        is_final = is_early[key] or (bool(here) and not room.taken(use) and room.is_too_much(node))
        is_final = is_final or not (here or may_be_preempted(given))
        preemption.update(_after_preemption(room, node, use, group, pod.priority, is_final=is_final))
    candidates = _candidates(asked, room, uses)
    if candidates:
        only = candidates[0] if len(candidates) == 1 else None
        text = room_by_preemption(len(by_node), reasons, only.node if only else "", len(only.victims or ()) if only else 0)
    else:
        text = refused_everywhere(len(by_node), reasons, preemption, asked.devices.last_word(by_node), preempts=pod.preempts)
    found = _first_or_nearest(asked, room, uses)
    near, scarce = ((), "") if isinstance(found, str) else found
    return Today((), text, near, scarce, candidates)


def _nodes(asked: Asked) -> Iterator[tuple[Node, Group, Hashable]]:
    for name, key in asked.verdicts.group_of.items():
        node = asked.inventory.node(name)
        if node is not None:
            yield node, asked.verdicts.groups[key], key


def _is_early(filters: PodFilters, group: Group) -> bool:
    """Whether nodes are refused by filters that don't depend on their pods."""
    return group.reasons == (NARROWED_AWAY,) or any(filters.checks[name](group.node) for name in _BEFORE)


def _after_preemption(room: Room, node: Node, use: NodeUse, group: Group, priority: int, *, is_final: bool) -> tuple[str, ...]:
    """Why preemption doesn't make room on a node; empty if it does."""
    if is_final:
        return (UNHELPFUL,)
    if not use.has_below(priority):
        return (NO_VICTIMS,)
    return room.refusal(node, use.from_priority(priority)) or group.reasons
