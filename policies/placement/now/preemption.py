"""Finds the pods that kube-scheduler would preempt for a pod, and the node.

All pods of a lower priority are removed from a node, and as many as possible come back, the more important first. If pods are known only by
their sums, there is an answer only if it doesn't depend on them. PodDisruptionBudgets, and pods that are preempted as a group, aren't
considered. Source: Kubernetes v1.37, pkg/scheduler/framework/plugins/defaultpreemption (`SelectVictimsOnNode`) and framework/preemption
(`pickOneNodeForPreemption`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from weighbridge.policies.facts import Node
from weighbridge.policies.facts.occupancy import Holder, NodeUse
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.placement.now.room import Room

#: The lowest possible priority, from which priorities count.
_LEAST_PRIORITY: Final = -(2**31)
#: Sorts after every time: the start of a pod that hasn't started.
_NOT_STARTED: Final = "~"


@dataclass(frozen=True, slots=True)
class PreemptionCandidate:
    """A node on which preemption makes room; `victims` is `None` if the pods can't be known."""

    node: str
    victims: tuple[Holder, ...] | None


def makes_room(room: Room, node: Node, use: NodeUse, priority: int) -> bool:
    """Whether there is room for a pod of this priority if all pods of lower ones are removed."""
    return room.fits(node, use.from_priority(priority))


def candidate(room: Room, node: Node, use: NodeUse, priority: int) -> PreemptionCandidate:
    """A node on which preemption makes room, with the pods that would be removed for one of this priority."""
    left = use.from_priority(priority)
    lower = sorted((holder for holder in use.holders if holder.priority < priority), key=_importance)
    # The other pods of lower priority aren't known one by one. If nothing depends on them, all of them stay.
    others = use.without(lower)
    victims = _victims(room, node, others, lower)
    if not use.is_every_holder or not room.fits(node, others) or victims != _victims(room, node, left, lower) or not victims:
        return PreemptionCandidate(node.name, None)
    return PreemptionCandidate(node.name, victims)


def _victims(room: Room, node: Node, left: NodeUse, lower: Sequence[Holder]) -> tuple[Holder, ...]:
    """The pods for which a node has no room any more, if the more important ones come back first."""
    kept: list[Holder] = []
    gone: list[Holder] = []
    for holder in lower:
        (kept if room.fits(node, _with(left, [*kept, holder])) else gone).append(holder)
    return tuple(gone)


def _with(use: NodeUse, holders: Sequence[Holder]) -> NodeUse:
    """The use of a node with some additional pods; their priorities don't matter."""
    used = dict(use.used)
    for holder in holders:
        for name, amount in holder.requests.items():
            used[name] = used.get(name, 0) + amount
    ports = (*use.ports, *(port for holder in holders for port in holder.ports))
    return NodeUse(use.pods + len(holders), used, ports, {})


def _importance(holder: Holder) -> tuple[int, str]:
    return -holder.priority, holder.started or _NOT_STARTED


def chosen(candidates: Sequence[PreemptionCandidate]) -> list[PreemptionCandidate]:
    """The candidates of which the scheduler takes one: several if it has no preference, and all if some victims aren't known."""
    if len(candidates) < 2 or any(found.victims is None for found in candidates):
        return list(candidates)
    left = list(candidates)
    for score in (_highest, _sum_of_priorities, _number, _earliest):
        best = max(score(found.victims or ()) for found in left)
        left = [found for found in left if score(found.victims or ()) == best]
    return left


def _highest(victims: Sequence[Holder]) -> tuple[int, str]:
    return -max(victim.priority for victim in victims), ""


def _sum_of_priorities(victims: Sequence[Holder]) -> tuple[int, str]:
    return -sum(victim.priority - _LEAST_PRIORITY for victim in victims), ""


def _number(victims: Sequence[Holder]) -> tuple[int, str]:
    return -len(victims), ""


def _earliest(victims: Sequence[Holder]) -> tuple[int, str]:
    """The earliest start among the most important victims; a later one is better."""
    highest = max(victim.priority for victim in victims)
    return 0, min(victim.started or _NOT_STARTED for victim in victims if victim.priority == highest)
