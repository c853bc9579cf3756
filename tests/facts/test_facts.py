"""The facts about a cluster that rules get."""

from __future__ import annotations

from weighbridge.policies.facts import Inventory, Node, ObjectStore, from_objects
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.inputs.facts import bundled_definitions


def node(name: str, **parts: JSONObject) -> JSONObject:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, **parts}


def test_a_node_is_read_with_what_placement_needs() -> None:
    read = Node.from_object(
        node(
            "a",
            spec={
                "unschedulable": True,
                "taints": [{"key": "gpu", "value": "present", "effect": "NoSchedule"}, {"key": "x", "effect": "NoExecute"}],
            },
            status={
                "allocatable": {"cpu": "3500m", "nvidia.com/gpu": "8", "broken": "many"},
                "conditions": [{"type": "Ready", "status": "False"}],
            },
        )
    )
    assert {name: str(amount) for name, amount in read.allocatable.items()} == {"cpu": "3500m", "nvidia.com/gpu": "8"}
    assert [str(taint) for taint in read.taints] == ["gpu=present:NoSchedule", "x:NoExecute"]
    assert (read.ready, read.unschedulable) == (False, True)


def test_a_node_without_parts_is_empty_and_ready() -> None:
    read = Node.from_object(node("a"))
    assert (read.allocatable, read.labels, read.taints, read.ready, read.unschedulable) == ({}, {}, (), True, False)


def test_an_inventory_offers_the_most_that_one_node_has() -> None:
    nodes = [
        node("a", status={"allocatable": {"x.dev/gpu": "4"}}),
        node("b", status={"allocatable": {"x.dev/gpu": "8", "y.dev/gpu": "0", "cpu": "9"}}),
    ]
    inventory = Inventory(map(Node.from_object, nodes))
    assert inventory.offers == {"x.dev/gpu": 8}
    assert [held.name for held in inventory.nodes_with("x.dev/gpu")] == ["a", "b"]
    assert not inventory.nodes_with("y.dev/gpu")


def test_objects_are_found_whichever_version_they_were_read_in() -> None:
    store = ObjectStore([{"apiVersion": "g.dev/v1beta1", "kind": "K", "metadata": {"name": "n", "namespace": "s"}}, {"kind": "broken"}])
    assert len(store) == 1
    assert store.get("g.dev", "K", "s", "n") is not None
    assert list(store.list("g.dev", "K", "other")) == []
    store.discard("g.dev", "K", "s", "n")
    assert store.get("g.dev", "K", "s", "n") is None


def test_a_cluster_without_nodes_in_its_snapshot_is_one_of_which_nothing_is_known() -> None:
    assert from_objects([], bundled_definitions()).inventory is None
    facts = from_objects([node("a")], bundled_definitions())
    assert facts.inventory is not None
    assert len(facts.objects) == 0
