"""The pod of a service, and whether some node surely takes it."""

from __future__ import annotations

from weighbridge.policies.families.llmkube.subject.service import Service
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement import request_pods
from weighbridge.policies.placement.placement import some_node_takes
from weighbridge.policies.placement.request_pods import WithClaims, with_claims
from weighbridge.policies.pods.workloads import pods_of, without_claims


def served_pod(service: Service) -> tuple[JSONObject, WithClaims]:
    """The pod of the service's Deployment, and what is known once its claims are made; ask for the Deployment first."""
    pod = next(iter(pods_of(service.deployment or {}).values()))
    return pod, with_claims([pod], service.new_claims, service.facts, service.namespace)


def fits_now(service: Service, pod: JSONObject, known: WithClaims) -> bool:
    """Whether some node surely takes the pod; where the engine has asked about the same pods already, its answer."""
    made = service.prediction.objects if service.prediction is not None else ()
    if any(obj.get("kind") == "Deployment" for obj in made) and request_pods.fits_now(service.request, made, service.facts):
        return True
    return some_node_takes(without_claims(pod, known.unknown), known.facts, service.namespace)
