"""The meaning of a resource's units on a node, and their memory together."""

from __future__ import annotations

import pytest

from weighbridge.policies.facts import Inventory, Node
from weighbridge.policies.facts.accelerators.memory import known_memory, memory_of, most_memory
from weighbridge.policies.facts.accelerators.units import (
    HAMI_SHARES,
    MIG_SLICES,
    MPS_SHARES,
    TIME_SLICES,
    Units,
    most_devices,
    shares_devices,
    units_of,
)
from weighbridge.policies.facts.registered_devices import registered, registers

_GPU = "nvidia.com/gpu"


def _node(labels: dict[str, str], amounts: dict[str, str], annotations: dict[str, str] | None = None) -> Node:
    metadata = {"name": "node", "labels": labels, "annotations": annotations or {}}
    return Node.from_object({"metadata": metadata, "status": {"allocatable": amounts}})


def _discovered(base: str = _GPU, **labels: str) -> dict[str, str]:
    return {f"{base}.{key.replace('_', '-')}": value for key, value in labels.items()}


@pytest.mark.parametrize(
    ("labels", "resource", "amount", "expected"),
    [
        (_discovered(product="L4-SHARED", count="2", replicas="4", sharing_strategy="time-slicing"), _GPU, 8, Units(TIME_SLICES, 2, 4)),
        # One of three GPUs is unhealthy.
        (_discovered(count="3", replicas="4", sharing_strategy="time-slicing"), _GPU, 8, Units(TIME_SLICES, 2, 4)),
        (_discovered(count="2", replicas="4", sharing_strategy="mps"), _GPU, 8, Units(MPS_SHARES, 2, 4, one_only=True)),
        (_discovered(count="2", replicas="1", sharing_strategy="none"), _GPU, 2, None),
        # If a node has two models, the count is that of the last.
        (_discovered(count="2", replicas="1", sharing_strategy="none"), _GPU, 4, None),
        (_discovered(count="2", replicas="0", sharing_strategy=""), _GPU, 2, None),
        (_discovered(product="L4-SHARED", count="2"), _GPU, 6, Units(TIME_SLICES, 2, 3)),
        (_discovered(product="L4-SHARED"), _GPU, 6, None),
        (
            _discovered(product="L4", count="1", replicas="3", sharing_strategy="time-slicing"),
            f"{_GPU}.shared",
            3,
            Units(TIME_SLICES, 1, 3),
        ),
        (_discovered(product="A30-MIG-1g.6gb", count="4", replicas="1", sharing_strategy="none"), _GPU, 4, Units(MIG_SLICES, 4, 1)),
        (_discovered(product="A30-MIG-1g.6gb-SHARED", replicas="2", sharing_strategy="time-slicing"), _GPU, 8, Units(MIG_SLICES, 4, 2)),
        ({}, "nvidia.com/mig-1g.6gb", 4, Units(MIG_SLICES, 4, 1)),
        (
            {"cloud.google.com/gke-gpu-sharing-strategy": "time-sharing", "cloud.google.com/gke-max-shared-clients-per-gpu": "2"},
            *(_GPU, 4, Units(TIME_SLICES, 2, 2, one_only=True)),
        ),
        (
            {"cloud.google.com/gke-gpu-sharing-strategy": "mps", "cloud.google.com/gke-max-shared-clients-per-gpu": "4"},
            *(_GPU, 4, Units(MPS_SHARES, 1, 4)),
        ),
        ({"cloud.google.com/gke-gpu-partition-size": "1g.5gb"}, _GPU, 7, Units(MIG_SLICES, 7, 1)),
        ({"gpu.intel.com/device.count": "2"}, "gpu.intel.com/i915", 6, Units("shares", 2, 3)),
        ({"gpu.intel.com/device.count": "2"}, "gpu.intel.com/xe", 2, None),
        ({"amd.com/gpu.compute-memory-partition": "cpx_nps4"}, "amd.com/gpu", 64, None),
        (_discovered(count="1", replicas="4", sharing_strategy="time-slicing"), "amd.com/gpu", 4, None),
        (_discovered(count="1", replicas="4", sharing_strategy="time-slicing"), "nvidia.com/gpumem", 4, None),
        (_discovered(count="1", replicas="four", sharing_strategy="time-slicing"), _GPU, 4, None),
        (_discovered(count="1", replicas="4", sharing_strategy="time-slicing"), _GPU, 0, None),
    ],
)
def test_units_are_what_the_labels_say(labels: dict[str, str], resource: str, amount: int, expected: Units | None) -> None:
    assert units_of(_node(labels, {resource: str(amount)}), resource) == expected


@pytest.mark.parametrize(
    ("labels", "resource", "amount", "count", "gibibytes"),
    [
        (_discovered(memory="24576", count="1", replicas="4", sharing_strategy="time-slicing"), _GPU, 4, 4, 24),
        (_discovered(memory="24576", count="2", replicas="4", sharing_strategy="time-slicing"), _GPU, 8, 4, 48),
        (_discovered(memory="24576", count="2", replicas="4", sharing_strategy="mps"), _GPU, 8, 1, 6),
        (_discovered(memory="24576", count="2", replicas="1", sharing_strategy="none"), _GPU, 2, 2, 48),
        (_discovered(memory="10240", product="A100-SXM4-80GB-MIG-1g.10gb"), _GPU, 7, 2, 10),
        (_discovered(product="A100-SXM4-80GB-MIG-1g.10gb"), _GPU, 7, 1, 10),
        (_discovered("nvidia.com/mig-3g.40gb", memory="40960"), "nvidia.com/mig-3g.40gb", 2, 1, 40),
        ({}, "nvidia.com/mig-3g.40gb", 2, 1, 40),
        (_discovered(memory="24576", count="1", replicas="2", sharing_strategy="time-slicing"), f"{_GPU}.shared", 2, 2, 24),
        ({"amd.com/gpu.vram": "24G"}, "amd.com/gpu", 64, 8, 192),
        ({"amd.com/gpu.vram": "24G"}, "amd.com/cpx_nps4", 64, 8, 192),
        ({"amd.com/gpu.vram": "24G"}, "amd.com/other", 64, 8, 0),
        (_discovered(memory="0", product="A100-SXM4-80GB-MIG-INVALID"), "nvidia.com/gpu", 1, 1, 80),
        ({"cloud.google.com/gke-gpu-partition-size": "1g.5gb"}, _GPU, 7, 1, 5),
    ],
)
def test_shares_of_a_gpu_add_no_memory(labels: dict[str, str], resource: str, amount: int, count: int, gibibytes: int) -> None:
    node = _node(labels, {resource: str(amount)})
    assert known_memory(Inventory([node]), node, resource, count) == gibibytes * 2**30


def test_the_node_with_most_memory_counts_whole_gpus() -> None:
    sliced = _node(_discovered(memory="81920", count="1", replicas="8", sharing_strategy="time-slicing"), {_GPU: "8"})
    whole = Node.from_object({"metadata": {"name": "whole", "labels": {f"{_GPU}.memory": "46068"}}, "status": {"allocatable": {_GPU: "2"}}})
    inventory = Inventory([sliced, whole])
    held = most_memory(inventory, _GPU, 2)
    assert held is not None
    assert (held.node.name, held.size) == ("whole", 2 * 46068 * 2**20)
    assert most_devices(inventory, _GPU, 2) == 2
    assert most_devices(Inventory([sliced]), _GPU, 2) == 1
    assert most_devices(None, _GPU, 2) == 2
    assert shares_devices(inventory, _GPU)
    assert not shares_devices(Inventory([whole]), _GPU)


@pytest.mark.parametrize(
    ("written", "sizes"),
    [
        ("GPU-1,10,24576,100,NVIDIA-RTX3090,0,true:", (24576,)),
        ("GPU-1,10,24576,100,A,0,true,0,hami-core:GPU-2,10,40960,100,A,0,true,1,hami-core:", (24576, 40960)),
        ("GPU-1,10,24576,100,A,0,false:", ()),
        ('[{"id":"GPU-1","count":10,"devmem":24576,"health":true},{"id":"GPU-2","count":10,"devmem":1,"health":false}]', (24576,)),
        ("[{", ()),
        ("[1, {}]", ()),
        ("", ()),
        ("nonsense", ()),
    ],
)
def test_the_gpus_that_hami_registers(written: str, sizes: tuple[int, ...]) -> None:
    assert registered(written) == sizes
    kept = registers({"hami.io/node-nvidia-register": written, "hami.io/node-handshake": "Requesting_2026", "other": "x"})
    assert list(kept) == ["hami.io/node-nvidia-register"]
    assert "GPU-" not in kept["hami.io/node-nvidia-register"]
    assert registered(kept["hami.io/node-nvidia-register"]) == sizes


def test_hami_offers_each_gpu_several_times() -> None:
    node = _node({}, {_GPU: "20"}, {"hami.io/node-nvidia-register": "A,10,24576,100,X,0,true:B,10,24576,100,X,0,true:"})
    assert units_of(node, _GPU) == Units(HAMI_SHARES, 2, 10)
    assert memory_of(node, _GPU) == 24576 * 2**20
    assert units_of(_node({}, {"amd.com/gpu": "8"}, {"hami.io/node-amd-register": "x"}), "amd.com/gpu") is None
