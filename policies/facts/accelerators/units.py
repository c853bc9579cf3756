"""What the units of a resource on a node are: whole GPUs, or shares of fewer ones.

A scheduler counts units. Four time slices of one card are four to it, and an engine finds one GPU with the memory of one. NVIDIA's device
plugin replicates each GPU (`gpu.replicas`, `gpu.sharing-strategy`); with MPS each replica has an even share of the memory, and the plugin
refuses a container more than one unless `failRequestsGreaterThanOne` is false. MIG slices are devices with a memory of their own, but CUDA
gives a process one of them, and they have no P2P. GKE has the same under labels of its own. HAMi and Intel's plugin offer each GPU several
times. AMD's partitions are devices with their own memory that engines use together, so they count as GPUs.

Sources: NVIDIA/k8s-device-plugin v0.19 (`internal/lm/resource.go`, `internal/rm/allocate.go`, `api/config/v1/config.go`); NVIDIA's MIG user
guide, "CUDA Device Enumeration", and NVIDIA/nccl issue 1716; GoogleCloudPlatform/container-engine-accelerators
(`pkg/gpu/nvidia/gpusharing`); intel/intel-device-plugins-for-kubernetes (`cmd/gpu_plugin/labels.md`, `-shared-dev-num`); HAMi v2.9
(`pkg/device/devices.go`); ROCm/k8s-device-plugin (`docs/user-guide/configuration.md`).
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts.accelerators.nvidia import MIG, WHOLE_GPU
from weighbridge.policies.facts.inventory import Inventory
from weighbridge.policies.facts.node import Node
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass

#: What the device plugin adds to the name of a resource that is shared, where it is so configured.
_RENAMED: Final = ".shared"
_NVIDIA: Final = "nvidia.com/"
_GKE: Final = "cloud.google.com/gke-"
_GKE_STRATEGY, _GKE_CLIENTS = f"{_GKE}gpu-sharing-strategy", f"{_GKE}max-shared-clients-per-gpu"
#: The label of a node whose GPUs GKE has cut into MIG slices: their profile.
GKE_PARTITION: Final = f"{_GKE}gpu-partition-size"
_INTEL: Final = ("gpu.intel.com/i915", "gpu.intel.com/xe")
_INTEL_COUNT: Final = "gpu.intel.com/device.count"
#: The profile of a slice in a product's name or in a resource's.
PROFILE: Final = expression(r"(?:-MIG-|nvidia\.com/mig-|^)[0-9]+g\.([0-9]+)gb")
TIME_SLICES, MPS_SHARES, MIG_SLICES = "time slices", "MPS shares", "MIG slices"
HAMI_SHARES: Final = "shares by HAMi"
_SHARES: Final = "shares"


@dataclass(frozen=True, slots=True)
class Units:
    """Units that aren't whole GPUs: what they are, on how many devices all of a node's are, and how many there are of each device.

    `one_only` says that the device plugin refuses a container more than one.
    """

    kind: str
    devices: int
    per_device: int
    one_only: bool = False

    def devices_of(self, count: int) -> int:
        """The most devices that an engine with so many units can use together."""
        return 1 if self.kind == MIG_SLICES else min(count, self.devices)


def units_of(node: Node, resource: str) -> Units | None:
    """What the units of a resource are on a node; `None` where each is a device of its own, as far as is known."""
    amount = node.amounts.get(resource, 0)
    if amount <= 0:
        return None
    if resource.startswith(_NVIDIA):
        return _of_nvidia(node, resource, amount)
    if resource in _INTEL:
        count = _number(node.labels.get(_INTEL_COUNT, ""))
        return Units(_SHARES, count, -(-amount // count)) if 0 < count < amount else None
    return None


def known_units(inventory: Inventory, node: Node, resource: str) -> Units | None:
    """What `units_of` gives for a node of the inventory, which remembers it."""
    return inventory.once((units_of, resource, node.name), lambda: units_of(node, resource))


def shares_devices(inventory: Inventory, resource: str) -> bool:
    """Whether the units of a resource are less than whole devices on some node. The inventory remembers it."""
    if not resource.startswith((_NVIDIA, *_INTEL)):
        return False
    return inventory.once((shares_devices, resource), lambda: any(units_of(node, resource) for node in inventory.examples()))


def most_devices(inventory: Inventory | None, resource: str, count: int) -> int:
    """The most devices that an engine with so many units finds on a node that has them; `count` where that isn't known."""
    if inventory is None or not shares_devices(inventory, resource):
        return count
    nodes = (node for node in inventory.examples(resource=resource) if node.amounts.get(resource, 0) >= count)
    found = [count if units is None else units.devices_of(count) for units in (known_units(inventory, node, resource) for node in nodes)]
    return max(found, default=count)


def _of_nvidia(node: Node, resource: str, amount: int) -> Units | None:
    base, labels = resource.removesuffix(_RENAMED), node.labels
    product = labels.get(f"{base}.product", "")
    is_slice = base.startswith(MIG) or (base == WHOLE_GPU and (GKE_PARTITION in labels or bool(PROFILE.search(product))))
    if base == WHOLE_GPU and node.hami:
        return Units(HAMI_SHARES, len(node.hami), -(-amount // len(node.hami))) if len(node.hami) < amount else None
    strategy, replicas = labels.get(f"{base}.sharing-strategy", ""), _number(labels.get(f"{base}.replicas", ""))
    if base == WHOLE_GPU and not strategy:
        strategy, replicas = labels.get(_GKE_STRATEGY, ""), replicas or _number(labels.get(_GKE_CLIENTS, ""))
    if replicas <= 1 and product.endswith("-SHARED"):
        # Feature discovery of before the label, or one whose configuration names no replicas.
        count = _number(labels.get(f"{base}.count", ""))
        replicas = -(-amount // count) if count else 0
    replicas = max(1, replicas)
    if is_slice:
        return Units(MIG_SLICES, -(-amount // replicas), replicas)
    if replicas == 1:
        return None
    devices = -(-amount // replicas)
    if strategy == "mps":
        return Units(MPS_SHARES, devices, replicas, one_only=devices > 1 or _GKE_STRATEGY not in labels)
    return Units(TIME_SLICES, devices, replicas, one_only=labels.get(_GKE_STRATEGY) == "time-sharing")


def _number(written: str) -> int:
    return int(written) if written.isdecimal() and written.isascii() and len(written) < 10 else 0
