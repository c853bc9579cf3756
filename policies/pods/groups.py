"""The number of pods that a workload runs at a time, and which of them serve only together.

A replica of a LeaderWorkerSet is a group of a leader and its workers; a RayCluster is one group. In other workloads each pod is a group.
Pods that end by themselves aren't groups: they make room for the next ones. An autoscaler's bounds replace `replicas`. Pods of a gang
PodGroup start only if its minimum number of pods can start together. Sources: Kubernetes v1.37, pkg/controller/deployment/util
(ResolveFenceposts) and apis/apps/v1/defaults.go; LeaderWorkerSet v0.7, pkg/webhooks/pod_webhook.go (SetExclusiveAffinities); KEDA v2.17,
ScaledObject; Knative Serving v1.18, autoscaling annotations; k8s.io/api v1.37, core/v1 PodSchedulingGroup and scheduling/v1beta1
GangSchedulingPolicy; v1.35, core/v1 WorkloadReference and scheduling/v1alpha1 Workload.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.ground.fields import items, part, text, text_map, whole
from weighbridge.policies.ground.objects import JSONObject, JSONValue, metadata_of, name_of, namespace_of
from weighbridge.policies.ground.records import dataclass
from weighbridge.policies.pods.workloads import numbers_of, pods_of, replicas_of

_EXCLUSIVE: Final = "leaderworkerset.sigs.k8s.io/exclusive-topology"
_KNATIVE: Final = "serving.knative.dev/"
_SCALE: Final = "autoscaling.knative.dev/"
_QUARTER: Final = "25%"
_GROUP: Final = "scheduling.k8s.io"
_ENDING: Final = frozenset({"Job", "CronJob", "PodTemplate"})
_SCALERS: Final = {
    "HorizontalPodAutoscaler": ("minReplicas", 1, "maxReplicas", 1),
    "ScaledObject": ("minReplicaCount", 0, "maxReplicaCount", 100),
}


@dataclass(frozen=True, slots=True)
class Surge:
    """How many groups a rolling update may have in addition, and how many may be missing."""

    more: int
    less: int


@dataclass(frozen=True, slots=True)
class Groups:
    """Equal groups of pods of one workload.

    `pods` has each pod of a group by its role, with how many there are. The workload runs `least` groups at any time, and up to `most` if
    an autoscaler scales it. With `topology` each group needs a domain of this label for itself. `is_daemon` says that each node gets one
    pod. `gang` is how many groups must be able to start together. `awaits` says that the pods fit no node and wait for a new one.
    """

    workload: JSONObject
    pods: Mapping[str, tuple[JSONObject, int]]
    least: int
    most: int
    topology: str = ""
    surge: Surge | None = None
    is_daemon: bool = False
    gang: int = 1
    awaits: bool = False

    @property
    def size(self) -> int:
        """The number of pods in a group."""
        return sum(count for _, count in self.pods.values())


def groups_of(workloads: Sequence[JSONObject], store: ObjectStore | None = None, namespace: str = "") -> list[Groups]:
    """The groups of some workloads. Autoscalers among them are considered, and so are the PodGroups of the store."""
    bounds = {_target(one): _bounds(one) for one in workloads if one.get("kind") in _SCALERS}
    kinds = {text(workload, "kind") for workload in workloads}
    # An autoscaler may scale the object for which the workload is created; mostly that has the same name.
    by_name = {name: found for (kind, name), found in bounds.items() if kind not in kinds}
    found = []
    for workload in workloads:
        pods = pods_of(workload)
        if not pods:
            continue
        name = name_of(workload)
        groups = _groups(workload, pods, bounds.get((text(workload, "kind"), name)) or by_name.get(name), store, namespace)
        if groups is not None:
            found.append(groups)
    return found


def _groups(
    workload: JSONObject, pods: Mapping[str, JSONObject], scaled: tuple[int, int] | None, store: ObjectStore | None, namespace: str
) -> Groups | None:
    first = next(iter(pods.values()))
    least, most = scaled or _own_bounds(workload, first)
    gang = _gang(first, store, namespace_of(workload) or namespace) if store is not None and len(pods) == 1 else 1
    if workload.get("kind") in _ENDING or text(part(first, "spec"), "restartPolicy", "Always") != "Always":
        if gang <= 1 or workload.get("kind") == "CronJob":
            return None
        least = most = min(least, gang)
    is_group, counts = workload.get("kind") == "LeaderWorkerSet", numbers_of(workload)
    topology = text(text_map(metadata_of(workload), "annotations"), _EXCLUSIVE) if is_group else ""
    grouped = {role: (pod, counts.get(role, 1)) for role, pod in pods.items() if counts.get(role, 1) > 0}
    is_daemon = workload.get("kind") == "DaemonSet"
    surge = surge_of(workload, least)
    return Groups(workload, grouped, max(least, 0), max(most, least, 0), topology, surge, is_daemon, max(gang, 1))


def _gang(pod: JSONObject, store: ObjectStore, namespace: str) -> int:
    """How many pods of a pod's PodGroup must be able to start together; 1 for a pod without one.

    In Kubernetes 1.35 a Workload has the groups, and a pod names both.
    """
    name = text(part(pod, "spec", "schedulingGroup"), "podGroupName")
    if name:
        return whole(part(store.get(_GROUP, "PodGroup", namespace, name), "spec", "schedulingPolicy", "gang"), "minCount", 1)
    reference = part(pod, "spec", "workloadRef")
    workload = store.get(_GROUP, "Workload", namespace, text(reference, "name")) if reference else None
    own = (group for group in items(workload, "spec", "podGroups") if text(group, "name") == text(reference, "podGroup"))
    return whole(part(next(own, {}), "policy", "gang"), "minCount", 1)


def _own_bounds(workload: JSONObject, pod: JSONObject) -> tuple[int, int]:
    """The least and the most pods that the workload itself states."""
    if text(workload, "apiVersion").startswith(_KNATIVE):
        scale = text_map(pod, "metadata", "annotations")
        least = _number(scale.get(f"{_SCALE}min-scale", scale.get(f"{_SCALE}minScale", "0")))
        return least, max(least, _number(scale.get(f"{_SCALE}max-scale", scale.get(f"{_SCALE}maxScale", "0"))))
    count = 1 if workload.get("kind") in ("Pod", "DaemonSet") else replicas_of(workload)
    return count, count


def _number(written: str) -> int:
    return int(written) if written.isascii() and written.isdecimal() and len(written) < 10 else 0


def _target(scaler: JSONObject) -> tuple[str, str]:
    reference = part(scaler, "spec", "scaleTargetRef")
    return text(reference, "kind", "Deployment"), text(reference, "name")


def _bounds(scaler: JSONObject) -> tuple[int, int]:
    least, usual_least, most, usual_most = _SCALERS[text(scaler, "kind")]
    spec = part(scaler, "spec")
    return whole(spec, least, usual_least), whole(spec, most, usual_most)


def surge_of(workload: JSONObject, groups: int) -> Surge | None:
    """The surge of a rolling update of `groups` groups; `None` if old groups are removed before new ones start."""
    spec = part(workload, "spec")
    if workload.get("kind") == "Deployment":
        if text(part(spec, "strategy"), "type", "RollingUpdate") != "RollingUpdate":
            return None
        rolling = part(spec, "strategy", "rollingUpdate")
        more, less = (
            _share(rolling.get("maxSurge", _QUARTER), groups, up=True),
            _share(rolling.get("maxUnavailable", _QUARTER), groups, up=False),
        )
        return Surge(more, less if more or less else 1)
    if workload.get("kind") == "LeaderWorkerSet":
        rolling = part(spec, "rolloutStrategy", "rollingUpdateConfiguration")
        more, less = _share(rolling.get("maxSurge", 0), groups, up=True), _share(rolling.get("maxUnavailable", 1), groups, up=False)
        return Surge(min(more, groups), less if more or less else 1)
    return None


def _share(value: JSONValue, groups: int, *, up: bool) -> int:
    """A number, or a percentage of the groups."""
    if isinstance(value, str) and value.endswith("%"):
        hundredths = _number(value[:-1]) * groups
        return -(-hundredths // 100) if up else hundredths // 100
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
