"""The pod of a service, and whether some node takes it."""

from __future__ import annotations

from policies import pod_placement
from policies.families.llmkube.subject.serving import Serving
from policies.objects import JSONObject
from policies.placement.placement import some_node_takes
from policies.pods.workloads import pods_of, without_claims


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
