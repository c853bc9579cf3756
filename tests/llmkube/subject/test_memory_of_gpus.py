"""The memory of a GPU by the labels of its node, if several of them state it, and the node on which some GPUs have the most together."""

from __future__ import annotations

import pytest

from weighbridge.policies.facts.accelerators.memory import GPUMemory, memory_of, most_memory
from weighbridge.policies.facts.inventory import Inventory
from weighbridge.policies.facts.node import Node

GIB = 2**30
NVIDIA = "nvidia.com/gpu"
AMD = "amd.com/gpu"
MEMORY = "nvidia.com/gpu.memory"
PRODUCT = "nvidia.com/gpu.product"


def a_node(name: str, labels: dict[str, str], resource: str = NVIDIA, count: int = 4) -> Node:
    return Node.from_object({"metadata": {"name": name, "labels": labels}, "status": {"allocatable": {resource: str(count)}}})


@pytest.mark.parametrize(
    ("labels", "resource", "size"),
    [
        ({MEMORY: "1", PRODUCT: "NVIDIA-H100-80GB-HBM3"}, NVIDIA, 2**20),
        ({MEMORY: "80G", PRODUCT: "NVIDIA-H100-80GB-HBM3"}, NVIDIA, 80 * GIB),
        ({MEMORY: "", PRODUCT: "A100-SXM4-40GB"}, NVIDIA, 40 * GIB),
        ({MEMORY: "1"}, AMD, 0),
        ({PRODUCT: "NVIDIA-A100-SXM4-40GBX"}, NVIDIA, 0),
        ({"amd.com/gpu.vram": "192G", "beta.amd.com/gpu.vram": "64G"}, AMD, 192 * GIB),
        ({"amd.com/gpu.vram": "192GB"}, AMD, 192 * GIB),
        ({"amd.com/gpu.vram": "192"}, AMD, 0),
        ({"amd.com/gpu.vram": "19200G"}, AMD, 0),
        ({"amd.com/gpu.vram": "?", "beta.amd.com/gpu.vram": "64G"}, AMD, 64 * GIB),
        ({"amd.com/gpu.vram.64G": "2", "amd.com/gpu.vram.192G": "6"}, AMD, 64 * GIB),
        ({"amd.com/gpu.vram.192G": "6", "amd.com/gpu.vram.64G": "0"}, AMD, 192 * GIB),
        ({"amd.com/gpu.vram.192G": "6", "amd.com/gpu.vram.64G": ""}, AMD, 192 * GIB),
        ({"amd.com/gpu.vram": "192G"}, NVIDIA, 0),
    ],
)
def test_the_most_exact_label_counts(labels: dict[str, str], resource: str, size: int) -> None:
    assert memory_of(a_node("n", labels, resource), resource) == size


def test_all_of_the_gpus_lie_in_one_node() -> None:
    many, large = a_node("many", {MEMORY: "1024"}, count=4), a_node("large", {MEMORY: "4096"}, count=2)
    unlabelled = a_node("unlabelled", {}, count=1)
    nodes = Inventory([unlabelled, many, large])
    assert most_memory(nodes, NVIDIA, 2) == GPUMemory(large, 8 * GIB)
    assert most_memory(nodes, NVIDIA, 3) == GPUMemory(many, 3 * GIB)
    assert most_memory(nodes, NVIDIA, 4) == GPUMemory(many, 4 * GIB)
    assert most_memory(nodes, NVIDIA, 5) is None
    assert most_memory(nodes, NVIDIA, 1) is None
    assert most_memory(nodes, AMD, 1) is None
