"""The most memory on the nodes to which a service's pods may go: those that its selector matches and that have enough GPUs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.llmkube.service.predicting import GROUP, KNOWN, NAMESPACE, a_model, a_service
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, ObjectStore
from weighbridge.policies.facts.inventory import Inventory
from weighbridge.policies.facts.node import Node
from weighbridge.policies.facts.node_shapes import NodeShape
from weighbridge.policies.families.llmkube.predictions.predicted_service import Service
from weighbridge.policies.families.llmkube.rules._gpu_memory import most_memory_for
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.placement.node_affinity import NodeAffinity
from weighbridge.webhook.inputs.facts import bundled_definitions

_MIB = 2**20


def a_node(name: str, pool: str, gpus: int, memory: int) -> Node:
    labels = {"pool": pool, "kubernetes.io/hostname": name, "nvidia.com/gpu.memory": str(memory)}
    return Node.from_object({"metadata": {"name": name, "labels": labels}, "status": {"allocatable": {"nvidia.com/gpu": str(gpus)}}})


NODES = [a_node("a", "x", 2, 16), a_node("b", "x", 2, 24), a_node("c", "y", 2, 40), a_node("d", "x", 1, 80)]


def facts_with(nodes: list[Node] | None) -> Facts:
    facts = Facts(bundled_definitions(Configuration(families={LLMKube: LLMKube(version="v0.9.19")})), ObjectStore())
    facts.objects.complete(besides=KNOWN)
    return replace(facts, inventory=Inventory(nodes) if nodes is not None else None)


def most(facts: Facts, count: int, used: int, **spec: Any) -> tuple[str, int] | None:
    """The name of the node with the most memory, and its MiB."""
    hardware: JSONObject = {"gpu": {"count": count}} if count else {}
    service = a_service(**spec)
    facts.objects.put(a_model(hardware=hardware))
    request = Request(
        "1", Operation.CREATE, GroupVersionKind(GROUP, "v1alpha1", "InferenceService"), service, namespace=NAMESPACE, name="svc"
    )
    config = Configuration(families={LLMKube: LLMKube(version="v0.9.19")})
    found = most_memory_for(Service(request, facts, config), used)
    return (found[0].name, found[1] // _MIB) if found is not None else None


@pytest.mark.parametrize(
    ("count", "spec", "expected"),
    [
        (1, {}, ("d", 80)),
        (2, {}, ("c", 80)),
        (3, {}, None),
        (0, {}, None),
        (2, {"nodeSelector": {"pool": "x"}}, ("b", 48)),
        (1, {"nodeSelector": {"pool": "y"}}, ("c", 40)),
        (1, {"nodeSelector": {"kubernetes.io/hostname": "b"}}, ("b", 24)),
        (2, {"nodeSelector": {"kubernetes.io/hostname": "d"}}, None),
    ],
)
def test_most_memory_is_on_a_node_of_the_selector_with_enough_gpus(count: int, spec: JSONObject, expected: tuple[str, int] | None) -> None:
    assert most(facts_with(NODES), count, max(count, 1), **spec) == expected
    assert most(facts_with(None), count, max(count, 1), **spec) is None


def test_one_node_without_known_memory_leaves_the_most_unknown() -> None:
    assert most(facts_with([*NODES, a_node("e", "x", 2, 0)]), 2, 2) is None


def test_the_answer_is_remembered_by_selection_and_count_until_a_node_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    facts, looks, example = facts_with(NODES), list[str](), Inventory.example

    def counted(self: Inventory, shape: NodeShape) -> Node:
        looks.append("")
        return example(self, shape)

    monkeypatch.setattr(Inventory, "example", counted)
    assert most(facts, 1, 1) == ("d", 80)
    seen = len(looks)
    assert seen
    assert most(facts, 1, 1, replicas=2) == ("d", 80)
    assert len(looks) == seen
    assert most(facts, 1, 1, nodeSelector={"pool": "x"}) == ("d", 80)
    assert most(facts, 2, 1) == ("c", 40)
    assert most(facts, 2, 2) == ("c", 80)
    assert len(looks) > seen
    facts = replace(facts, inventory=Inventory(NODES[:3]))
    assert most(facts, 1, 1) == ("c", 40)


def test_of_many_nodes_only_the_named_one_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, check = list[str](), NodeAffinity.check

    def counted(self: NodeAffinity, node: Node) -> tuple[str, ...]:
        looks.append(node.name)
        return check(self, node)

    facts = facts_with([a_node(f"n{at}", "x", 2, 16 + at) for at in range(50)])
    monkeypatch.setattr(NodeAffinity, "check", counted)
    for name in ("n7", "n9", "absent", "n7"):
        index = name.removeprefix("n")
        expected = (name, 16 + int(index)) if index.isdecimal() else None
        assert most(facts, 1, 1, nodeSelector={"kubernetes.io/hostname": name}) == expected
    assert looks == ["n7", "n9"]
