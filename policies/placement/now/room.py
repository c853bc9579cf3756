"""The filters of kube-scheduler that depend on the pods of a node: NodePorts, and NodeResourcesFit with what is taken.

Source: Kubernetes v1.37, pkg/scheduler/framework/plugins/nodeports and noderesources/fit.go (`fitsRequest`).
"""

from __future__ import annotations

from weighbridge.policies.facts import Node
from weighbridge.policies.facts.occupancy import HostPort, NodeUse, clashing
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.placement.filters import PodFilters
from weighbridge.policies.placement.wordings import PORTS_TAKEN, TOO_MANY_PODS, insufficient
from weighbridge.policies.pods.running_pod import host_ports


@dataclass(frozen=True, slots=True)
class Lack:
    """A resource of which a node has less left than a pod requests; the number of pods counts as a resource."""

    resource: str
    free: int
    wanted: int


class Room:
    """What one pod needs of a node."""

    def __init__(self, filters: PodFilters) -> None:
        self.requests, self.by_devices = filters.pod.requests, filters.by_devices
        self.ports = host_ports(filters.pod.spec)

    def refusal(self, node: Node, use: NodeUse) -> tuple[str, ...]:
        """The reasons of the first of the two filters that refuses the node."""
        if self.taken(use):
            return (PORTS_TAKEN,)
        return tuple(TOO_MANY_PODS if lack.resource == "pods" else insufficient(lack.resource) for lack in self.lacks(node, use))

    def taken(self, use: NodeUse) -> list[HostPort]:
        """The ports that the pod wants and other pods have."""
        return list(clashing(self.ports, use.ports)) if self.ports and use.ports else []

    def lacks(self, node: Node, use: NodeUse) -> list[Lack]:
        """All resources of which too little is left, in the scheduler's order."""
        amounts, used = node.amounts, use.used
        found = [] if use.pods < amounts.get("pods", 0) else [Lack("pods", max(amounts.get("pods", 0) - use.pods, 0), 1)]
        for name, wanted in self.requests.items():
            has = amounts.get(name, 0)
            free = has - used.get(name, 0)
            if wanted > free and not (has <= 0 and name in self.by_devices):
                found.append(Lack(name, max(free, 0), wanted))
        return found

    def fits(self, node: Node, use: NodeUse) -> bool:
        """Whether the node has room for the pod; cheaper than the reasons."""
        amounts, used = node.amounts, use.used
        if use.pods >= amounts.get("pods", 0):
            return False
        for name, wanted in self.requests.items():
            if wanted > amounts.get(name, 0) - used.get(name, 0) and not (amounts.get(name, 0) <= 0 and name in self.by_devices):
                return False
        return not self.taken(use)

    def is_too_much(self, node: Node) -> bool:
        """Whether the node never has as much as the pod requests, even without other pods."""
        amounts = node.amounts
        return any(
            wanted > amounts.get(name, 0) and not (amounts.get(name, 0) <= 0 and name in self.by_devices)
            for name, wanted in self.requests.items()
        )
