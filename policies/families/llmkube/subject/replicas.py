"""The least and the greatest number of pods that a service can have, with the field that decides it."""

from __future__ import annotations

from weighbridge.policies.ground.fields import flag, part, whole
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass


@dataclass(frozen=True, slots=True)
class Replicas:
    """A number of pods, and the field that it comes from."""

    count: int
    path: Path


def least_replicas(spec: JSONObject) -> Replicas:
    """The number of pods that a service has with any load; 0 while it is suspended."""
    if flag(spec, "suspend"):
        return Replicas(0, ("spec", "suspend"))
    if isinstance(spec.get("autoscaling"), dict):
        return Replicas(whole(part(spec, "autoscaling"), "minReplicas", 1), ("spec", "autoscaling", "minReplicas"))
    return Replicas(whole(spec, "replicas", 1), ("spec", "replicas"))


def most_replicas(spec: JSONObject) -> Replicas:
    """The number of pods that a service has with the highest load."""
    if isinstance(spec.get("autoscaling"), dict) and not flag(spec, "suspend"):
        return Replicas(whole(part(spec, "autoscaling"), "maxReplicas", 1), ("spec", "autoscaling", "maxReplicas"))
    return least_replicas(spec)
