"""How much memory the GPUs of a node have, by what its labels say.

NVIDIA's GPU feature discovery writes MiB into `nvidia.com/gpu.memory`; AMD's node labeller a number with a binary G into
`amd.com/gpu.vram` (older: `beta.amd.com/`), as value or, counted, at the end of the key. Else the product's own name may hold it (``H100
80GB``). Of integrated GPUs, which share the memory of their host, nothing is said.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.facts.accelerators.nvidia import WHOLE_GPU
from weighbridge.policies.facts.inventory import Inventory
from weighbridge.policies.facts.node import Node
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.records import dataclass

_NVIDIA_LABEL: Final = "nvidia.com/gpu.memory"
_AMD: Final = "amd.com/gpu"
#: AMD's labels, and how their counted forms begin.
_AMD_LABELS: Final = (("amd.com/gpu.vram", "amd.com/gpu.vram."), ("beta.amd.com/gpu.vram", "beta.amd.com/gpu.vram."))
_GIGABYTES: Final = expression(r"(?<![0-9])([0-9]{1,4})GB?(?![A-Za-z0-9])")


@dataclass(frozen=True, slots=True)
class GPUMemory:
    """The node on which some GPUs have most memory together, and how much that is."""

    node: Node
    size: int


def most_memory(inventory: Inventory, resource: str, count: int) -> GPUMemory | None:
    """The most memory that `count` GPUs of one node have; `None` where no node has as many, or of one that has them it isn't known."""
    found_on = []
    for node in inventory.examples(label=_NVIDIA_LABEL, resource=resource):
        if node.amounts.get(resource, 0) < count:
            continue
        size = known_memory(inventory, node, resource)
        if not size:
            return None
        found_on.append(GPUMemory(node, size * count))
    return max(found_on, key=lambda held: held.size, default=None)


def known_memory(inventory: Inventory, node: Node, resource: str) -> int:
    """What `memory_of` gives for a node of the inventory, which remembers it."""
    if resource not in {WHOLE_GPU, _AMD}:
        return 0
    return inventory.once((memory_of, resource, node.name), lambda: memory_of(node, resource))


def memory_of(node: Node, resource: str) -> int:
    """The bytes of one GPU of a node; 0 where the labels don't tell."""
    if resource == WHOLE_GPU and node.labels.get(_NVIDIA_LABEL, "").isdecimal():
        return int(node.labels[_NVIDIA_LABEL]) * 2**20
    if resource == _AMD and (labelled := _amd(node)):
        return labelled
    if resource not in {WHOLE_GPU, _AMD}:
        return 0
    found = {match[1] for held in node.accelerators if not held.resource for match in _GIGABYTES.finditer(held.product)}
    return int(found.pop()) * 2**30 if len(found) == 1 else 0


def _amd(node: Node) -> int:
    for label, start in _AMD_LABELS:
        ends = [key[len(start) :] for key, value in node.labels.items() if key.startswith(start) and value not in {"", "0"}]
        sizes = {match[1] for text in (node.labels.get(label, ""), *ends) if (match := _GIGABYTES.fullmatch(text))}
        if sizes:
            return min(map(int, sizes)) * 2**30
    return 0
