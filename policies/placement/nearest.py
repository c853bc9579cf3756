"""The nearest misses as texts: what no node has, then the nodes with the fewest reasons against the pod.

At most five lines, the most useful first; the same pod and the same nodes give the same lines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice

from weighbridge.policies.facts import Inventory, Node, Taint
from weighbridge.policies.facts.selectors import Requirement
from weighbridge.policies.facts.tolerations import untolerated
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.placement.cordon import UNSCHEDULABLE
from weighbridge.policies.placement.filters import Filter, PodFilters
from weighbridge.policies.placement.nearest_labels import PLURALS, Lack, differences, unmet_label, unmet_labels
from weighbridge.policies.placement.nearest_resources import Share, absent_resources, amount_text, lacking, scarce_resources, share_of
from weighbridge.policies.placement.shapes import Group
from weighbridge.policies.placement.wordings import MISMATCH, NARROWED_AWAY, NO_ROOM

MOST_LINES = 5
_ZONE = "topology.kubernetes.io/zone"
_MOST_GROUPS, _MOST_CAUSES, _MOST_NEAR = 500, 3, 3
# A node is named next to the nearest one if the difference of their distances is less than this.
_AS_NEAR = 0.5


@dataclass(slots=True)
class _Near:
    """Nodes that don't fit for the same reasons: `causes`, and too little of resources; `distance` says how far off they are."""

    name: str
    size: int
    causes: tuple[Lack, ...]
    shares: tuple[Share, ...]
    distance: float

    def line(self, scarce: Mapping[str, str], *, is_more: bool) -> str:
        """The nodes and why they don't fit. Resources of which no node has enough come first; `scarce` has their requested amounts.

        With `is_more` an earlier line names something for which no node fits.
        """
        is_one = self.size == 1
        names = self.name if is_one else f"{self.name} and {self.size - 1} more"
        lead = "apart from that, " if is_more else ""
        match self.causes, self.shares:
            case (), ():
                return f"apart from that, {names} would fit"
            case (cause,), ():
                return f"{lead}{names} would fit, but {_clause(cause, is_one=is_one)}"
            case (), (share,):
                return f"{lead}{names} {'has' if is_one else 'have'} {share.text}{share.note}"
        lacks = {share.resource: f"{'it has' if is_one else 'they have'} {share.text}{share.note}" for share in self.shares}
        nowhere = [f"{text}, and no node has {scarce[name]}" for name, text in lacks.items() if name in scarce]
        causes = [_clause(cause, is_one=is_one) for cause in self.causes]
        reasons = [*nowhere, *causes, *(text for name, text in lacks.items() if name not in scarce)]
        return f"{lead}{names} {'doesn' if is_one else 'don'}'t fit for {len(reasons)} reasons: {'; '.join(reasons)}"


def _clause(cause: Lack, *, is_one: bool) -> str:
    """A cause as a clause about one node or several."""
    verb, rest = cause
    if not verb:
        return rest
    return f"it {verb} {rest}" if is_one else f"they {PLURALS[verb]} {rest}"


def nearest_misses(filters: PodFilters, groups: list[Group], inventory: Inventory) -> list[str]:
    """The lines about a pod that fits no node."""
    beyond = filters.pod.beyond_counting
    lines = [f"{name}: the request is larger than the scheduler can count, so it would misjudge the pod" for name in beyond]
    unmet = dict.fromkeys(unmet_labels(filters.affinity, inventory))
    absent = absent_resources(filters.pod, filters.by_devices, inventory)
    lines += [*(unmet_label(requirement, inventory) for requirement in islice(unmet, MOST_LINES)), *absent.values()]
    is_more = bool(lines)
    best = dict(scarce_resources(filters.pod, inventory))
    scarce = {share.resource: amount_text(share.resource, filters.pod.requests[share.resource]) for share in best}
    shown: set[Share] = set()
    for near in _nearest(filters, _worth_asking(groups), unmet, {*absent, *beyond}, inventory.own.amounts)[:_MOST_NEAR]:
        if near.causes or near.shares or is_more:
            lines.append(near.line(scarce, is_more=is_more))
            shown.update(near.shares)
    lines += [line for share, line in best.items() if share not in shown]
    return lines[:MOST_LINES]


def _worth_asking(groups: list[Group]) -> list[Group]:
    """The groups to check; if there are very many, only those that the pod's selectors choose."""
    if len(groups) <= _MOST_GROUPS:
        return groups
    meant = [group for group in groups if MISMATCH not in group.reasons and NARROWED_AWAY not in group.reasons]
    return (meant or groups)[:_MOST_GROUPS]


def _nearest(
    filters: PodFilters, groups: Iterable[Group], unmet: Collection[Requirement], said: Collection[str], own: frozenset[str]
) -> list[_Near]:
    """The nodes with the fewest causes, apart from labels and resources that are in earlier lines.

    Nodes with the same causes are together.
    """
    found: dict[tuple[object, ...], _Near] = {}
    for group in groups:
        causes = tuple(_causes(filters, group, unmet))
        lacks = [name for name in lacking(filters.pod, filters.by_devices, group.node) if name not in said]
        shares = tuple(share_of(name, group.node, filters.pod.requests[name]) for name in lacks)
        distance = len(causes) + sum(_distance(filters, name, group.node) for name in lacks)
        near = found.setdefault((causes, shares), _Near(group.node.name, 0, causes, shares, distance))
        # If the amount is each node's own, only this node is known to have it.
        near.size = max(near.size, 1) if own.intersection(lacks) else near.size + group.size
    best = min((near.distance for near in found.values()), default=0)
    nearest = [near for near in found.values() if near.distance < best + _AS_NEAR and near.distance <= _MOST_CAUSES]
    return sorted(nearest, key=lambda near: (near.distance, -near.size))


def _distance(filters: PodFilters, resource: str, node: Node) -> float:
    """The distance of a node that has too little of a resource; having none counts more than a taint and a label."""
    return 2.5 - node.amounts.get(resource, 0) / filters.pod.requests[resource]


def _causes(filters: PodFilters, group: Group, unmet: Collection[Requirement]) -> Iterator[Lack]:
    """Why a node doesn't fit, apart from the resources that it lacks and the labels that no node has."""
    node = group.node
    refusing = set(filters.refusing(node))
    if Filter.NODE_UNSCHEDULABLE in refusing:
        yield "is", "cordoned"
    if Filter.TAINT_TOLERATION in refusing:
        # A cordon and its taint are one cause: uncordoning removes both.
        taints = untolerated(filters.pod.tolerations, node.taints)
        yield from (("", _taint(taint)) for taint in taints if not (taint == UNSCHEDULABLE and node.unschedulable))
    if Filter.NODE_AFFINITY in refusing:
        yield from differences(filters.affinity, node, unmet)
    if node.amounts.get("pods", 0) <= 0:
        yield "has", "no room for pods (allocatable.pods)"
    if Filter.NODE_VOLUME_LIMITS in refusing:
        yield from (("lacks", f"the CSI driver {driver}") for driver in filters.volume_limits.missing(node))
        exceeded = filters.volume_limits.exceeded(node)
        yield from (("can attach", f"{most} of the pod's {count} volumes of {driver}") for driver, count, most in exceeded)
    if Filter.VOLUME_BINDING in refusing:
        no_room = NO_ROOM in filters.volumes.check(node)
        yield ("has", "too little room left for the pod's volumes") if no_room else ("can't reach", _volumes(filters, node))
    yield from _missing_topology(filters, node, refusing)
    if not refusing:
        yield from (("", f'kube-scheduler reports "{reason}"') for reason in group.reasons)


def _volumes(filters: PodFilters, node: Node) -> str:
    """The volumes of the pod that a node can't reach, with the zones of both if these are known to differ."""
    zone, own = filters.volumes.wished_labels().get(_ZONE, ""), node.labels.get(_ZONE, "")
    where = f", which are in zone {zone}, not in {own}" if zone and own and zone != own else ""
    return f"the pod's volumes{where}"


def _missing_topology(filters: PodFilters, node: Node, refusing: set[Filter]) -> Iterator[Lack]:
    if Filter.POD_TOPOLOGY_SPREAD in refusing:
        missing = dict.fromkeys(key for key in filters.spread_keys if key not in node.labels)
        yield from (("lacks", f"the topology label {key}") for key in missing)
    if Filter.INTER_POD_AFFINITY in refusing:
        if not filters.company.by_itself:
            yield "lacks", "the pods that the pod's affinity requires"
        else:
            missing = dict.fromkeys(key for key in filters.company.keys if key not in node.labels)
            yield from (("lacks", f"the topology label {key}") for key in missing)


def _taint(taint: Taint) -> str:
    """A taint that the pod doesn't tolerate, with a toleration of it."""
    return f"the pod doesn't tolerate the taint {taint} (toleration: {{key: {taint.key}, operator: Exists, effect: {taint.effect}}})"
