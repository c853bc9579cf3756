"""Clusters of plain nodes: the hardware that model servers run on, and oddities that occur on real nodes.

Labels, taints and resource names are those of the device plugins and the feature discovery of AMD, NVIDIA and Intel.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from tests.programs.scheduler.generated.case import JSON

ZONE, HOSTNAME, ARCH = "topology.kubernetes.io/zone", "kubernetes.io/hostname", "kubernetes.io/arch"
_AMD_TAINT = {"key": "amd.com/gpu", "effect": "NoSchedule"}
_NVIDIA_TAINT = {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}
_MI300X = {"amd.com/gpu.product-name": "AMD_Instinct_MI300X_OAM", "amd.com/gpu.vram": "192G", "amd.com/gpu.cu-count": "304"}
_H100 = {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3", "nvidia.com/gpu.memory": "81559", "nvidia.com/gpu.count": "8"}


def node(
    name: str,
    allocatable: Mapping[str, str] | None = None,
    *,
    labels: Mapping[str, str] | None = None,
    taints: Sequence[JSON] = (),
    cordoned: bool = False,
    capacity: Mapping[str, str] | None = None,
    features: Sequence[str] = (),
) -> JSON:
    """A Node with the labels that every kubelet gives; `features` are its status.declaredFeatures."""
    spec: JSON = {"unschedulable": True} if cordoned else {}
    if taints:
        spec["taints"] = list(taints)
    status: JSON = {"capacity": dict(capacity or allocatable or {})}
    if allocatable is not None:
        status["allocatable"] = dict(allocatable)
    if features:
        status["declaredFeatures"] = list(features)
    metadata = {"name": name, "labels": {HOSTNAME: name, ARCH: "amd64", "kubernetes.io/os": "linux", **(labels or {})}}
    return {"apiVersion": "v1", "kind": "Node", "metadata": metadata, "spec": spec, "status": status}


def size(cpu: str, memory: str, pods: str = "110", **more: str) -> dict[str, str]:
    """Amounts of a node; further resources by name, as `size("4", "8Gi", **{"amd.com/gpu": "8"})`."""
    return {"cpu": cpu, "memory": memory, "pods": pods, **more}


def homelab(rng: random.Random) -> list[JSON]:
    """Four unlike machines with a GPU here and there."""
    return [
        node("tower", size("16", "64Gi", **{"nvidia.com/gpu": "1", "ephemeral-storage": "200Gi"}), labels={"disk": "nvme", ZONE: "attic"}),
        node("nuc", size("4", "16Gi", "20", **{"gpu.intel.com/i915": "1"}), labels={"disk": "ssd", ZONE: "attic"}),
        node("pi", size("3800m", "7816Mi", "10"), labels={ARCH: "arm64", "disk": "sd"}, taints=[{"key": "slow", "effect": "NoExecute"}]),
        node(
            "strix",
            size("32", "96Gi", **{"amd.com/gpu": "1", "hugepages-2Mi": "1Gi"}),
            labels={"disk": "nvme", "ram": str(rng.randint(90, 100))},
        ),
    ]


def amd_small(rng: random.Random) -> list[JSON]:
    """Three machines with eight MI300X, tainted or not, one that is full, and two without."""
    big = size("192", "2Ti", **{"amd.com/gpu": "8", "ephemeral-storage": "3Ti", "hugepages-1Gi": "16Gi"})
    return [
        node("mi300x-00", big, labels={**_MI300X, ZONE: "a"}, taints=[_AMD_TAINT], features=["RestartAllContainersOnContainerExits"]),
        node("mi300x-01", big | {"pods": "0"}, labels={**_MI300X, ZONE: "b"}),
        node("mi300x-02", big | {"amd.com/gpu": str(rng.choice([4, 7]))}, labels={**_MI300X, ZONE: "b"}, taints=[_AMD_TAINT]),
        node("w7900-00", size("64", "256Gi", **{"amd.com/gpu": "2"}), labels={"amd.com/gpu.product-name": "AMD_Radeon_PRO_W7900"}),
        node("cpu-00", size("96", "512Gi", **{"ephemeral-storage": "100Gi"}), labels={ZONE: "a"}),
        node("cpu-01", size("8", "16Gi", **{"amd.com/gpu": "0"}), labels={ZONE: "c"}, cordoned=True),
    ]


def mixed(rng: random.Random) -> list[JSON]:
    """Three vendors, whole and partitioned devices, and a resource that is in the capacity only."""
    gpu_node, intel = size("128", "1Ti"), size("64", "512Gi")
    amd, nvidia = gpu_node | {"amd.com/gpu": "8"}, gpu_node | {"nvidia.com/gpu": "8"}
    nodes = [node(f"mi325x-{zone}", amd, labels={"gpu.vendor": "AMD", ZONE: zone}, taints=[_AMD_TAINT]) for zone in "ab"]
    nodes += [node(f"h100-{zone}", nvidia, labels={**_H100, ZONE: zone}, taints=[_NVIDIA_TAINT]) for zone in "abc"]
    mig = {"nvidia.com/mig-1g.10gb": "7", "nvidia.com/mig-3g.40gb": "2", "nvidia.com/gpu": "0"}
    nodes += [
        node("a100-mig", gpu_node | mig, labels={"gpu.vendor": "nvidia", "nvidia.com/mig.strategy": "mixed"}),
        node("a100-lost", gpu_node, capacity=nvidia, labels=_H100),
        node("mi300x-cpx", gpu_node | {"amd.com/cpx_nps4": "64"}, labels={"gpu.vendor": "amd"}),
        node("gaudi", intel | {"habana.ai/gaudi": "8"}, taints=[{"key": "habana.ai/gaudi", "value": "yes", "effect": "PreferNoSchedule"}]),
        node("max-1550", intel | {"gpu.intel.com/i915": str(rng.randint(2, 6))}, labels={ZONE: "c"}),
    ]
    return [*nodes, node("cpu-0", size("32", "128Gi", "250")), node("cpu-1", size("32", "128Gi", "1"), cordoned=True, taints=[_AMD_TAINT])]


def big_40(rng: random.Random) -> list[JSON]:
    """Forty nodes of six kinds, some of which are tainted, cordoned or full."""
    kinds = [
        ("mi300x", size("192", "2Ti", **{"amd.com/gpu": "8"}), _MI300X, [_AMD_TAINT]),
        ("h100", size("192", "2Ti", **{"nvidia.com/gpu": "8", "rdma/hca": "8"}), _H100, [_NVIDIA_TAINT]),
        ("l4", size("32", "128Gi", **{"nvidia.com/gpu": "1"}), {"nvidia.com/gpu.product": "NVIDIA-L4"}, []),
        ("t4s", size("16", "64Gi", **{"nvidia.com/gpu.shared": "4"}), {}, []),
        ("cpu", size("96", "384Gi", **{"ephemeral-storage": "500Gi"}), {"pool": "cpu"}, []),
        ("edge", size("2", "4Gi", "4", **{"ephemeral-storage": "10Gi"}), {"pool": "edge"}, [{"key": "edge", "effect": "NoExecute"}]),
    ]
    nodes = []
    for index in range(40):
        kind, amounts, labels, taints = kinds[index % len(kinds)]
        odd = rng.random()
        more = [{"key": "node.kubernetes.io/not-ready", "effect": rng.choice(["NoSchedule", "NoExecute"])}] if odd < 0.15 else []
        full = {"pods": "0"} if 0.15 <= odd < 0.25 else {}
        zone = {ZONE: rng.choice("abc")} if rng.random() < 0.8 else {}
        name = f"{kind}-{index:02d}"
        nodes.append(node(name, amounts | full, labels={**labels, **zone}, taints=[*taints, *more], cordoned=0.25 <= odd < 0.35))
    return nodes


def none(rng: random.Random) -> list[JSON]:
    """A cluster that scales from zero."""
    return []
