"""Whether a pod finds a node with what runs there now; and if not, what the scheduler says and does.

Of the pods that run, what they request, their number and their ports count. Their labels aren't known, so affinity to them, topology
spread and volumes are judged as on an empty cluster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Final, TypeAlias

from weighbridge.policies.facts import Inventory, Node
from weighbridge.policies.facts.occupancy import Holder, NodeUse, Occupancy, devices_of, is_device
from weighbridge.policies.ground.records import dataclass, field
from weighbridge.policies.placement.dynamic_resources import PodDevices
from weighbridge.policies.placement.filters import Filter, PodFilters
from weighbridge.policies.placement.message import NO_VICTIMS, UNHELPFUL, refused_everywhere, room_by_preemption
from weighbridge.policies.placement.node_affinity import NARROWED_AWAY
from weighbridge.policies.placement.now.preemption import Candidate, candidate, chosen
from weighbridge.policies.placement.now.room import Lack, Room
from weighbridge.policies.placement.shapes import Group, Verdicts
from weighbridge.policies.placement.volumes.limits import TOO_MANY_VOLUMES
from weighbridge.policies.pods.own_pods import OwnPods

#: The use of a node by its name.
_UseOf: TypeAlias = Callable[[str], NodeUse]
#: Nodes that are named, and nodes that are looked at for them.
MOST_NEAR: Final = 3
_MOST_LOOKED_AT: Final = 64
#: As many nodes the scheduler tries at least before it chooses one.
_MOST_CANDIDATES: Final = 100
#: The filters before those that go by the pods of a node.
_BEFORE: Final = (Filter.NODE_UNSCHEDULABLE, Filter.TAINT_TOLERATION, Filter.NODE_AFFINITY)


@dataclass(frozen=True, slots=True)
class Asked:
    """A pod with its filters, and the verdict on each node when it is empty."""

    filters: PodFilters
    devices: PodDevices
    inventory: Inventory
    verdicts: Verdicts


@dataclass(frozen=True, slots=True)
class Short:
    """A node that would take the pod if less ran there: what it lacks, and the holders that would have to go."""

    node: str
    lacks: tuple[Lack, ...]
    ports: tuple[str, ...] = ()
    without: tuple[Holder, ...] = ()


@dataclass(frozen=True, slots=True)
class Today:
    """The answer for now. `feasible` are nodes with room: all of them, or the first if no more was asked for.

    `message` is the scheduler's text if no node has room, and empty where it wasn't asked for. `near` are the nodes that lack the least,
    `scarce` is a resource of which no node has enough left, and `candidates` are nodes on which preemption would make room.
    """

    feasible: Sequence[str] = ()
    message: str = ""
    near: Sequence[Short] = ()
    scarce: str = ""
    candidates: Sequence[Candidate] = field(default_factory=list)

    @property
    def fits(self) -> bool:
        """Whether a node has room now."""
        return bool(self.feasible)


def today(asked: Asked, occupancy: Occupancy, own: OwnPods | None = None, *, whole: bool) -> Today:
    """Where the pod fits now, with its `own` pods gone. With `whole` all nodes are named, and the scheduler's message is given."""
    room = Room(asked.filters)
    if not whole:
        # With fewer pods it fits all the more.
        first = next(_with_room(asked, room, occupancy.on), None)
        if first is not None:
            return Today((first,))
    less = _without(own, occupancy) if own is not None else None
    use_of = less or occupancy.on
    feasible = list(_with_room(asked, room, use_of)) if whole or less else []
    if feasible:
        return Today(feasible)
    if whole:
        return _refused(asked, room, use_of)
    near, scarce = _nearest(asked, room, use_of)
    return Today((), "", near, scarce, _candidates(asked, room, use_of))


def _without(own: OwnPods, occupancy: Occupancy) -> _UseOf | None:
    """The use of nodes without some pods; `None` if none of them runs."""
    changed = {name: use.without(gone) for name, use in occupancy.nodes.items() if (gone := own.among(use))}
    if not changed:
        return None

    def use_of(name: str) -> NodeUse:
        return changed.get(name) or occupancy.on(name)

    return use_of


def _fitting(asked: Asked) -> Iterator[Node]:
    """The nodes that take the pod if they are empty."""
    return (node for node in map(asked.inventory.node, asked.verdicts.fitting) if node is not None)


def _with_room(asked: Asked, room: Room, use_of: _UseOf) -> Iterator[str]:
    return (node.name for node in _fitting(asked) if room.fits(node, use_of(node.name)))


def _nearest(asked: Asked, room: Room, use_of: _UseOf) -> tuple[list[Short], str]:
    """The nodes that lack the least, and a resource of which none has enough.

    They are looked for by the pod's devices, or else by all that it asks for.
    """
    wanted = {name: count for name, count in room.requests.items() if is_device(name)} or room.requests
    best: list[Node] = []
    most, scarce = -1.0, dict(wanted)
    for node in _fitting(asked):
        amounts, used = node.amounts, use_of(node.name).used
        least = 1.0
        for name, count in wanted.items():
            free = amounts.get(name, 0) - used.get(name, 0)
            if free < count:
                least = min(least, free / count)
            elif name in scarce:
                del scarce[name]
        if least > most:
            most, best = least, []
        if least == most and len(best) < _MOST_LOOKED_AT:
            best.append(node)
    found = [_short(room, node, use_of(node.name)) for node in best]
    found.sort(key=lambda short: (len(short.lacks) + len(short.ports), not short.without, len(short.without)))
    return found[:MOST_NEAR], next(iter(scarce), "")


def _short(room: Room, node: Node, use: NodeUse) -> Short:
    ports = tuple(f"{port.port}/{port.protocol}" for port in room.taken(use))
    return Short(node.name, tuple(room.lacks(node, use)), ports, _enough(room, node, use))


def _enough(room: Room, node: Node, use: NodeUse) -> tuple[Holder, ...]:
    """A few holders of devices without which the node would do; one that is just enough before several. None if that isn't known."""
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
    # Of those that were taken first, some may not be needed any more.
    for holder in list(gone):
        rest = [other for other in gone if other is not holder]
        if room.fits(node, use.without(rest)):
            gone = rest
    return tuple(gone)


def _candidates(asked: Asked, room: Room, use_of: _UseOf) -> list[Candidate]:
    """The nodes of which the scheduler would take one for preemption."""
    pod = asked.filters.pod
    if not pod.preempts:
        return []
    found: list[Candidate] = []
    for node in _fitting(asked):
        use = use_of(node.name)
        if use.has_below(pod.priority) and (made := candidate(room, node, use, pod.priority)) is not None:
            found.append(made)
            if len(found) > _MOST_CANDIDATES:
                # It takes some of so many, by chance.
                return [Candidate(one.node, None) for one in found]
    return chosen(found)


def _refused(asked: Asked, room: Room, use_of: _UseOf) -> Today:
    """The answer with the scheduler's message, for which every node is asked."""
    pod = asked.filters.pod
    reasons: Counter[str] = Counter()
    preemption: Counter[str] = Counter()
    by_node: list[tuple[Node, tuple[str, ...]]] = []
    is_early = {key: _is_early(asked.filters, group) for key, group in asked.verdicts.groups.items()}
    for node, group, key in _nodes(asked):
        use = use_of(node.name)
        here = () if is_early[key] else room.refusal(node, use)
        given = here or group.reasons
        by_node.append((node, given))
        reasons.update(given)
        is_final = is_early[key] or (bool(here) and not room.taken(use) and room.is_too_much(node))
        is_final = is_final or not (here or given == (TOO_MANY_VOLUMES,))
        preemption.update(_after_preemption(room, node, use, group, pod.priority, is_final=is_final))
    candidates = _candidates(asked, room, use_of)
    if candidates:
        only = candidates[0] if len(candidates) == 1 else None
        text = room_by_preemption(len(by_node), reasons, only.node if only else "", len(only.victims or ()) if only else 0)
    else:
        text = refused_everywhere(len(by_node), reasons, preemption, asked.devices.last_word(by_node), preempts=pod.preempts)
    return Today((), text, *_nearest(asked, room, use_of), candidates)


def _nodes(asked: Asked) -> Iterator[tuple[Node, Group, Hashable]]:
    for name, key in asked.verdicts.group_of.items():
        node = asked.inventory.node(name)
        if node is not None:
            yield node, asked.verdicts.groups[key], key


def _is_early(filters: PodFilters, group: Group) -> bool:
    """Whether nodes are refused before anybody looks at their pods."""
    return group.reasons == (NARROWED_AWAY,) or any(filters.checks[name](group.node) for name in _BEFORE)


def _after_preemption(room: Room, node: Node, use: NodeUse, group: Group, priority: int, *, is_final: bool) -> tuple[str, ...]:
    """Why preemption doesn't make room on a node; nothing where it does."""
    if is_final:
        return (UNHELPFUL,)
    if not use.has_below(priority):
        return (NO_VICTIMS,)
    return room.refusal(node, use.from_priority(priority)) or group.reasons
