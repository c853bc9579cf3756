"""How many volumes a node can attach, and whether a driver that publishes its capacity has room for new ones."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import facts, node, placed, reasons
from tests.placement.test_volumes import ZONE, claim, storage_class, using, volume
from weighbridge.policies.facts import Node
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.placement import place

TOO_MANY, NO_ROOM = "node(s) exceed max volume count", "node(s) did not have enough free storage"
NOT_INSTALLED = "p.x CSI driver is not installed on the node"
NONE_FREE = "node(s) didn't find available persistent volumes to bind"
STORAGE = "storage.k8s.io/v1"


def csi_node(name: str, **counts: int | None) -> JSONObject:
    """The CSINode with the limits of a node's drivers, by the first part of the drivers' names."""
    drivers = [
        {"name": f"{driver}.x", **({"allocatable": {"count": count}} if count is not None else {})} for driver, count in counts.items()
    ]
    return {"apiVersion": STORAGE, "kind": "CSINode", "metadata": {"name": name}, "spec": {"drivers": drivers}}


def bound(name: str, driver: str = "p.x", handle: str = "") -> list[JSONObject]:
    """A claim with its volume."""
    return [claim(name, bound=f"v-{name}"), volume(f"v-{name}", csi={"driver": driver, "volumeHandle": handle or name})]


BOUND = [*bound("a"), *bound("b"), *bound("same", handle="a"), *bound("other", "q.x")]


@pytest.mark.parametrize(
    ("claims", "limits", "rejected"),
    [
        (["a", "b"], {"p": 1}, [TOO_MANY]),
        (["a", "b"], {"p": 2}, []),
        (["a", "same"], {"p": 1}, []),
        (["a", "other"], {"p": 1, "q": 0}, [TOO_MANY]),
        (["a", "b"], {"p": None}, []),
        (["a", "b"], {"q": 0}, []),
        (["new"], {"p": 0}, [TOO_MANY]),
        (["new", "a"], {"p": 1}, [TOO_MANY]),
        ([], {"p": 0}, []),
    ],
)
def test_a_node_attaches_so_many_volumes_of_a_driver(claims: list[str], limits: dict[str, int | None], rejected: list[str]) -> None:
    objects = [node(), csi_node("n", **limits), *BOUND, claim("new", "made"), storage_class("made")]
    assert reasons(using(*claims), *objects) == rejected


def test_without_a_word_of_a_node_there_is_no_limit_and_without_any_nothing_is_known() -> None:
    known = placed(using("a"), node("n"), node("m"), csi_node("m", p=0), *BOUND)
    assert (known.feasible, known.unchecked) == (["n"], [])
    unknown = placed(using("a"), node("n"), *BOUND)
    assert (unknown.feasible, unknown.unchecked) == (["n"], ["volumes: how many of them a node can attach isn't known"])


def test_a_pod_with_too_many_volumes_hears_how_many_there_may_be() -> None:
    placement = placed(using("a", "b"), node("n"), node("m"), csi_node("n", p=1), csi_node("m", p=1), *BOUND)
    assert placement.message.startswith("0/2 nodes are available: 2 node(s) exceed max volume count. ")
    assert placement.message.endswith("2 No preemption victims found for incoming pod.")
    assert placement.nearest == ["n and 1 more would fit, but they can attach 1 of the pod's 2 volumes of p.x"]


def driver(*, counts: bool = True) -> JSONObject:
    return {"apiVersion": STORAGE, "kind": "CSIDriver", "metadata": {"name": "p.x"}, "spec": {"storageCapacity": counts}}


def required() -> JSONObject:
    """A driver that a node must have."""
    return {**driver(counts=False), "spec": {"preventPodSchedulingIfMissing": True}}


@pytest.mark.parametrize(
    ("claims", "drivers", "rejected"),
    [
        (["a"], {"p": None}, []),
        (["a"], {"p": 0}, [TOO_MANY]),
        (["a"], {"q": None}, [NOT_INSTALLED]),
        (["a", "other"], {"q": 0}, [NOT_INSTALLED]),
        (["other"], {}, []),
        (["new"], {}, [NOT_INSTALLED]),
        ([], {}, []),
    ],
)
def test_a_node_lacks_a_driver_that_it_must_have(claims: list[str], drivers: dict[str, int | None], rejected: list[str]) -> None:
    objects = [node(), csi_node("n", **drivers), *BOUND, claim("new", "made"), storage_class("made")]
    assert reasons(using(*claims), *objects, required()) == rejected
    assert NOT_INSTALLED not in reasons(using(*claims), *objects, driver(counts=False))


def test_only_nodes_with_a_required_driver_fit() -> None:
    nodes = [node(f"n{at}") for at in range(4)]
    # The last node has no CSINode at all.
    found = placed(using("a"), *nodes, csi_node("n0"), csi_node("n1", p=None), csi_node("n2", q=1), *BOUND, required())
    assert (found.feasible, found.rejected) == (["n1"], {name: [NOT_INSTALLED] for name in ("n0", "n2", "n3")})
    nowhere = placed(using("a"), *nodes, csi_node("n0"), *BOUND, required())
    assert nowhere.message.startswith(f"0/4 nodes are available: 4 {NOT_INSTALLED}. ")
    assert nowhere.message.endswith("4 No preemption victims found for incoming pod.")
    assert nowhere.nearest == ["n0 and 3 more would fit, but they lack the CSI driver p.x"]


def test_an_expected_node_will_have_the_driver() -> None:
    coming = Node.expected("pool", {}, [], {})
    cluster = facts(node(), csi_node("n"), *BOUND, required())
    assert place(using("a"), cluster, expected=[coming]).on_expected == ["pool"]


def capacity(topology: JSONObject | None, size: str | None = "10Gi", storage: str = "made", **more: Any) -> JSONObject:
    """The capacity left in a topology for volumes of a class."""
    metadata = {"name": "left", "namespace": "kube-system"}
    found: JSONObject = {"apiVersion": STORAGE, "kind": "CSIStorageCapacity", "metadata": metadata, "storageClassName": storage, **more}
    return found | ({"nodeTopology": topology} if topology is not None else {}) | ({"capacity": size} if size is not None else {})


IN_Z1: JSONObject = {"matchLabels": {ZONE: "z1"}}


@pytest.mark.parametrize(
    ("left", "rejected"),
    [
        (capacity(IN_Z1), []),
        (capacity({}), []),
        (capacity({"matchExpressions": [{"key": ZONE, "operator": "In", "values": ["z1"]}]}), []),
        (capacity({"matchLabels": {ZONE: "z2"}}), [NO_ROOM]),
        (capacity({"matchExpressions": [{"key": ZONE, "operator": "NotIn", "values": ["z1"]}]}), [NO_ROOM]),
        (capacity(None), [NO_ROOM]),
        (capacity(IN_Z1, "4Gi"), [NO_ROOM]),
        (capacity(IN_Z1, None), [NO_ROOM]),
        (capacity(IN_Z1, "4Gi", maximumVolumeSize="5Gi"), []),
        (capacity(IN_Z1, "100Gi", maximumVolumeSize="4Gi"), [NO_ROOM]),
        (capacity(IN_Z1, storage="another"), [NO_ROOM]),
    ],
)
def test_a_new_volume_needs_room_that_the_node_can_reach(left: JSONObject, rejected: list[str]) -> None:
    objects = [node(labels={ZONE: "z1"}), csi_node("n"), storage_class("made"), claim("c", "made", "5Gi")]
    assert reasons(using("c"), *objects, driver(), left) == rejected
    assert reasons(using("c"), *objects, driver(counts=False), left) == []


def test_a_topology_that_forbids_the_volume_comes_before_the_room_for_it() -> None:
    objects = [node(labels={ZONE: "z1"}), storage_class("made", "p.x", "z2"), claim("c", "made", "5Gi"), driver(), capacity(IN_Z1, "1Gi")]
    assert reasons(using("c"), *objects) == [NONE_FREE]


def test_what_is_not_known_of_the_room_is_not_guessed() -> None:
    objects = [node(), csi_node("n"), storage_class("made"), claim("c", "made")]
    assert placed(using("c"), *objects).unchecked == ["StorageClass made: whether its driver has room left isn't known"]
    other = {**driver(), "metadata": {"name": "other.x"}}
    assert placed(using("c"), *objects, other).unchecked == []


def test_nodes_alike_are_told_apart_by_what_they_can_attach_and_reach() -> None:
    nodes = [node(f"n{at}") for at in range(40)]
    room = [capacity({"matchLabels": {"kubernetes.io/hostname": f"n{at}"}}) for at in range(0, 40, 2)]
    room = [{**found, "metadata": {"name": f"left-{at}"}} for at, found in enumerate(room)]
    limits = [csi_node(f"n{at}", p=at % 3) for at in range(40)]
    placement = placed(using("c"), *nodes, *room, *limits, storage_class("made"), claim("c", "made"), driver())
    assert placement.feasible == [f"n{at}" for at in range(40) if at % 2 == 0 and at % 3]
    assert placement.rejected["n3"] == [TOO_MANY]
    assert placement.rejected["n1"] == [NO_ROOM]
