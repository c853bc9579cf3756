"""ResourceSlices and DeviceClasses as drivers write them (resource.k8s.io/v1), and the devices in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.programs.scheduler.generated.case import JSON

_VERSION = "resource.k8s.io/v1"
AMD, NVIDIA, NIC = "gpu.amd.com", "gpu.nvidia.com", "nic.example.com"
PCIE_ROOT = "resource.kubernetes.io/pcieRoot"

#: The value of an attribute: its type decides the field of the union; a version is a text that begins with v.
Value = str | int | bool


def device(name: str, attributes: Mapping[str, Value], capacity: Mapping[str, str] | None = None, **fields: object) -> JSON:
    """A device; `fields` are further ones, such as taints."""
    made: JSON = {"name": name, "attributes": {key: _attribute(value) for key, value in attributes.items()}}
    if capacity:
        made["capacity"] = {key: {"value": amount} for key, amount in capacity.items()}
    return made | fields


def _attribute(value: Value) -> JSON:
    if isinstance(value, bool):
        return {"bool": value}
    if isinstance(value, int):
        return {"int": value}
    return {"version": value[1:]} if value[:1] == "v" and value[1:2].isdigit() else {"string": value}


def resource_slice(
    name: str, driver: str, devices: Sequence[JSON], *, pool: str, generation: int = 1, slices: int = 1, **fields: object
) -> JSON:
    """One of the slices of a pool; `fields` are the rest of its spec."""
    about = {"name": pool, "generation": generation, "resourceSliceCount": slices}
    spec: JSON = {"driver": driver, "pool": about, **({"devices": list(devices)} if devices else {}), **fields}
    return {"apiVersion": _VERSION, "kind": "ResourceSlice", "metadata": {"name": name}, "spec": spec}


def node_slice(node: str, driver: str, devices: Sequence[JSON]) -> JSON:
    """The only slice of the pool of a node's devices."""
    return resource_slice(f"{node}-{driver}", driver, devices, pool=node, nodeName=node)


def device_class(name: str, *selectors: str, **fields: object) -> JSON:
    """A class of the devices for which all the expressions hold."""
    spec: JSON = {"selectors": [{"cel": {"expression": text}} for text in selectors]} if selectors else {}
    return {"apiVersion": _VERSION, "kind": "DeviceClass", "metadata": {"name": name}, "spec": spec | fields}


def amd_gpu(index: int, product: str = "AMD_Instinct_MI300X_OAM", memory: str = "192Gi", **fields: object) -> JSON:
    """A device of AMD's driver."""
    attributes: dict[str, Value] = {
        "type": "amdgpu",
        "productName": product,
        "cardIndex": index,
        "driverVersion": "v6.12.12",
        "numaNode": index // 4,
        PCIE_ROOT: f"pci0000:{index // 2:02x}",
    }
    return device(f"gpu-{index}", attributes, {"memory": memory, "computeUnits": "304"}, **fields)


def nvidia_gpu(index: int, product: str = "NVIDIA H100 80GB HBM3", memory: str = "80Gi", **fields: object) -> JSON:
    """A whole device of NVIDIA's driver."""
    attributes: dict[str, Value] = {
        "type": "gpu",
        "productName": product,
        "architecture": "Hopper",
        "cudaComputeCapability": "v9.0.0",
        "index": index,
        PCIE_ROOT: f"pci0000:{index:02x}",
    }
    return device(f"gpu-{index}", attributes, {"memory": memory}, **fields)


def partitions(memory_slices: int = 8) -> tuple[list[JSON], list[JSON]]:
    """The shared counters of one GPU, and as devices the GPU and its partitions, which consume them."""
    counters = [{"name": "gpu-0-counters", "counters": {"memory": {"value": f"{memory_slices * 10}Gi"}, "slices": {"value": "7"}}}]
    shapes = [("gpu-0", "gpu", 80, 7)]
    shapes += [(f"mig-1g-{index}", "mig-1g", 10, 1) for index in range(7)]
    shapes += [(f"mig-3g-{index}", "mig-3g", 40, 3) for index in range(2)]
    devices = []
    for name, profile, memory, slices in shapes:
        draws = {"memory": {"value": f"{memory}Gi"}, "slices": {"value": str(slices)}}
        kind = "gpu" if profile == "gpu" else "mig"
        attributes: dict[str, Value] = {"type": kind, "profile": profile, "productName": "NVIDIA H100 80GB HBM3"}
        consumed = [{"counterSet": "gpu-0-counters", "counters": draws}]
        devices.append(device(name, attributes, {"memory": f"{memory}Gi"}, consumesCounters=consumed))
    return counters, devices


def shared(name: str, memory: str, policy: JSON | None = None) -> JSON:
    """A device of which several claims may have parts."""
    made = device(name, {"type": "shared", "productName": "shared"}, {"memory": memory, "lanes": "16"}, allowMultipleAllocations=True)
    if policy is not None:
        made["capacity"]["memory"]["requestPolicy"] = policy
    return made
