"""The limits of pools: the room that they leave for pods together, and the declared nodes that they allow."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.facts.autoscaling.limits import NODES, PoolLimits, limits_of_pool, pool_limits, with_what_is_left, within_limits
from weighbridge.policies.facts.expected import declared_node
from weighbridge.policies.ground.objects import JSONObject

GPU = "nvidia.com/gpu"


def pool(limits: dict[str, Any] | None = None, used: dict[str, str] | None = None, name: str = "gpus", **spec: Any) -> JSONObject:
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": name},
        "spec": {"limits": limits or {}, **spec},
        "status": {"resources": used or {}},
    }


@pytest.mark.parametrize(
    ("limits", "used", "requests", "wanted", "said"),
    [
        ({}, {}, {GPU: 8}, 9, ""),
        ({GPU: 8}, {}, {GPU: 8}, 1, ""),
        ({GPU: 8}, {GPU: "8"}, {GPU: 1}, 1, f"its limit of 8 {GPU} is used up now"),
        ({GPU: 8}, {GPU: "9"}, {GPU: 1}, 1, f"its limit of 8 {GPU} is used up now"),
        ({GPU: "8"}, {GPU: "6"}, {GPU: 4}, 1, f"its limit of 8 {GPU} leaves 2 now"),
        ({GPU: 8}, {}, {GPU: 4}, 2, ""),
        ({GPU: 8}, {}, {GPU: 4}, 3, f"its limit of 8 {GPU} leaves room for 2 of 3"),
        ({GPU: 8}, {}, {"cpu": 1000, GPU: 0}, 9, ""),
        ({"cpu": "10", GPU: 8}, {"cpu": "8500m"}, {"cpu": 2000, GPU: 1}, 1, "its limit of 10 cpu leaves 1500m now"),
        ({"memory": "64Gi"}, {}, {"memory": 40 * 2**30}, 2, "its limit of 64Gi memory leaves room for 1 of 2"),
        ({"nodes": 3}, {"nodes": "3"}, {GPU: 1}, 1, "it has as many nodes as it may have, 3"),
        ({"nodes": 3}, {"nodes": "2"}, {GPU: 1}, 1, ""),
        # The tightest limit is named.
        ({GPU: 8, "cpu": "100"}, {}, {GPU: 8, "cpu": 1000}, 5, f"its limit of 8 {GPU} leaves room for 1 of 5"),
    ],
)
def test_what_a_limit_leaves(limits: dict[str, Any], used: dict[str, str], requests: dict[str, int], wanted: int, said: str) -> None:
    assert limits_of_pool(pool(limits, used)).spent(requests, wanted) == said


def test_a_static_pool_is_of_its_replicas() -> None:
    assert limits_of_pool(pool(replicas=2)).most == {NODES: 2}
    assert limits_of_pool(pool({"nodes": 1}, replicas=2)).most == {NODES: 1}


def test_the_pools_of_a_store() -> None:
    group: JSONObject = {
        "apiVersion": "cluster.x-k8s.io/v1beta2",
        "kind": "MachineDeployment",
        "metadata": {"name": "m", "annotations": {"cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size": "4"}},
        "spec": {"replicas": 3},
    }
    unscaled: JSONObject = {**group, "metadata": {"name": "fixed"}}
    status = "autoscalerStatus: Running\nnodeGroups:\n- name: a/b/eks-gpu-1\n  health: {nodeCounts: {registered: {total: 1}}, maxSize: 2}\n"
    scaler: JSONObject = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "cluster-autoscaler-status", "namespace": "kube-system"},
        "data": {"status": status},
    }
    found = list(pool_limits(ObjectStore([pool({GPU: 8}, {GPU: "1"}), group, unscaled, scaler])))
    assert found == [
        PoolLimits("NodePool gpus", {GPU: 8}, {GPU: 1}),
        PoolLimits("MachineDeployment m", {NODES: 4}, {NODES: 3}),
        PoolLimits("node group eks-gpu-1", {NODES: 2}, {NODES: 1}),
    ]


def test_names_get_what_is_left() -> None:
    store = ObjectStore([pool({GPU: 8}, {GPU: "8"})])
    names = ["NodePool gpus", "other", "NodePool gpus"]
    assert with_what_is_left(names, {GPU: 1}, store) == [f"NodePool gpus (its limit of 8 {GPU} is used up now)", "other"]
    assert with_what_is_left([], {GPU: 1}, store) == []


@pytest.mark.parametrize(
    ("limits", "labels", "amounts"),
    [
        ({GPU: 4}, {"karpenter.sh/nodepool": "gpus"}, {GPU: 4, "cpu": 64000}),
        ({GPU: 16}, {"karpenter.sh/nodepool": "gpus"}, {GPU: 8, "cpu": 64000}),
        ({"cpu": "1500m"}, {"karpenter.sh/nodepool": "gpus"}, {GPU: 8, "cpu": 1500}),
        ({GPU: 4}, {"karpenter.sh/nodepool": "other"}, {GPU: 8, "cpu": 64000}),
        ({GPU: 4}, {}, {GPU: 8, "cpu": 64000}),
        ({"nodes": 0}, {"karpenter.sh/nodepool": "gpus"}, None),
    ],
)
def test_a_declared_node_comes_within_the_limits_of_its_pool(
    limits: dict[str, Any], labels: dict[str, str], amounts: dict[str, int] | None
) -> None:
    declared = declared_node("n", labels=labels, taints=(), allocatable={GPU: 8, "cpu": 64})
    found = within_limits([declared], ObjectStore([pool(limits)]))
    assert [{name: node.amounts[name] for name in (GPU, "cpu")} for node in found] == ([amounts] if amounts else [])
    assert [node.allocatable[GPU].value() for node in found] == ([amounts[GPU]] if amounts else [])
