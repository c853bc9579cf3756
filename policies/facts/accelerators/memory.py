"""The memory of a node's GPUs, by its labels.

NVIDIA's GPU feature discovery writes MiB into `nvidia.com/gpu.memory`, of MIG slices with a resource of their own into
`nvidia.com/mig-<profile>.memory`; AMD's node labeller a number with a binary G into `amd.com/gpu.vram` (older: `beta.amd.com/`), as value
or, counted, at the end of the key, which for a partitioned GPU is what a partition has (SPX, DPX, TPX, QPX and CPX with any NPS). Otherwise
the name of the profile or of the product may have it (``1g.10gb``, ``H100 80GB``). Shares of a GPU add no memory (`units`). The memory of
integrated GPUs isn't known, since they share that of their host.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts.accelerators.nvidia import MIG, WHOLE_GPU
from weighbridge.policies.facts.accelerators.units import GKE_PARTITION, MPS_SHARES, PROFILE, known_units
from weighbridge.policies.facts.inventory import Inventory
from weighbridge.policies.facts.node import Node
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass

_AMD: Final = "amd.com/gpu"
#: AMD's labels, and the beginnings of their counted forms.
_AMD_LABELS: Final = (("amd.com/gpu.vram", "amd.com/gpu.vram."), ("beta.amd.com/gpu.vram", "beta.amd.com/gpu.vram."))
#: The resources of AMD's partitions by the strategy `mixed`: how a GPU is cut, and its memory.
_PARTITION: Final = expression(r"amd\.com/[sdtqc]px_nps[0-9]")
_GIGABYTES: Final = expression(r"(?<![0-9])([0-9]{1,4})GB?(?![A-Za-z0-9])")


@dataclass(frozen=True, slots=True)
class GPUMemory:
    """The node on which some GPUs have the most memory together, and that memory."""

    node: Node
    size: int


def most_memory(inventory: Inventory, resource: str, count: int, used: int = 0) -> GPUMemory | None:
    """The most memory that `used` units of one node have, by default all `count` of them, among the nodes that have `count`.

    `None` if no node has as many, or if the memory of one that has them isn't known.
    """
    found_on = []
    for node in inventory.examples(label=_label(resource), resource=resource):
        if node.amounts.get(resource, 0) < count:
            continue
        size = known_memory(inventory, node, resource, used or count)
        if not size:
            return None
        found_on.append(GPUMemory(node, size))
    return max(found_on, key=lambda held: held.size, default=None)


def known_memory(inventory: Inventory, node: Node, resource: str, count: int = 1) -> int:
    """The bytes that `count` units have on a node of the inventory, which remembers the size of each; 0 if it isn't known."""
    size = inventory.once((memory_of, resource, node.name), lambda: memory_of(node, resource))
    units = known_units(inventory, node, resource) if size else None
    if units is None:
        return size * count
    if units.kind == MPS_SHARES:
        return size * min(count, units.per_device * units.devices) // units.per_device
    return size * units.devices_of(count)


def memory_of(node: Node, resource: str) -> int:
    """The bytes of one device of a node: a GPU, a MIG slice or a partition; 0 if the labels don't say."""
    if resource == _AMD or _PARTITION.fullmatch(resource):
        return _amd(node) or (_of_product(node) if resource == _AMD else 0)
    base = resource.removesuffix(".shared")
    if base != WHOLE_GPU and not base.startswith(MIG):
        return 0
    written = node.labels.get(f"{base}.memory", "")
    if written.isdecimal() and int(written):
        return int(written) * 2**20
    profile = PROFILE.search(base) or PROFILE.search(node.labels.get(f"{base}.product", "") or node.labels.get(GKE_PARTITION, ""))
    if profile is not None:
        return int(profile[1]) * 2**30
    return min(node.hami) * 2**20 if node.hami else _of_product(node)


def _label(resource: str) -> str:
    return "amd.com/gpu.vram" if resource.startswith("amd.com/") else f"{resource.removesuffix('.shared')}.memory"


def _of_product(node: Node) -> int:
    found = {match[1] for held in node.accelerators if not held.resource for match in _GIGABYTES.finditer(held.product)}
    return int(found.pop()) * 2**30 if len(found) == 1 else 0


def _amd(node: Node) -> int:
    for label, start in _AMD_LABELS:
        ends = [key[len(start) :] for key, value in node.labels.items() if key.startswith(start) and value not in {"", "0"}]
        sizes = {match[1] for text in (node.labels.get(label, ""), *ends) if (match := _GIGABYTES.fullmatch(text))}
        if sizes:
            return min(map(int, sizes)) * 2**30
    return 0
