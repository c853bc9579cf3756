"""What running pods take of each node: sums by priority, and the few pods that hold the most of its devices.

Pods themselves aren't kept. As in kube-scheduler, the sums are of what pods request, whether they use it or not. Source: Kubernetes
v1.37, pkg/scheduler/framework (`NodeInfo`) and kube-scheduler/framework (`HostPortInfo`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final, TypeAlias

from weighbridge.policies.ground.records import dataclass, replace

#: Amounts by resource, as the scheduler counts them: CPU in thousandths, everything else in whole units.
Amounts: TypeAlias = Mapping[str, int]
#: The most pods of a node that are named; a machine rarely has more devices.
MOST_HOLDERS: Final = 16
EVERY_ADDRESS, USUAL_PROTOCOL = "0.0.0.0", "TCP"  # noqa: S104 - a pod's, and nothing listens here
_NO_AMOUNTS: Final[Amounts] = {}


@dataclass(frozen=True, slots=True)
class HostPort:
    """A port of a node that a pod takes."""

    port: int
    protocol: str = USUAL_PROTOCOL
    address: str = EVERY_ADDRESS


def clashing(ports: Iterable[HostPort], others: Iterable[HostPort]) -> Iterator[HostPort]:
    """Those of the ports that can't be on a node with the others. A pod may have thousands, so each is looked at once."""
    taken: dict[tuple[int, str], set[str]] = {}
    for other in others:
        taken.setdefault((other.port, other.protocol), set()).add(other.address)
    for port in ports:
        addresses = taken.get((port.port, port.protocol))
        if addresses and (port.address == EVERY_ADDRESS or not addresses.isdisjoint((port.address, EVERY_ADDRESS))):
            yield port


@dataclass(frozen=True, slots=True)
class RunningPod:
    """A pod on a node. `name` includes its namespace; `started` is the time of its start, as the API server writes times, or empty."""

    name: str
    node: str
    priority: int
    requests: Amounts
    ports: tuple[HostPort, ...] = ()
    started: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """What the pods of one priority take of a node."""

    pods: int
    requests: Amounts
    ports: tuple[HostPort, ...] = ()


@dataclass(frozen=True, slots=True)
class Holder:
    """A pod with devices of a node. Its `name` is empty if names are left out."""

    name: str
    priority: int
    requests: Amounts
    ports: tuple[HostPort, ...] = ()
    started: str = ""

    @property
    def namespace(self) -> str:
        """The pod's namespace."""
        return self.name.partition("/")[0]


@dataclass(frozen=True, slots=True)
class NodeUse:
    """What pods take of one node: all together, and those of each priority.

    `holders` are the pods with the most devices, the largest first, and `namespaces` their namespaces; `is_every_holder` says that no other
    pod has devices.
    """

    pods: int
    used: Amounts
    ports: tuple[HostPort, ...]
    shares: Mapping[int, Share]
    holders: tuple[Holder, ...] = ()
    is_every_holder: bool = True
    namespaces: frozenset[str] = frozenset()

    @classmethod
    def of(cls, pods: Iterable[RunningPod]) -> NodeUse:
        """The use of a node by its pods."""
        by_priority: dict[int, list[RunningPod]] = {}
        holders: list[Holder] = []
        for pod in pods:
            by_priority.setdefault(pod.priority, []).append(pod)
            if any(map(is_device, pod.requests)):
                holders.append(Holder(pod.name, pod.priority, pod.requests, pod.ports, pod.started))
        shares = {
            priority: Share(len(own), _sum(pod.requests for pod in own), tuple(port for pod in own for port in pod.ports))
            for priority, own in by_priority.items()
        }
        holders.sort(key=lambda holder: (-devices_of(holder.requests), holder.priority, holder.name))
        return cls.of_shares(shares, tuple(holders[:MOST_HOLDERS]), is_every_holder=len(holders) <= MOST_HOLDERS)

    @classmethod
    def of_shares(cls, shares: Mapping[int, Share], holders: tuple[Holder, ...] = (), *, is_every_holder: bool = True) -> NodeUse:
        """The use of a node from what the pods of each priority take."""
        every = shares.values()
        ports = tuple(port for share in every for port in share.ports)
        used = _sum(share.requests for share in every)
        namespaces = frozenset(holder.namespace for holder in holders)
        return cls(sum(share.pods for share in every), used, ports, shares, holders, is_every_holder, namespaces)

    def has_below(self, priority: int) -> bool:
        """Whether the node has a pod of a lower priority."""
        return min(self.shares, default=priority) < priority

    def without(self, gone: Iterable[Holder]) -> NodeUse:
        """The use of the node without some of the holders."""
        gone = tuple(gone)
        shares = dict(self.shares)
        for holder in gone:
            share = shares[holder.priority]
            left = {name: amount - holder.requests.get(name, 0) for name, amount in share.requests.items()}
            shares[holder.priority] = Share(share.pods - 1, left, _but(share.ports, holder.ports))
        holders = tuple(holder for holder in self.holders if holder not in gone)
        return NodeUse.of_shares(shares, holders, is_every_holder=self.is_every_holder)

    def from_priority(self, least: int) -> NodeUse:
        """The use of the node without all pods below a priority.

        As in the scheduler, a port that two pods have is free when one of them is removed.
        """
        if not self.has_below(least):
            return self
        shares = {priority: share for priority, share in self.shares.items() if priority >= least}
        holders = tuple(holder for holder in self.holders if holder.priority >= least)
        left = NodeUse.of_shares(shares, holders, is_every_holder=self.is_every_holder)
        freed = {port for priority, share in self.shares.items() if priority < least for port in share.ports}
        return replace(left, ports=tuple(port for port in left.ports if port not in freed)) if freed else left


#: The use of a node without pods.
UNUSED: Final = NodeUse(0, _NO_AMOUNTS, (), {})


class Occupancy:
    """The use of each node, by the node's name; a node that isn't named has no pods. It never changes."""

    def __init__(self, nodes: Mapping[str, NodeUse]) -> None:
        self.nodes = nodes

    @classmethod
    def of(cls, pods: Iterable[RunningPod]) -> Occupancy:
        """The occupancy from pods; only the given pods of a node count."""
        by_node: dict[str, list[RunningPod]] = {}
        for pod in pods:
            by_node.setdefault(pod.node, []).append(pod)
        return cls({node: NodeUse.of(own) for node, own in by_node.items()})

    @cached_property
    def pods(self) -> int:
        """The number of running pods."""
        return sum(use.pods for use in self.nodes.values())


def is_device(resource: str) -> bool:
    """Whether a resource comes from a device plugin, such as a GPU."""
    return "/" in resource


def devices_of(requests: Amounts) -> int:
    """The most devices of one resource among some requests."""
    return max((amount for resource, amount in requests.items() if is_device(resource)), default=0)


def _but(ports: tuple[HostPort, ...], gone: tuple[HostPort, ...]) -> tuple[HostPort, ...]:
    left = list(ports)
    for port in gone:
        if port in left:
            left.remove(port)
    return tuple(left)


def _sum(amounts: Iterable[Amounts]) -> Amounts:
    total: dict[str, int] = {}
    for own in amounts:
        for resource, amount in own.items():
            total[resource] = total.get(resource, 0) + amount
    return total
