"""Pools that may bring a node for a pod, what their limits leave, and why other pools don't count."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import facts, node, pod
from weighbridge.policies.facts.expected import declared_node, nodes_to_come
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.outcome import Placement
from weighbridge.policies.placement.placement import place

GPU = "nvidia.com/gpu"
ZONE = "topology.kubernetes.io/zone"
CAPACITY = "capacity.cluster-autoscaler.kubernetes.io/"
UNKNOWN = (
    f"MachineDeployment workers can't help: it lacks the annotations {CAPACITY}cpu and memory, without which it isn't scaled up from zero"
)


def pool(*requirements: tuple[str, str, list[str]], name: str = "gpus", taints: list[JSONObject] | None = None, **spec: Any) -> JSONObject:
    written = [{"key": key, "operator": operator, "values": values} for key, operator, values in requirements]
    template = {"spec": {"requirements": written, "taints": taints or []}}
    used = spec.pop("used", {})
    return {
        "apiVersion": "karpenter.sh/v1",
        "kind": "NodePool",
        "metadata": {"name": name},
        "spec": {"template": template, **spec},
        "status": {"resources": used},
    }


def machines(size: str, replicas: int = 0, **annotations: str) -> JSONObject:
    written = {CAPACITY + key.replace("_", "-"): text for key, text in annotations.items()}
    written["cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size"] = size
    metadata = {"name": "workers", "namespace": "c", "annotations": written}
    return {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineDeployment", "metadata": metadata, "spec": {"replicas": replicas}}


def status(*groups: tuple[str, int, int]) -> JSONObject:
    lines = ["autoscalerStatus: Running", "nodeGroups:"]
    lines += [
        f"- name: {name}\n  health: {{nodeCounts: {{registered: {{total: {total}}}}}, maxSize: {most}}}" for name, total, most in groups
    ]
    metadata = {"name": "cluster-autoscaler-status", "namespace": "kube-system"}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"status": "\n".join(lines) + "\n"}}


def asked(what: JSONObject, *objects: JSONObject, replicas: int = 1, **declared: Any) -> Placement:
    known = facts(node(), *objects)
    nodes = [declared_node("declared", **{"labels": {}, "taints": (), "allocatable": {}, **declared})] if declared else []
    return place(what, known, expected=[*nodes, *nodes_to_come(known, what)], replicas=replicas)


def why(found: Placement) -> list[str]:
    assert not found.on_expected
    return [line for line in found.nearest if "can't help" in line]


@pytest.mark.parametrize(
    ("what", "of", "said"),
    [
        (
            pod({GPU: "8"}),
            pool(limits={GPU: 4}),
            f"NodePool gpus can't help: its limit of 4 {GPU} is less than the 8 requested",
        ),
        (
            pod({GPU: "1"}),
            pool(taints=[{"key": "team", "value": "a", "effect": "NoSchedule"}]),
            "NodePool gpus can't help: the pod doesn't tolerate its taint team=a:NoSchedule",
        ),
        (
            pod({GPU: "1"}, nodeSelector={ZONE: "b"}),
            pool((ZONE, "In", ["a"])),
            f"NodePool gpus can't help: its nodes have {ZONE}=a instead of b",
        ),
        (
            pod({GPU: "1"}),
            pool(("karpenter.k8s.aws/instance-category", "In", ["m"])),
            f"NodePool gpus can't help: its nodes have no {GPU}",
        ),
        (
            pod({GPU: "8"}),
            pool(("karpenter.k8s.aws/instance-gpu-manufacturer", "In", ["nvidia"]), ("karpenter.k8s.aws/instance-gpu-count", "In", ["4"])),
            f"NodePool gpus can't help: its nodes have 4 of the 8 requested {GPU}",
        ),
        (pod({GPU: "1"}), pool(limits={"cpu": 0}), "NodePool gpus can't help: its limit is 0 cpu"),
        (pod({GPU: "1"}), pool(replicas=0), "NodePool gpus can't help: its limit is 0 nodes"),
        (
            pod({GPU: "8"}),
            machines("3", cpu="8", memory="64Gi", gpu_type=GPU, gpu_count="4"),
            f"MachineDeployment workers can't help: its nodes have 4 of the 8 requested {GPU}",
        ),
        (
            pod({GPU: "1"}),
            machines("3", gpu_type=GPU, gpu_count="4"),
            UNKNOWN,
        ),
        (
            pod({GPU: "1"}, nodeSelector={"eks.amazonaws.com/nodegroup": "gpu"}),
            status(("eks-gpu-1", 0, 0)),
            "node group eks-gpu-1 can't help: its limit is 0 nodes",
        ),
    ],
)
def test_why_a_pool_does_not_count(what: JSONObject, of: JSONObject, said: str) -> None:
    assert why(asked(what, of)) == [said]


def test_a_pool_that_would_do_is_named_alone() -> None:
    found = asked(pod({GPU: "1"}), pool(), pool(name="other", limits={"cpu": 0}))
    assert found.on_expected == ["NodePool gpus"]
    assert not any("can't help" in line for line in found.nearest)


def test_few_pools_are_named() -> None:
    found = asked(pod({GPU: "8"}), *(pool(name=f"p{number}", limits={GPU: 1}) for number in range(5)))
    assert [line.partition(" can't")[0] for line in why(found)] == ["NodePool p0", "NodePool p1", "NodePool p2", "2 more pools"]


@pytest.mark.parametrize(
    ("replicas", "used", "name"),
    [
        (1, {}, "NodePool gpus"),
        (2, {}, "NodePool gpus"),
        (3, {}, f"NodePool gpus (its limit of 8 {GPU} leaves room for 2 of 3)"),
        (1, {GPU: "8"}, f"NodePool gpus (its limit of 8 {GPU} is used up now)"),
    ],
)
def test_what_is_asked_for_together_is_held_against_the_limit(replicas: int, used: dict[str, str], name: str) -> None:
    assert asked(pod({GPU: "4"}), pool(limits={GPU: 8}, used=used), replicas=replicas).on_expected == [name]


def test_machines_that_are_all_there_are_said_to_be() -> None:
    group = machines("3", 3, cpu="8", memory="64Gi", gpu_type=GPU, gpu_count="4")
    assert asked(pod({GPU: "4"}), group).on_expected == ["MachineDeployment workers (it has as many nodes as it may have, 3)"]


def test_a_declared_node_of_a_pool_comes_within_its_limits() -> None:
    labels = {"karpenter.sh/nodepool": "gpus"}
    wanted = pod({GPU: "8"}, nodeSelector=labels)
    assert asked(wanted, pool(limits={GPU: 16}), labels=labels, allocatable={GPU: 8}).on_expected == ["declared", "NodePool gpus"]
    found = asked(wanted, pool(limits={GPU: 4}), labels=labels, allocatable={GPU: 8})
    assert not found.on_expected
    assert why(found)[0] == f"declared can't help: its nodes have 4 of the 8 requested {GPU}"


def test_no_entry_is_offered_for_a_node_that_a_limit_keeps_away() -> None:
    wanted = pod({GPU: "8"}, nodeSelector={"karpenter.sh/nodepool": "gpus"})
    assert asked(wanted, pool(limits={GPU: 4})).wish is None
    assert asked(wanted, pool(limits={GPU: 8}, taints=[{"key": "t", "effect": "NoSchedule"}])).wish is not None


def test_a_group_that_may_have_no_node_is_no_prospect() -> None:
    wanted = pod({GPU: "1"}, nodeSelector={"eks.amazonaws.com/nodegroup": "gpu"})
    assert asked(wanted, status(("eks-gpu-1", 0, 2))).prospects == ["node group eks-gpu-1"]
    assert "node group eks-gpu-1" not in asked(wanted, status(("eks-gpu-1", 0, 0))).prospects
