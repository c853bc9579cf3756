"""The pod of a service, and whether some node surely takes it."""

from __future__ import annotations

from collections.abc import Sequence

from weighbridge.policies.families.llmkube.predictions.predicted_service import Service
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement import request_pods
from weighbridge.policies.placement.outcome import Placement
from weighbridge.policies.placement.request_pods import WithClaims, with_claims
from weighbridge.policies.pods.workloads import pods_of


def served_pod(service: Service) -> tuple[JSONObject, WithClaims]:
    """The pod of the service's Deployment, and the facts with the claims that it will have; ask for the Deployment first."""
    pod = next(iter(pods_of(service.deployment or {}).values()))
    return pod, with_claims([pod], service.new_claims, service.facts, service.namespace)


def all_fit_now(service: Service) -> bool:
    """Whether all pods of a predicted Deployment surely find a node. The engine has computed this already."""
    made = _made_now(service)
    return bool(made) and request_pods.fits_now(service.request, made, service.facts, service.config)


def one_placed(service: Service) -> Placement | None:
    """The placement of one of the service's pods; `None` if some node surely takes it."""
    made, facts, config = _made_now(service), service.facts, service.config
    asking = request_pods.asked_of(service.request, made, facts, config) if made else None
    return request_pods.one_placed(service.deployment or {}, service.new_claims, facts, config, service.namespace, asking)


def _made_now(service: Service) -> Sequence[JSONObject]:
    """The objects that the operator creates for the service now; empty if there is no Deployment among them."""
    made = service.prediction.objects if service.prediction is not None else ()
    return made if any(obj.get("kind") == "Deployment" for obj in made) else ()
