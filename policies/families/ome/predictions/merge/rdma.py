"""What OME's webhook for pods adds for RDMA: variables, devices, shared memory and capabilities of one container.

Source: OME v0.1.5, pkg/webhook/admission/pod/rdma_injector.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject

#: The prefix of the annotations for RDMA, and the only profile.
RDMA: Final = "rdma.ome.io/"
PROFILE: Final = "oci-roce"
_CONTAINER: Final = "ome-container"
_ADAPTERS: Final = ",".join(f"mlx5_{number}" for number in (0, 1, *range(3, 11), *range(12, 18)))
_VARIABLES: Final = {
    "GLOO_SOCKET_IFNAME": "eth0",
    "HCOLL_ENABLE_MCAST_ALL": "0",
    "IB_RX_QUEUE_LEN": "8192",
    "NCCL_CROSS_NIC": "2",
    "NCCL_CUMEM_ENABLE": "0",
    "NCCL_DEBUG": "INFO",
    "NCCL_IB_GID_INDEX": "3",
    "NCCL_IB_HCA": f"={_ADAPTERS}",
    "NCCL_IB_QPS_PER_CONNECTION": "16",
    "NCCL_IB_SL": "0",
    "NCCL_IB_SPLIT_DATA_ON_QPS": "0",
    "NCCL_IB_TC": "41",
    "NCCL_IB_TIMEOUT": "22",
    "NCCL_IGNORE_CPU_AFFINITY": "1",
    "NCCL_NET_PLUGIN": "none",
    "NCCL_SOCKET_IFNAME": "eth0",
    "NCCL_SOCKET_NTHREADS": "16",
    "RX_QUEUE_LEN": "8192",
    "UCX_NET_DEVICES": "eth0",
    "UCX_TLS": "tcp",
    "coll_hcoll_enable": "0",
}
_MOUNTS: Final = {"dshm": "/dev/shm", "devinf": "/dev/infiniband"}  # noqa: S108 - the device
_VOLUMES: Final[Mapping[str, JSONObject]] = {
    "dshm": {"emptyDir": {"medium": "Memory"}},
    "devinf": {"hostPath": {"path": "/dev/infiniband"}},
}
_CAPABILITIES: Final = ("IPC_LOCK", "CAP_SYS_ADMIN")


def is_asked_for(annotations: Mapping[str, str]) -> bool:
    """Whether pods with these annotations get RDMA."""
    return annotations.get(f"{RDMA}auto-inject") == "true"


def profile_of(annotations: Mapping[str, str]) -> str:
    """The profile that annotations choose."""
    return annotations.get(f"{RDMA}profile") or PROFILE


def with_rdma(spec: JSONObject, annotations: Mapping[str, str]) -> JSONObject:
    """A pod spec with RDMA for one container; if the pod lacks that container, nothing is added."""
    wanted = annotations.get(f"{RDMA}container-name") or _CONTAINER
    containers = items(spec, "containers")
    at = next((index for index, found in enumerate(containers) if text(found, "name") == wanted), None)
    if at is None:
        return spec
    named = {text(volume, "name") for volume in items(spec, "volumes")}
    volumes = [{"name": name, **source} for name, source in _VOLUMES.items() if name not in named]
    changed = [_equipped(found) if index == at else found for index, found in enumerate(containers)]
    return {**spec, "volumes": [*items(spec, "volumes"), *volumes], "containers": changed}


def _equipped(container: JSONObject) -> JSONObject:
    """The container with RDMA: a variable is added even if the container has it already, a mount isn't."""
    mounted = {text(mount, "name") for mount in items(container, "volumeMounts")}
    mounts = [{"name": name, "mountPath": path} for name, path in _MOUNTS.items() if name not in mounted]
    held = part(container, "securityContext", "capabilities")
    given = held.get("add") or ()
    capabilities = {**held, "add": [*given, *(name for name in _CAPABILITIES if name not in given)]}
    return {
        **container,
        "env": [*items(container, "env"), *({"name": name, "value": value} for name, value in _VARIABLES.items())],
        "volumeMounts": [*items(container, "volumeMounts"), *mounts],
        "securityContext": {"privileged": True, **part(container, "securityContext"), "capabilities": capabilities},
    }
