"""Placement: whether kube-scheduler would find a node for a pod, and what it would say if not."""

from __future__ import annotations

from policies.placement.outcome import Placement, Reason
from policies.placement.placement import place, some_node_takes
from policies.placement.workloads import pod_of, pods_of

__all__ = ["Placement", "Reason", "place", "pod_of", "pods_of", "some_node_takes"]
