"""The nodes to which a service's pods may go: those that its selector matches and that have enough GPUs, counted by shape or one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.llmkube.service.predicting import GROUP, KNOWN, NAMESPACE, a_model, a_service
from weighbridge.policies.config import Configuration
from weighbridge.policies.facts import Facts, ObjectStore
from weighbridge.policies.facts.inventory import Inventory
from weighbridge.policies.facts.node import Node
from weighbridge.policies.families.llmkube.predictions.predicted_service import Service
from weighbridge.policies.families.llmkube.rules._gpu_nodes import gpu_nodes
from weighbridge.policies.families.llmkube.settings import LLMKube
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.webhook.inputs.facts import bundled_definitions


def a_node(name: str, pool: str, gpus: int) -> Node:
    labels = {"pool": pool, "kubernetes.io/hostname": name}
    return Node.from_object({"metadata": {"name": name, "labels": labels}, "status": {"allocatable": {"nvidia.com/gpu": str(gpus)}}})


NODES = [a_node("a", "x", 2), a_node("b", "x", 2), a_node("c", "y", 2), a_node("d", "x", 1)]


def found(count: int, *, known: bool = True, **spec: Any) -> dict[str, int]:
    config = Configuration(families={LLMKube: LLMKube(version="v0.9.19")})
    hardware: JSONObject = {"gpu": {"count": count}} if count else {}
    model, service = a_model(hardware=hardware), a_service(**spec)
    facts = Facts(bundled_definitions(config), ObjectStore([model, service]))
    facts.objects.complete(besides=KNOWN)
    facts = replace(facts, inventory=Inventory(NODES) if known else None)
    gvk = GroupVersionKind(GROUP, "v1alpha1", "InferenceService")
    request = Request("1", Operation.CREATE, gvk, service, namespace=NAMESPACE, name="svc")
    counts: dict[str, int] = {}
    for node, size in gpu_nodes(Service(request, facts, config)):
        counts[node.labels["pool"]] = counts.get(node.labels["pool"], 0) + size
    return counts


@pytest.mark.parametrize(
    ("count", "spec", "counts"),
    [
        (1, {}, {"x": 3, "y": 1}),
        (2, {}, {"x": 2, "y": 1}),
        (3, {}, {}),
        (0, {}, {}),
        (2, {"nodeSelector": {"pool": "x"}}, {"x": 2}),
        (1, {"nodeSelector": {"pool": "y"}}, {"y": 1}),
        (1, {"nodeSelector": {"kubernetes.io/hostname": "b"}}, {"x": 1}),
        (2, {"nodeSelector": {"kubernetes.io/hostname": "d"}}, {}),
    ],
)
def test_nodes_of_the_selector_with_enough_gpus(count: int, spec: JSONObject, counts: dict[str, int]) -> None:
    assert found(count, **spec) == counts
    assert found(count, known=False, **spec) == {}
