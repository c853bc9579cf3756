"""The pod of a service, and which nodes that take no pods now could run it.

Source: Kubernetes v1.36, pkg/scheduler; the taints of a node's conditions in k8s.io/api/core/v1.
"""

from __future__ import annotations

from typing import Final

from policies.facts import Facts
from policies.facts.fields import items, part, text
from policies.families.llmkube.serving import Serving
from policies.objects import JSONObject
from policies.placement import place, pods_of
from policies.placement.filters import PodFilters
from policies.placement.pod_admission import admit
from policies.placement.refusal import Refused

#: What stands on a node for as long as it is cordoned, not ready or without contact.
_PAUSED: Final = ("node.kubernetes.io/unschedulable", "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")


def served_pod(serving: Serving) -> JSONObject:
    """The pod of the service's Deployment, without the volumes whose claims are only made beside it; ask for the Deployment first."""
    pod = next(iter(pods_of(serving.deployment or {}).values()))
    made = serving.new_claims
    if not made:
        return pod
    spec = part(pod, "spec")
    volumes = [volume for volume in items(spec, "volumes") if text(part(volume, "persistentVolumeClaim"), "claimName") not in made]
    return {**pod, "spec": {**spec, "volumes": volumes}}


def fits_now(pod: JSONObject, facts: Facts, namespace: str) -> bool:
    """Whether some node takes the pod, as far as looking at one node of each kind tells: asked before all nodes are looked at."""
    if facts.inventory is None or items(pod, "spec", "resourceClaims"):
        return False
    try:
        filters = PodFilters(admit(pod, facts.objects, namespace), facts.objects)
    except Refused:
        return False
    inventory = facts.inventory
    return not filters.refusal and any(not filters.check(inventory.example(shape)) for shape in inventory.shapes)


def held_back(pod: JSONObject, facts: Facts, namespace: str) -> list[str]:
    """The nodes that could run a pod but that they are cordoned or not ready; at most three names."""
    spec = part(pod, "spec")
    put_up_with = [*items(spec, "tolerations"), *({"key": key, "operator": "Exists"} for key in _PAUSED)]
    placement = place({**pod, "spec": {**spec, "tolerations": put_up_with}}, facts, namespace=namespace)
    return list(placement.feasible[:3])
