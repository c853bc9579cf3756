"""Nodes that count as alike: the allocator's verdict is the same for each, for every request and every allocation."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import pytest

from tests.devices.cluster import AMD, claim, device, gpus, held, node, pod, slice_of, store_of, wish
from tests.programs.devices.generated_claims import case
from weighbridge.policies.devices import DeviceRefusal, Devices, SchedulingAbortedError, Silent
from weighbridge.policies.devices.devices import ClaimRequests
from weighbridge.policies.devices.reads import attributes_read
from weighbridge.policies.facts import Inventory, Node

JSON = dict[str, Any]
TWINS = 3


def twins(asked: JSON) -> tuple[list[JSON], list[JSON]]:
    """The nodes and slices of a generated case, each node with copies of itself and of the pools that belong only to it."""
    hosts, slices = list(asked["Nodes"]), list(asked["Slices"])
    places: dict[tuple[str, str], set[str]] = {}
    for found in slices:
        spec = found["spec"]
        places.setdefault((spec["driver"], spec["pool"]["name"]), set()).add(spec.get("nodeName", ""))
    for host in asked["Nodes"]:
        name = host["metadata"]["name"]
        for number in range(TWINS):
            twin = copy.deepcopy(host)
            twin["metadata"]["name"] = twin["metadata"]["labels"]["kubernetes.io/hostname"] = f"{name}-{number}"
            hosts.append(twin)
            for found in asked["Slices"]:
                spec = found["spec"]
                if places[spec["driver"], spec["pool"]["name"]] == {name}:
                    made = copy.deepcopy(found)
                    made["metadata"]["name"] += f"-{number}"
                    made["spec"]["nodeName"] = f"{name}-{number}"
                    made["spec"]["pool"]["name"] += f"-{number}"
                    slices.append(made)
    for number, item in enumerate(item for found in slices for item in found["spec"].get("devices", ())):
        item.setdefault("attributes", {})["uuid"] = {"string": f"u-{number}"}
    return hosts, slices


def answer(devices: Devices, requests: ClaimRequests, on: Node) -> str:
    """The verdict on a node; for an abort the words without the names of claims and pools."""
    try:
        return devices.solve(requests, on).reason
    except SchedulingAbortedError as error:
        return "abort: " + " ".join(word for word in str(error).split() if word.isalpha())


@pytest.mark.timeout(600)
def test_of_nodes_that_are_alike_the_allocator_says_the_same() -> None:
    found: Counter[str] = Counter()
    for seed in range(250):
        asked = case(seed)
        hosts, slices = twins(asked)
        devices = Devices.of(store_of([*slices, *asked["Classes"], *asked["Claims"], *asked["Allocated"]]))
        inventory = Inventory(map(Node.from_object, hosts))
        claiming = pod(*(wanted["metadata"]["name"] for wanted in asked["Claims"]))
        requests = devices.requests_of(claiming, "default")
        assert not isinstance(requests, (DeviceRefusal, Silent))
        parts = devices.partition(requests, inventory)
        assert sum(parts.sizes.values()) == len(hosts)
        for on in inventory.nodes:
            like = parts.examples[parts.shape_of[on.name]]
            again = devices.requests_of(claiming, "default")
            assert isinstance(again, ClaimRequests)
            assert answer(devices, again, on) == answer(devices, again, like), (seed, on.name, like.name)
            found["same" if like is not on else "first"] += 1
    assert found["same"] > found["first"] / 2


ALIKE = [slice_of([device(f"g{at}", uuid=f"{name}-{at}", root="r0") for at in range(4)], on=name) for name in "abcdefgh"]
NODES = Inventory([node(name, None, **{"kubernetes.io/hostname": name}) for name in "abcdefgh"])


def parts_of(*objects: JSON) -> int:
    """The number of groups of nodes that are alike for a pod with claim c."""
    devices = Devices.of(store_of([AMD, *ALIKE, *objects]))
    requests = devices.requests_of(pod("c"), "default")
    assert isinstance(requests, ClaimRequests)
    return len(devices.partition(requests, NODES).sizes)


@pytest.mark.parametrize(
    ("wanted", "parts"),
    [
        (claim(wish(1)), 1),
        (claim(wish(1, where='device.attributes["gpu.amd.com"].root == "r0"')), 1),
        (claim(wish(1, where='device.attributes["gpu.amd.com"].uuid == "a-0"')), 8),
        (claim(wish(1, where='device.attributes["gpu.amd.com"].exists(k, k == "uuid")')), 8),
        (claim(wish(2), constraints=[{"matchAttribute": "gpu.amd.com/root"}]), 1),
        (claim(wish(2), constraints=[{"matchAttribute": "gpu.amd.com/uuid"}]), 8),
    ],
)
def test_what_is_each_device_s_own_counts_only_for_those_who_look_at_it(wanted: JSON, parts: int) -> None:
    assert parts_of(wanted) == parts


def test_devices_that_are_held_and_slices_that_differ_make_parts() -> None:
    wanted = claim(wish(1))
    assert parts_of(wanted, held("gpu.amd.com", "a", "g0", name="h0"), held("gpu.amd.com", "b", "g0", name="h1")) == 2
    assert parts_of(wanted, held("gpu.amd.com", "a", "g0", name="h0"), held("gpu.amd.com", "b", "g3", name="h1")) == 3
    assert parts_of(wanted, slice_of(gpus(1), on="c", driver="other.example.com")) == 2
    assert parts_of(wanted, slice_of(gpus(1), "net", driver="nic.example.com", pool="net", allNodes=True)) == 1


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('device.attributes["d"].model == "x"', {"attributes", "d", "model", "x"}),
        ('cel.bind(a, device.attributes["d"], a.model == "x")', {"d", "model", "x", "attributes"}),
        ('device.attributes["d"][?"u"].orValue("") == "a"', {"attributes", "d", "u", "", "a"}),
        ('device.capacity["d"].memory.isGreaterThan(quantity("5Gi"))', {"capacity", "d", "memory", "5Gi"}),
        ('device.attributes["d"] == device.attributes["e"]', None),
        ('dyn(device).driver == "x"', None),
        ('device.attributes["d"]["a" + "b"] == 1', None),
        ('device.attributes["d"].exists(k, device.attributes["d"][k] == "z")', None),
        ("not a selector (", set()),
    ],
)
def test_a_selector_tells_what_it_looks_at(text: str, names: set[str] | None) -> None:
    assert attributes_read(text) == names
