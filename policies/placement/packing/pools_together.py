"""Objects of one change that fit no node, wait for nodes of pools, and together request more than the limits of these pools allow.

Only the limit itself counts, not what is left of it now, since a pool's present nodes may be removed again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.autoscaling.limits import NODES, PoolLimits, pool_limits
from weighbridge.policies.facts.autoscaling.prospects import prospects
from weighbridge.policies.facts.expected import nodes_to_come
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.ground.spelling import listed
from weighbridge.policies.placement.nearest_resources import amount_text
from weighbridge.policies.placement.packing.change import Left, Part
from weighbridge.policies.placement.packing.members import Member, Members, bound_alone


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A waiting object: the pools that may have its nodes, its total requests, and its position among the others."""

    pools: frozenset[str]
    wants: Mapping[str, int]
    rank: tuple[int, str]


def beyond_limits(parts: Sequence[Part], facts: Facts, config: Configuration) -> dict[int, Left]:
    """The objects for which the limits leave no room after those before them, by number. They are sorted by priority, then by name."""
    limits = {found.pool: found for found in pool_limits(facts.objects)}
    if not limits:
        return {}
    members = Members(facts)
    members.look_at(pod for one in parts for groups in one.groups for pod, _ in groups.pods.values())
    waiting = {number: found for number, one in enumerate(parts) if (found := _waiting(one, members, facts, config, limits)) is not None}
    left: dict[int, Left] = {}
    order = sorted(waiting, key=lambda number: waiting[number].rank)
    for pools in dict.fromkeys(waiting[number].pools for number in order):
        most = _most(pools, limits)
        taken: Counter[str] = Counter()
        before: list[int] = []
        for number in order:
            one = waiting[number]
            if number in left or not one.pools <= pools:
                continue
            over = next((name for name, count in one.wants.items() if name in most and taken[name] + count > most[name]), "")
            if over and before:
                asked, may = amount_text(over, taken[over] + one.wants[over]), amount_text(over, most[over])
                rivals = tuple(parts[other].label for other in before if over in waiting[other].wants)
                why = f"they request {asked} {over}, but {listed(sorted(pools))} may have at most {may}"
                left[number] = Left(1, 0, rivals, why, awaits=True)
            else:
                taken.update(one.wants)
                before.append(number)
    return left


def _waiting(one: Part, members: Members, facts: Facts, config: Configuration, limits: Mapping[str, PoolLimits]) -> _Waiting | None:
    """What an object waits for; `None` if its pods fit a node, or may get one other than from pools with limits."""
    pools: set[str] = set()
    wants: Counter[str] = Counter()
    priority = 0
    for groups in one.groups:
        for pod, count in groups.pods.values():
            member = members.member(bound_alone(pod, one.namespace, facts), one.namespace)
            if member is None or groups.is_daemon or member.verdicts.fits or prospects(facts):
                return None
            names = set(_coming(member, facts, config))
            if not names or not names <= limits.keys():
                return None
            pools |= names
            priority = max(priority, member.pod.priority)
            wants.update({name: amount * count * groups.least for name, amount in member.wants.items()})
    return _Waiting(frozenset(pools), wants, (-priority, one.label)) if pools else None


def _coming(member: Member, facts: Facts, config: Configuration) -> Iterator[str]:
    """The pools and other sources of nodes that may be added and would take a pod."""
    for node in (*config.declared_nodes, *nodes_to_come(facts, member.pod.as_object())):
        if not (member.filters.check(node) or member.filters.feature_check(node)) and member.devices.allows(node):
            yield node.name


def _most(pools: frozenset[str], limits: Mapping[str, PoolLimits]) -> dict[str, int]:
    """The total limits of pools, for each resource that all of them limit."""
    common = set.intersection(*(set(limits[pool].most) for pool in pools)) - {NODES}
    return {name: sum(limits[pool].most[name] for pool in pools) for name in common}
