"""Clusters with devices in ResourceSlices: AMD's, NVIDIA's, both with network cards, odd pools, devices for extended resources."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from tests.programs.scheduler.generated.case import JSON, namespace, requirement
from tests.programs.scheduler.generated.hardware import ZONE, node, size
from tests.programs.scheduler.generated.slices import (
    AMD,
    NIC,
    NVIDIA,
    PCIE_ROOT,
    amd_gpu,
    device,
    device_class,
    node_slice,
    nvidia_gpu,
    partitions,
    resource_slice,
    shared,
)

ADMIN_NAMESPACE = "caretakers"
_UNHEALTHY = {"key": "gpu.amd.com/unhealthy", "value": "ecc", "effect": "NoSchedule"}
_MAINTENANCE = {"key": "example.com/maintenance", "effect": "NoExecute"}
_INFORMATION = {"key": "example.com/slow", "effect": "None"}
_SHARES = ("8d1f7c52-0000-4000-8000-000000000001", "8d1f7c52-0000-4000-8000-000000000002")
_ADMINS = namespace(ADMIN_NAMESPACE, **{"resource.kubernetes.io/admin-access": "true"})


def _classes() -> list[JSON]:
    return [
        device_class(AMD, f'device.driver == "{AMD}"'),
        device_class(NVIDIA, f'device.driver == "{NVIDIA}" && device.attributes["{NVIDIA}"].type == "gpu"'),
        device_class("mig.nvidia.com", f'device.driver == "{NVIDIA}"', f'device.attributes["{NVIDIA}"].type == "mig"'),
        device_class(NIC, f'device.driver == "{NIC}"'),
        device_class("any"),
        device_class("ghost", 'device.driver == "nobody.example.com"'),
        device_class("unsafe", f'device.attributes["{AMD}"].type == "amdgpu"'),
        _ADMINS,
    ]


def amd(rng: random.Random) -> list[JSON]:
    """Two machines with eight MI300X, some of them unhealthy, one with tainted W7900, one without devices."""
    sick = rng.randrange(8)
    devices = [amd_gpu(index, taints=[_UNHEALTHY]) if index == sick else amd_gpu(index) for index in range(8)]
    radeon = [amd_gpu(index, "AMD_Radeon_PRO_W7900", "48Gi", taints=[_MAINTENANCE, _INFORMATION]) for index in range(2)]
    return [
        *_classes(),
        node("mi300x-0", size("192", "2Ti")),
        node("mi300x-1", size("192", "2Ti")),
        node("mi300x-2", size("192", "2Ti"), cordoned=True),
        node("w7900-0", size("32", "128Gi")),
        node("cpu-0", size("32", "128Gi")),
        node_slice("mi300x-0", AMD, [amd_gpu(index, taints=[_INFORMATION]) for index in range(8)]),
        node_slice("mi300x-1", AMD, devices),
        node_slice("mi300x-2", AMD, [amd_gpu(index) for index in range(8)]),
        node_slice("w7900-0", AMD, radeon),
    ]


def nvidia(rng: random.Random) -> list[JSON]:
    """Whole H100, one cut into partitions, some older L4."""
    counters, devices = partitions()
    few = rng.randint(1, 3)
    return [
        *_classes(),
        node("h100-0", size("128", "1Ti")),
        node("mig-0", size("64", "512Gi")),
        node("l4-0", size("32", "128Gi"), taints=[{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]),
        node("cpu-0", size("32", "128Gi")),
        node_slice("h100-0", NVIDIA, [nvidia_gpu(index) for index in range(8)]),
        resource_slice("mig-0-counters", NVIDIA, [], pool="mig-0", slices=2, nodeName="mig-0", sharedCounters=counters),
        resource_slice("mig-0-devices", NVIDIA, devices, pool="mig-0", slices=2, nodeName="mig-0"),
        node_slice("l4-0", NVIDIA, [nvidia_gpu(index, "NVIDIA L4", "24Gi") for index in range(few)]),
    ]


def mixed(rng: random.Random) -> list[JSON]:
    """Both vendors, network cards on the same PCIe roots as the GPUs and on others, and cards that aren't on a node."""
    far = rng.choice("0123")
    cards = [device(f"nic-{index}", {"speed": 400, "rdma": True, PCIE_ROOT: f"pci0000:{index:02x}"}) for index in range(4)]
    elsewhere = [device("nic-0", {"speed": 100, "rdma": False, PCIE_ROOT: f"pci0000:f{far}"})]
    selector = {"nodeSelectorTerms": [{"matchExpressions": [requirement(ZONE, "In", "a")]}]}
    return [
        *_classes(),
        node("amd-0", size("192", "2Ti"), labels={ZONE: "a"}),
        node("amd-1", size("192", "2Ti"), labels={ZONE: "b"}),
        node("nvidia-0", size("192", "2Ti"), labels={ZONE: "a"}),
        node("cpu-0", size("32", "128Gi")),
        node_slice("amd-0", AMD, [amd_gpu(index) for index in range(8)]),
        node_slice("amd-0", NIC, cards),
        node_slice("amd-1", AMD, [amd_gpu(index) for index in range(2)]),
        node_slice("amd-1", NIC, elsewhere),
        node_slice("nvidia-0", NVIDIA, [nvidia_gpu(index) for index in range(4)]),
        resource_slice("fabric", NIC, [device("far-0", {"speed": 800, "rdma": True})], pool="fabric", allNodes=True),
        resource_slice("zonal", NIC, [device("zonal-0", {"speed": 200})], pool="zonal", nodeSelector=selector),
    ]


def odd(rng: random.Random) -> list[JSON]:
    """Pools that are being updated, have a device twice or two generations; devices that are shared or choose their own nodes."""
    policy = {"default": "16Gi", "validRange": {"min": "8Gi", "max": f"{rng.choice([96, 128])}Gi", "step": "8Gi"}}
    values = {"default": "8Gi", "validValues": ["8Gi", "32Gi", "64Gi"]}
    chosen = [
        device("for-own", {"type": "own"}, nodeName="own"),
        device("for-all", {"type": "own"}, allNodes=True),
    ]
    return [
        *_classes(),
        *(node(name, size("64", "512Gi")) for name in ("incomplete", "twice", "oldgen", "shared", "own", "cpu-0")),
        resource_slice("incomplete-a", AMD, [amd_gpu(0), amd_gpu(1)], pool="incomplete", slices=2, nodeName="incomplete"),
        resource_slice("twice-a", AMD, [amd_gpu(0), amd_gpu(1)], pool="twice", slices=2, nodeName="twice"),
        resource_slice("twice-b", AMD, [amd_gpu(1), amd_gpu(2)], pool="twice", slices=2, nodeName="twice"),
        resource_slice("oldgen-1", AMD, [amd_gpu(index) for index in range(4)], pool="oldgen", nodeName="oldgen"),
        resource_slice("oldgen-2", AMD, [amd_gpu(7)], pool="oldgen", generation=2, nodeName="oldgen"),
        node_slice("shared", AMD, [shared("free", "192Gi"), shared("ranged", "192Gi", policy), shared("listed", "192Gi", values)]),
        resource_slice("own-devices", NIC, chosen, pool="own", perDeviceNodeSelection=True),
    ]


def extended(rng: random.Random) -> list[JSON]:
    """Extended resources from a device plugin, from a driver, from both, or from neither."""
    plugin = {"amd.com/gpu": str(rng.randint(2, 4))}
    return [
        device_class(AMD, f'device.driver == "{AMD}"', extendedResourceName="amd.com/gpu"),
        device_class(NVIDIA, f'device.driver == "{NVIDIA}"', extendedResourceName="nvidia.com/gpu"),
        device_class("ghost", 'device.driver == "nobody.example.com"', extendedResourceName="example.com/ghost"),
        device_class("any"),
        _ADMINS,
        node("plugin", size("64", "512Gi", **plugin)),
        node("both", size("64", "512Gi", **{"amd.com/gpu": "2"})),
        node("driver", size("64", "512Gi")),
        node("zero", size("64", "512Gi", **{"amd.com/gpu": "0"})),
        node("nvidia", size("64", "512Gi")),
        node("cpu-0", size("64", "512Gi", **{"example.com/dongle": "2"})),
        *(node_slice(name, AMD, [amd_gpu(index) for index in range(4)]) for name in ("both", "driver", "zero")),
        node_slice("nvidia", NVIDIA, [nvidia_gpu(index) for index in range(2)]),
    ]


def allocated(rng: random.Random) -> list[JSON]:
    """Devices that other pods' claims hold, and claims that are allocated to some node already."""
    held = rng.sample(range(8), 3)
    return [
        *_classes(),
        node("mi300x-0", size("192", "2Ti")),
        node("mi300x-1", size("192", "2Ti")),
        node("cpu-0", size("32", "128Gi")),
        *(node_slice(name, AMD, [amd_gpu(index) for index in range(8)]) for name in ("mi300x-0", "mi300x-1")),
        *(_allocated(f"held-{index}", "mi300x-0", index, on="mi300x-0", reserved=True) for index in held),
        _allocated("here", "mi300x-1", 0, on="mi300x-1"),
        _allocated("elsewhere", "mi300x-1", 1, on="cpu-0"),
        _allocated("anywhere", "mi300x-1", 2, on=None),
        _allocated("reserved", "mi300x-1", 3, on="mi300x-1", reserved=True),
        _allocated("gone", "mi300x-1", 4, on="no-such-node"),
    ]


def shared_devices(rng: random.Random) -> list[JSON]:
    """Devices that are shared in parts, by capacity or by partition, some parts of which are taken."""
    counters, devices = partitions()
    ranged = {"default": "30Gi", "validRange": {"min": "10Gi", "max": "150Gi", "step": "20Gi"}}
    least = {"default": "8Gi", "validRange": {"min": "4Gi"}}
    values = {"default": "8Gi", "validValues": ["8Gi", "32Gi", "64Gi"]}
    parts = [shared("free", "192Gi"), shared("ranged", "192Gi", ranged), shared("least", "64Gi", least), shared("listed", "64Gi", values)]
    taken = f"{rng.choice([60, 100, 140])}Gi"
    objects = [*_classes(), *(node(name, size("64", "512Gi")) for name in ("free", "taken", "whole", "mig-0", "mig-1", "cpu-0"))]
    objects += [
        node_slice("free", AMD, parts),
        node_slice("taken", AMD, parts),
        node_slice("whole", AMD, [amd_gpu(0), amd_gpu(1, memory="96Gi")]),
    ]
    for name in ("mig-0", "mig-1"):
        objects.append(resource_slice(f"{name}-counters", NVIDIA, [], pool=name, slices=2, nodeName=name, sharedCounters=counters))
        objects.append(resource_slice(f"{name}-devices", NVIDIA, devices, pool=name, slices=2, nodeName=name))
    return [
        *objects,
        _held(
            "part", AMD, "taken", "free", shareID="8d1f7c52-0000-4000-8000-000000000001", consumedCapacity={"memory": taken, "lanes": "2"}
        ),
        _held("other-part", AMD, "taken", "least", shareID="8d1f7c52-0000-4000-8000-000000000002", consumedCapacity={"memory": "32Gi"}),
        _held("partition", NVIDIA, "mig-1", rng.choice(["mig-3g-0", "mig-1g-4"])),
    ]


def _held(name: str, driver: str, node_name: str, device_name: str, **more: object) -> JSON:
    """A claim of another pod that holds a device of a node, or a part of it."""
    result = {"request": "gpu", "driver": driver, "pool": node_name, "device": device_name, **more}
    return _with_results(name, result, on=node_name, reserved=True)


def _allocated(name: str, pool: str, index: int, *, on: str | None, reserved: bool = False) -> JSON:
    """A claim that holds one device of a pool, allocated to a node, or to any."""
    return _with_results(name, {"request": "gpu", "driver": AMD, "pool": pool, "device": f"gpu-{index}"}, on=on, reserved=reserved)


def _with_results(name: str, result: JSON, *, on: str | None, reserved: bool) -> JSON:
    allocation: JSON = {"devices": {"results": [result]}, "allocationTimestamp": "2026-01-02T03:04:05Z"}
    if on is not None:
        allocation["nodeSelector"] = {"nodeSelectorTerms": [{"matchFields": [requirement("metadata.name", "In", on)]}]}
    status: JSON = {"allocation": allocation}
    if reserved:
        status["reservedFor"] = [{"resource": "pods", "name": "somebody", "uid": "7c5a3f0e-0000-4000-8000-000000000000"}]
    spec = {
        "devices": {
            "requests": [{"name": "gpu", "exactly": {"deviceClassName": result["driver"], "allocationMode": "ExactCount", "count": 1}}]
        }
    }
    head = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": name, "namespace": "default"}}
    return {**head, "spec": spec, "status": status}


def rules(rng: random.Random) -> list[JSON]:
    """Machines of both vendors, and rules that taint some of their devices."""
    selectors: list[JSON | None] = [
        *({"driver": driver} for driver in (AMD, NVIDIA, "nobody.example.com")),
        *({"pool": pool} for pool in ("amd-0", "amd-1", "nvidia-0", "nowhere")),
        *({"device": f"gpu-{index}"} for index in (0, 1, 5, 9)),
        {"driver": AMD, "pool": "amd-0", "device": "gpu-2"},
        {"driver": AMD, "pool": "nvidia-0"},
        {"pool": "amd-1", "device": "gpu-7"},
        None,
    ]
    made = []
    for index, selector in enumerate(rng.sample(selectors, 4)):
        metadata = {"name": f"rule-{index}"}
        spec = {"taint": rng.choice([_UNHEALTHY, _MAINTENANCE, _INFORMATION]), **({} if selector is None else {"deviceSelector": selector})}
        made.append({"apiVersion": "resource.k8s.io/v1", "kind": "DeviceTaintRule", "metadata": metadata, "spec": spec})
    return [
        *_classes(),
        *(node(name, size("192", "2Ti")) for name in ("amd-0", "amd-1", "amd-2", "nvidia-0")),
        *(node_slice(f"amd-{at}", AMD, [amd_gpu(index) for index in range(8)]) for at in range(3)),
        node_slice("nvidia-0", NVIDIA, [nvidia_gpu(index, taints=[_MAINTENANCE] if index == 3 else []) for index in range(4)]),
        *made,
    ]


CLUSTERS: Mapping[str, Callable[[random.Random], list[JSON]]] = {
    "dra-amd": amd,
    "dra-nvidia": nvidia,
    "dra-mixed": mixed,
    "dra-odd": odd,
    "dra-extended": extended,
    "dra-allocated": allocated,
    "dra-shared": shared_devices,
    "dra-rules": rules,
}
