"""Nodes as they are read, and the answers of an inventory while nodes are added and removed."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.facts import Inventory, Node
from weighbridge.policies.facts.node import counted
from weighbridge.policies.facts.tolerations import Taint, Toleration, read_tolerations, untolerated
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.quantity import Quantity

GPU, NIC = "amd.com/gpu", "a.test/nic"


def node(name: str, labels: dict[str, str] | None = None, *, cordoned: bool = False, ready: str = "True", **amounts: Any) -> Node:
    """A node; amounts are given by the last part of the resource's name."""
    full = {"gpu": GPU, "nic": NIC}
    status = {
        "allocatable": {full.get(key, key): value for key, value in amounts.items()},
        "conditions": [{"type": "Ready", "status": ready}],
    }
    spec = {"unschedulable": True} if cordoned else {}
    return Node.from_object({"metadata": {"name": name, "labels": labels or {}}, "spec": spec, "status": status})


def names(nodes: Any) -> list[str]:
    return [each.name for each in nodes]


@pytest.mark.parametrize(
    ("status", "allocatable", "amounts"),
    [
        ({"allocatable": {"cpu": "1500m"}}, {"cpu": "1500m"}, {"cpu": 1500}),
        ({"allocatable": {"cpu": "1"}, "capacity": {"cpu": "2"}}, {"cpu": "1"}, {"cpu": 1000}),
        ({"capacity": {"cpu": 2}}, {"cpu": "2"}, {"cpu": 2000}),
        ({"allocatable": {}, "capacity": {"memory": "1Ki"}}, {"memory": "1Ki"}, {"memory": 1024}),
        ({"allocatable": {"memory": "1500m", GPU: "0"}}, {"memory": "1500m", GPU: "0"}, {"memory": 2, GPU: 0}),
        ({"allocatable": {"memory": "much", "pods": "110"}}, {"pods": "110"}, {"pods": 110}),
        ({"allocatable": [1]}, {}, {}),
        ({}, {}, {}),
    ],
)
def test_amounts_are_read_and_counted(status: JSONObject, allocatable: dict[str, str], amounts: dict[str, int]) -> None:
    read = Node.from_object({"metadata": {"name": "n"}, "status": status})
    assert dict(read.allocatable) == {name: Quantity.parse(text) for name, text in allocatable.items()}
    assert dict(read.amounts) == amounts
    assert [counted("cpu", Quantity.parse("1.0001")), counted("memory", Quantity.parse("1.0001"))] == [1001, 2]


@pytest.mark.parametrize(
    ("conditions", "ready"),
    [
        ([{"type": "Ready", "status": "True"}], True),
        ([{"type": "Ready", "status": "False"}], False),
        ([{"type": "Ready", "status": "Unknown"}], False),
        ([{"type": "Other", "status": "False"}], True),
        ([{"type": "Other", "status": "True"}, {"type": "Ready", "status": "False"}], False),
        ([], True),
    ],
)
def test_a_node_is_ready_unless_it_says_otherwise(conditions: list[JSONObject], ready: bool) -> None:
    read = Node.from_object({"metadata": {"name": "n"}, "status": {"conditions": conditions}})
    assert (read.ready, read.unschedulable, read.takes_pods) == (ready, False, ready)
    cordoned = Node.from_object({"metadata": {"name": "n"}, "spec": {"unschedulable": True}, "status": {"conditions": conditions}})
    assert (cordoned.ready, cordoned.unschedulable, cordoned.takes_pods) == (ready, True, False)


def test_the_rest_of_a_node_is_read_or_left_out() -> None:
    spec = {"taints": [{"key": "k", "value": "v", "effect": "NoSchedule"}, {"key": "x"}]}
    read = Node.from_object({"metadata": {"name": "n", "labels": {"a": "b"}}, "spec": spec, "status": {"declaredFeatures": ["F", "G"]}})
    assert (read.name, dict(read.labels), read.declared_features) == ("n", {"a": "b"}, frozenset({"F", "G"}))
    assert read.taints == (Taint("k", "v", "NoSchedule"), Taint("x", "", ""))
    assert [str(taint) for taint in read.taints] == ["k=v:NoSchedule", "x:"]
    odd = Node.from_object({"metadata": {"name": "n", "labels": "x"}, "spec": {"taints": 1}, "status": {"declaredFeatures": "F"}})
    assert (dict(odd.labels), odd.taints, odd.declared_features) == ({}, (), frozenset())


def test_an_expected_node_has_plenty_of_what_every_node_has() -> None:
    read = Node.expected("n", {"a": "b"}, [{"key": "k", "effect": "NoSchedule"}], {GPU: 8, "memory": "1Gi", "cpu": 0.5})
    most = 2**63 // 1000 - 1
    assert dict(read.amounts) == {"cpu": 500, "memory": 2**30, "ephemeral-storage": most, "pods": most, GPU: 8}
    assert (dict(read.labels), read.taints, read.takes_pods) == ({"a": "b"}, (Taint("k", "", "NoSchedule"),), True)
    assert Node.expected("n", {}, [], {}).amounts["cpu"] == most * 1000


@pytest.mark.parametrize(
    ("toleration", "left"),
    [
        ({}, ["a=1:NoSchedule", "b=2:NoExecute"]),
        ({"operator": "Exists"}, []),
        ({"key": "a", "operator": "Exists"}, ["b=2:NoExecute"]),
        ({"key": "a", "value": "1"}, ["b=2:NoExecute"]),
        ({"key": "a", "value": "2"}, ["a=1:NoSchedule", "b=2:NoExecute"]),
        ({"key": "b", "operator": "Equal", "value": "2", "effect": "NoExecute"}, ["a=1:NoSchedule"]),
        ({"key": "b", "operator": "Equal", "value": "2", "effect": "NoSchedule"}, ["a=1:NoSchedule", "b=2:NoExecute"]),
        ({"operator": "Exists", "effect": "NoExecute"}, ["a=1:NoSchedule"]),
        ({"key": "a", "operator": "Other", "value": "1"}, ["a=1:NoSchedule", "b=2:NoExecute"]),
    ],
)
def test_taints_that_keep_away_are_left(toleration: JSONObject, left: list[str]) -> None:
    taints = [Taint("a", "1", "NoSchedule"), Taint("b", "2", "NoExecute"), Taint("c", "3", "PreferNoSchedule"), Taint("d", "", "None")]
    assert [str(taint) for taint in untolerated(read_tolerations([toleration]), taints)] == left
    assert untolerated([Toleration("z"), Toleration(operator="Exists")], taints) == []


def test_the_most_of_each_extended_resource_is_offered_or_held_back() -> None:
    inventory = Inventory(
        [
            node("a", gpu="4", nic="1", cpu="9"),
            node("b", gpu="8", cpu="1"),
            node("c", gpu="16", cordoned=True),
            node("d", nic="2", ready="False"),
            node("e", gpu="0"),
        ]
    )
    assert (inventory.offers, inventory.held_back) == ({GPU: 8, NIC: 1}, {GPU: 16, NIC: 2})
    assert names(inventory.nodes_with(GPU)) == ["a", "b", "c"]
    assert names(inventory.nodes_with("x")) == []
    richest = [inventory.richest(resource) for resource in (GPU, NIC, "cpu", "x")]
    assert names(richest) == ["c", "d", "a", "a"]
    assert Inventory(()).richest(GPU) is None
    assert [inventory.surely_has(GPU, wanted) for wanted in (16, 17)] == [True, False]


def test_nodes_are_added_replaced_and_taken_away_in_their_order() -> None:
    first = Inventory([node("a", gpu="1"), node("b", gpu="1"), node("c", gpu="2")])
    assert first.with_node(node("b", gpu="1")) is first
    assert first.without_node("x") is first
    changed = first.with_node(node("a", gpu="2"))
    assert (names(changed.nodes), len(changed), names(first.nodes)) == (["a", "b", "c"], 3, ["a", "b", "c"])
    assert [changed.node(name) for name in ("a", "x")] == [node("a", gpu="2"), None]
    assert sorted(changed.shapes.values()) == [1, 2]
    assert sorted(names(changed.examples())) == ["b", "c"]
    assert changed.shape_of["a"] is changed.shape_of["c"] is not changed.shape_of["b"]
    fewer = changed.without_node("b")
    assert (names(fewer.nodes), list(fewer.shapes.values()), names(fewer.examples())) == (["a", "c"], [2], ["c"])
    left = fewer.without_node("c")
    assert (names(left.nodes), list(left.shapes.values()), names(left.examples())) == (["a"], [1], ["a"])
    assert (left.without_node("a").shapes, len(left.without_node("a"))) == ({}, 0)
    assert (names(fewer.with_node(node("d")).nodes), names(fewer.nodes)) == (["a", "c", "d"], ["a", "c"])


@pytest.mark.parametrize(
    "other",
    [
        node("b", {"a": "2"}, gpu="1"),
        node("b", {"a": "1", "x": ""}, gpu="1"),
        node("b", {"a": "1"}, gpu="2"),
        node("b", {"a": "1"}, gpu="1", nic="0"),
        node("b", {"a": "1"}, gpu="1", cordoned=True),
        node("b", {"a": "1"}, gpu="1", ready="False"),
    ],
)
def test_nodes_that_differ_in_what_they_share_with_others_have_shapes_of_their_own(other: Node) -> None:
    one = node("a", {"a": "1"}, gpu="1")
    assert len(Inventory([one, other]).shapes) == 2
    assert len(Inventory([one, node("b", {"a": "1"}, gpu="1")]).shapes) == 1
    hosts = [node(name, {"kubernetes.io/hostname": name}) for name in ("a", "b")]
    assert len(Inventory(hosts).shapes) == 1
    assert len(Inventory([*hosts, node("c")]).shapes) == 2


def test_what_is_worked_out_of_an_inventory_is_worked_out_once() -> None:
    asked: list[str] = []

    def work_out() -> int:
        asked.append("x")
        return len(asked)

    inventory = Inventory([node("a")])
    assert [inventory.once("k", work_out), inventory.once("k", work_out), inventory.once("l", work_out)] == [1, 1, 2]
    assert inventory.with_node(node("b")).once("k", work_out) == 3
