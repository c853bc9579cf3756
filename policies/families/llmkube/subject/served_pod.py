"""The pod of a service, and which nodes that take no pods now could run it.

Source: Kubernetes v1.36, pkg/scheduler; the taints of a node's conditions in k8s.io/api/core/v1 and cloud-provider/api; those of
Karpenter, Cilium and the cluster autoscaler.
"""

from __future__ import annotations

from typing import Final

from policies import pod_placement
from policies.facts import Facts
from policies.families.llmkube.subject.serving import Serving
from policies.fields import items, part
from policies.objects import JSONObject
from policies.placement.placement import place, some_node_takes
from policies.pods.workloads import pods_of, without_claims

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


def served_pod(serving: Serving) -> JSONObject:
    """The pod of the service's Deployment, without the volumes whose claims are only made beside it; ask for the Deployment first."""
    pod = next(iter(pods_of(serving.deployment or {}).values()))
    return without_claims(pod, serving.new_claims)


def fits_now(serving: Serving, pod: JSONObject) -> bool:
    """Whether some node surely takes the pod; where the engine has asked about the same pods already, its answer."""
    made = serving.effective.objects if serving.effective is not None else ()
    if any(obj.get("kind") == "Deployment" for obj in made):
        return pod_placement.fits_now(serving.request, made, serving.facts)
    return some_node_takes(pod, serving.facts, serving.namespace)


def held_back(pod: JSONObject, facts: Facts, namespace: str) -> list[str]:
    """The nodes that could run a pod but for what stands on them only for a while; at most three names."""
    spec = part(pod, "spec")
    put_up_with = [*items(spec, "tolerations"), *({"key": key, "operator": "Exists"} for key in _PAUSED)]
    placement = place({**pod, "spec": {**spec, "tolerations": put_up_with}}, facts, namespace=namespace)
    return list(placement.feasible[:3])
