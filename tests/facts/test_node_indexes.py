"""The nodes that an inventory finds, at the first and at later calls, and the former nodes that come last."""

from __future__ import annotations

import pytest

from weighbridge.policies.facts import Inventory, Node
from weighbridge.policies.facts.autoscaling.former import remember
from weighbridge.policies.facts.node_shapes import Own
from weighbridge.policies.facts.read_fields import is_read


def sized(number: int, memory: int, zone: str = "a") -> Node:
    return Node.from_object({"metadata": {"name": f"n{number}", "labels": {"zone": zone}}, "status": {"allocatable": {"memory": memory}}})


def test_nodes_are_found_by_a_label_as_often_as_they_are_asked_for() -> None:
    inventory = Inventory([sized(number, 1, zone) for number, zone in enumerate("abac")])
    for _ in range(3):
        assert sorted(inventory.with_label("zone", {"a", "c"})) == ["n0", "n2", "n3"]
        assert inventory.with_label("zone", {"d"}) == []
        assert inventory.with_label("rack", {"a"}) == []


@pytest.mark.parametrize("order", [range(100, 140), range(139, 99, -1)])
def test_the_amounts_of_a_shape_reach_from_the_least_to_the_most(order: range) -> None:
    inventory = Inventory(sized(amount, amount) for amount in order)
    assert len(inventory.shapes) == 1
    assert inventory.own.amounts == {"memory"}
    assert [inventory.surely_has("memory", wanted) for wanted in (99, 100, 101)] == [True, True, False]
    assert [inventory.divides("memory", wanted) for wanted in (100, 101, 139, 140)] == [False, True, True, False]
    assert [inventory.divides("cpu", 1), inventory.surely_has("cpu", 1), inventory.surely_has("cpu", 0)] == [False, False, True]
    larger = inventory.with_node(sized(140, 140)).with_node(sized(99, 99))
    assert [larger.surely_has("memory", wanted) for wanted in (99, 100)] == [True, False]
    assert [larger.divides("memory", wanted) for wanted in (99, 100, 140, 141)] == [False, True, True, False]
    assert not inventory.divides("memory", 140)


def test_a_shape_that_was_there_again_is_among_the_latest() -> None:
    nodes = [sized(number, 1, zone) for number, zone in enumerate("aba")]
    assert [node.name for node in remember((), nodes, Own(frozenset(), frozenset()))] == ["n1", "n2"]
    assert [node.name for node in remember(nodes[:2], nodes[2:], Own(frozenset(), frozenset()))] == ["n1", "n2"]


@pytest.mark.parametrize(
    ("kind", "annotation", "expected"),
    [
        (("storage.k8s.io", "StorageClass"), "storageclass.kubernetes.io/is-default-class", True),
        (("storage.k8s.io", "StorageClass"), "storageclass.kubernetes.io/is-default-class/x", False),
        (("storage.k8s.io", "StorageClass"), "pv.kubernetes.io/bind-completed", False),
        (("", "PersistentVolumeClaim"), "pv.kubernetes.io/bind-completed", True),
        (("", "PersistentVolume"), "pv.kubernetes.io/bind-completed", False),
        (("", "Pod"), "pv.kubernetes.io/bind-completed", False),
        (("cluster.x-k8s.io", "MachineSet"), "capacity.cluster-autoscaler.kubernetes.io/memory", True),
        (("cluster.x-k8s.io", "MachineSet"), "capacity.example.com/memory", False),
    ],
)
def test_annotations_are_kept_by_their_kind_and_name(kind: tuple[str, str], annotation: str, expected: bool) -> None:
    assert is_read(*kind, annotation) is expected
