"""Why OME's controller stops at a component, where a rule says it in its own words."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.predictions.merge import knative
from weighbridge.policies.families.ome.predictions.merge.pods import PodError

#: The API groups of the software to which OME hands components, with its names.
ADD_ONS: Final = {
    "networking.istio.io": "Istio",
    "keda.sh": "KEDA",
    "leaderworkerset.x-k8s.io": "LeaderWorkerSet",
    "ray.io": "KubeRay",
    knative.GROUP: "Knative Serving",
}


class StrategyError(PodError):
    """OME's controller drops all annotations of weights without a strategy, and panics where it adds those of Knative Serving."""

    def __init__(self, weight: str) -> None:
        super().__init__(f"OME's controller panics on FineTunedWeight {weight} without a strategy, for Knative Serving")


class ReplicasError(PodError):
    """A number of replicas at which OME's controller panics."""

    def __init__(self, component: str, why: str) -> None:
        super().__init__(why)
        self.component = component


class NotInstalledError(PodError):
    """The cluster lacks the software, named by its API group, to which OME hands a component."""

    def __init__(self, component: str, group: str) -> None:
        super().__init__(f"{ADD_ONS[group]} isn't installed")
        self.component, self.group = component, group
