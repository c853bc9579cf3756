"""What the pods of a live cluster take of its nodes, kept up to date by a watch.

Of each pod its amounts, its priority and its name are kept; pods with the same amounts share one map. The sums of a node are computed again
if one of its pods has changed, when they are next read.
"""

from __future__ import annotations

from collections.abc import Iterable

from weighbridge.policies.facts.occupancy import NodeUse, Occupancy, RunningPod


class RunningPods:
    """The pods of one cluster that have a node, by their names."""

    def __init__(self) -> None:
        self._by_node: dict[str, dict[str, RunningPod]] = {}
        self._node_of: dict[str, str] = {}
        self._uses: dict[str, NodeUse] = {}
        self._changed: set[str] = set()
        self._known: Occupancy | None = None

    def replace(self, pods: Iterable[RunningPod]) -> None:
        """Take these as all pods."""
        self._by_node, self._node_of, self._uses = {}, {}, {}
        for pod in pods:
            self.put(pod)
        self._changed, self._known = set(self._by_node), None

    def put(self, pod: RunningPod) -> None:
        """Take one pod that is new or has changed."""
        before = self._node_of.get(pod.name)
        if before is not None and self._by_node[before][pod.name] == pod:
            return
        if before is not None and before != pod.node:
            self.discard(pod.name)
        self._by_node.setdefault(pod.node, {})[pod.name] = pod
        self._node_of[pod.name] = pod.node
        self._changed.add(pod.node)

    def discard(self, name: str) -> None:
        """Drop one pod that was deleted."""
        node = self._node_of.pop(name, None)
        if node is not None:
            del self._by_node[node][name]
            self._changed.add(node)

    def occupancy(self) -> Occupancy:
        """The present use of the nodes; the same object until a pod changes."""
        if self._known is None or self._changed:
            for node in self._changed:
                if self._by_node.get(node):
                    self._uses[node] = NodeUse.of(self._by_node[node].values())
                else:
                    self._by_node.pop(node, None)
                    self._uses.pop(node, None)
            self._changed = set()
            self._known = Occupancy(dict(self._uses))
        return self._known
