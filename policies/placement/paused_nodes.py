"""Which nodes that take no pods now could run a pod once what keeps pods off them for a while has gone.

Source: Kubernetes v1.36, pkg/scheduler; the taints of a node's conditions in k8s.io/api/core/v1 and cloud-provider/api; those of
Karpenter, Cilium and the cluster autoscaler.
"""

from __future__ import annotations

from typing import Final

from policies.facts import Facts
from policies.fields import items, part
from policies.objects import JSONObject
from policies.placement.placement import place

#: What stands on a node only for a while: as long as it is cordoned, starts, is short of something, or is about to go.
_PAUSED: Final = (
    "node.kubernetes.io/unschedulable",
    "node.kubernetes.io/not-ready",
    "node.kubernetes.io/unreachable",
    "node.kubernetes.io/memory-pressure",
    "node.kubernetes.io/disk-pressure",
    "node.kubernetes.io/pid-pressure",
    "node.kubernetes.io/network-unavailable",
    "node.kubernetes.io/out-of-service",
    "node.cloudprovider.kubernetes.io/uninitialized",
    "node.cloudprovider.kubernetes.io/shutdown",
    "node.cilium.io/agent-not-ready",
    "karpenter.sh/unregistered",
    "karpenter.sh/disrupted",
    "ToBeDeletedByClusterAutoscaler",
    "DeletionCandidateOfClusterAutoscaler",
)
_MOST_NAMED: Final = 3


def paused_nodes(pod: JSONObject, facts: Facts, namespace: str) -> list[str]:
    """The nodes that could run a pod but for what stands on them only for a while; at most three names."""
    spec = part(pod, "spec")
    put_up_with = [*items(spec, "tolerations"), *({"key": key, "operator": "Exists"} for key in _PAUSED)]
    placement = place({**pod, "spec": {**spec, "tolerations": put_up_with}}, facts, namespace=namespace)
    return list(placement.feasible[:_MOST_NAMED])
