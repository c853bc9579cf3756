"""The meaning of a resource's units on a node: whole GPUs, or shares of fewer GPUs.

A scheduler counts units: for it, four time slices of one card are four, but an engine finds one GPU with the memory of one. NVIDIA's device
plugin replicates each GPU (`gpu.replicas`, `gpu.sharing-strategy`); with MPS each replica has an even share of the memory, and the plugin
refuses a container more than one unless `failRequestsGreaterThanOne` is false. MIG slices are devices with their own memory, but CUDA gives
a process only one of them, and they have no P2P. GKE has the same under other labels. HAMi and Intel's plugin offer each GPU several times.
AMD's partitions are devices with their own memory that engines use together, so they count as GPUs.

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

#: The ending that the device plugin adds to the name of a shared resource, if it is configured so.
_RENAMED: Final = ".shared"
_NVIDIA: Final = "nvidia.com/"
_GKE: Final = "cloud.google.com/gke-"
_GKE_STRATEGY, _GKE_CLIENTS = f"{_GKE}gpu-sharing-strategy", f"{_GKE}max-shared-clients-per-gpu"
#: The label of a node whose GPUs GKE has split into MIG slices; its value is their profile.
GKE_PARTITION: Final = f"{_GKE}gpu-partition-size"
_INTEL: Final = ("gpu.intel.com/i915", "gpu.intel.com/xe")
_INTEL_COUNT: Final = "gpu.intel.com/device.count"
#: The profile of a slice in the name of a product or a resource.
PROFILE: Final = expression(r"(?:-MIG-|nvidia\.com/mig-|^)[0-9]+g\.([0-9]+)gb")
TIME_SLICES, MPS_SHARES, MIG_SLICES = "time slices", "MPS shares", "MIG slices"
HAMI_SHARES: Final = "shares by HAMi"
_SHARES: Final = "shares"


@dataclass(frozen=True, slots=True)
class Units:
    """Units that aren't whole GPUs: their kind, the number of devices that a node's units share, and the units of each device.

    `one_only` says that the device plugin gives a container only one.
    """

    kind: str
    devices: int
    per_device: int
    one_only: bool = False

    def devices_of(self, count: int) -> int:
        """The most devices that an engine with `count` units can use together."""
        return 1 if self.kind == MIG_SLICES else min(count, self.devices)


def units_of(node: Node, resource: str) -> Units | None:
    """The kind of a resource's units on a node; `None` if each is a separate device, as far as is known."""
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
    """The result of `units_of` for a node of the inventory, which remembers it."""
    return inventory.once((units_of, resource, node.name), lambda: units_of(node, resource))


def shares_devices(inventory: Inventory, resource: str) -> bool:
    """Whether the units of a resource are less than whole devices on some node. The inventory remembers it."""
    if not resource.startswith((_NVIDIA, *_INTEL)):
        return False
    return inventory.once((shares_devices, resource), lambda: any(units_of(node, resource) for node in inventory.examples()))


def most_devices(inventory: Inventory | None, resource: str, count: int) -> int:
    """The most devices that an engine with `count` units finds on a node that has them; `count` if that isn't known."""
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
        # A feature discovery that is older than the label, or whose configuration names no replicas.
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
