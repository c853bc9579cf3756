"""Former nodes: how many are remembered, in which state, and which of them may come back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.facts.test_autoscaler_status import deployment
from tests.facts.test_expected_nodes import pool
from tests.placement.clusters import node
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts, Node, from_objects
from weighbridge.policies.facts.autoscaling.former import MOST, remember
from weighbridge.policies.facts.document import Extent, SnapshotHeader, mistakes, read_header
from weighbridge.policies.facts.expected import nodes_to_come
from weighbridge.policies.facts.node_shapes import Own
from weighbridge.policies.ground.objects import JSONObject

GPUS = {"nvidia.com/gpu": "4", "cpu": "8", "pods": "10"}
EKS = {"eks.amazonaws.com/nodegroup": "gpus"}
NO_OWN = Own(frozenset({"kubernetes.io/hostname"}), frozenset())


def gone(name: str = "gpu-1", labels: dict[str, str] | None = None, **spec: Any) -> JSONObject:
    return node(name, GPUS, labels=EKS if labels is None else labels, **spec)


def facts(*former: JSONObject, cluster: tuple[JSONObject, ...] = ()) -> Facts:
    return from_objects([node("a"), *cluster], Definitions(), extent=Extent(former=former))


def names(known: Facts) -> list[str]:
    return [found.name for found in nodes_to_come(known) if "before" in found.name]


def test_nodes_of_one_shape_are_remembered_once_and_the_latest_shapes_alone() -> None:
    nodes = [Node.from_object(gone(f"n{number}")) for number in range(500)]
    assert [found.name for found in remember((), nodes, NO_OWN)] == ["n499"]
    shapes = [Node.from_object(gone(f"n{number}", {"pool": str(number)})) for number in range(MOST + 5)]
    kept = remember((), shapes, NO_OWN)
    assert [found.name for found in kept] == [f"n{number}" for number in range(5, MOST + 5)]
    assert [found.name for found in remember(kept, [shapes[0]], NO_OWN)][-1] == "n0"


def test_what_stood_on_a_node_as_it_went_is_forgotten() -> None:
    taints = [{"key": "ToBeDeletedByClusterAutoscaler", "effect": "NoSchedule"}, {"key": "nvidia.com/gpu", "effect": "NoSchedule"}]
    (found,) = remember((), [Node.from_object(gone(taints=taints, unschedulable=True))], NO_OWN)
    assert found.takes_pods
    assert [taint.key for taint in found.taints] == ["nvidia.com/gpu"]


@pytest.mark.parametrize(
    ("labels", "cluster", "returns"),
    [
        (EKS, (), True),
        ({}, (), False),
        ({}, (deployment("cluster-autoscaler"),), True),
        ({"karpenter.sh/nodepool": "p"}, (), False),
        ({"karpenter.sh/nodepool": "p"}, (pool(),), False),
        ({}, (pool(),), True),
    ],
)
def test_a_node_returns_where_its_pool_or_an_autoscaler_brings_it(
    labels: dict[str, str], cluster: tuple[JSONObject, ...], returns: bool
) -> None:
    told = names(facts(gone("gpu-1", labels), cluster=cluster))
    assert told == (["a node such as gpu-1, which was there before,"] if returns else [])


def test_a_snapshot_brings_the_nodes_of_before() -> None:
    document = SnapshotHeader(former_nodes=(gone(),)).document([])
    assert list(mistakes(document)) == []
    assert read_header(document).extent.former == (gone(),)
    assert "formerNodes" not in SnapshotHeader().document([])
    assert [text for _, text in mistakes({**document, "formerNodes": [3]})] == ["must be an object with apiVersion, kind and metadata"]
