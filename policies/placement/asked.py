"""What a placement reads of workloads. If it reads the same of two workloads, they have the same placement.

A container's command, environment, image, probes and mounts don't affect where its pod runs, and neither does the pod's name, unless claims
are named after it. Its ports do only if they are ports of the node. Services of one model mostly differ only in such things.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.facts.hami import WEBHOOKS
from weighbridge.policies.ground.fields import items, part, text_map
from weighbridge.policies.ground.objects import JSONObject, JSONValue, metadata_of
from weighbridge.policies.pods.running_pod import host_ports
from weighbridge.policies.pods.workloads import replicas_of

#: The kinds of objects on which a placement depends in addition to the nodes: without claims for volumes, and with them.
READ: Final = (
    *(("", kind) for kind in ("Namespace", "LimitRange", "ResourceQuota")),
    *(("resource.k8s.io", kind) for kind in ("DeviceClass", "ResourceSlice", "DeviceTaintRule", "ResourceClaim", "ResourceClaimTemplate")),
    ("node.k8s.io", "RuntimeClass"),
    ("scheduling.k8s.io", "PriorityClass"),
    ("storage.k8s.io", "CSINode"),
)
READ_WITH_CLAIMS: Final = (
    *READ,
    *(("", kind) for kind in ("PersistentVolume", "PersistentVolumeClaim")),
    *(("storage.k8s.io", kind) for kind in ("StorageClass", "CSIDriver", "CSIStorageCapacity")),
)
#: These kinds, the pools that may add nodes, and all kinds that say whether pools do.
_POOLS: Final = (("karpenter.sh", "NodePool"), *(("cluster.x-k8s.io", kind) for kind in ("MachineDeployment", "MachineSet", "MachinePool")))
READ_WITH_POOLS: Final = (*READ_WITH_CLAIMS, *_POOLS)
READ_WITH_AUTOSCALERS: Final = (*READ_WITH_POOLS, ("apps", "Deployment"), ("", "ConfigMap"), WEBHOOKS)

_CONTAINERS: Final = ("containers", "initContainers")
#: The fields of a container that don't affect its placement.
_HOW: Final = frozenset(
    {
        *("args", "command", "env", "envFrom", "image", "imagePullPolicy", "lifecycle", "livenessProbe", "ports", "readinessProbe"),
        *("securityContext", "startupProbe", "stdin", "terminationMessagePath", "terminationMessagePolicy", "tty", "volumeMounts"),
        "workingDir",
    }
)
#: The fields among these that no check of Pod Security reads.
_SAFE: Final = _HOW - {"lifecycle", "livenessProbe", "ports", "readinessProbe", "securityContext", "startupProbe"}


def asked_by(workload: JSONObject, pods: Mapping[str, JSONObject], *, is_secured: bool = False) -> list[JSONValue]:
    """What a placement reads of a workload with these pods, apart from claims that come with them.

    `is_secured` says that their namespace enforces a Pod Security Standard, whose checks read more of a pod.
    """
    reduced: JSONObject = {role: secured(pod) if is_secured else asked_by_pod(pod) for role, pod in pods.items()}
    return [workload.get("kind"), replicas_of(workload), reduced]


def secured(pod: JSONObject) -> JSONObject:
    """What a placement reads of a pod in a namespace that enforces a standard."""
    kept = {kind: _containers(part(pod, "spec").get(kind), but_for=_SAFE) for kind in _CONTAINERS}
    return {**asked_by_pod(pod), "annotations": text_map(metadata_of(pod), "annotations"), **kept}


def asked_by_pod(pod: JSONObject) -> JSONObject:
    """What a placement reads of a pod."""
    spec, metadata = part(pod, "spec"), metadata_of(pod)
    but_for = _HOW - {"ports"} if host_ports(spec) else _HOW
    read: JSONObject = {"spec": {key: _containers(value, but_for) if key in _CONTAINERS else value for key, value in spec.items()}}
    if "namespace" in metadata:
        read["namespace"] = metadata["namespace"]
    affinity = part(spec, "affinity")
    if "podAffinity" in affinity or "podAntiAffinity" in affinity:
        read["labels"] = text_map(metadata, "labels")
    if "resourceClaims" in spec or any("ephemeral" in volume for volume in items(spec, "volumes")):
        read["name"] = [metadata.get("name"), metadata.get("generateName")]
    return read


def _containers(containers: JSONValue, but_for: frozenset[str]) -> JSONValue:
    if not isinstance(containers, list):
        return containers
    return [
        {key: value for key, value in container.items() if key not in but_for} if isinstance(container, dict) else container
        for container in containers
    ]
