"""Autoscalers that may add a node of unknown shape, and labels that exclude one."""

from __future__ import annotations

import pytest

from tests.facts.test_autoscaler_status import deployment, status
from tests.facts.test_expected_nodes import group, pool
from tests.placement.clusters import node
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.autoscaling.prospects import groups_in_backoff, prospects
from weighbridge.policies.facts.autoscaling.status import NodeGroup, status_text
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.facts.selectors import Requirement
from weighbridge.policies.ground.objects import JSONObject

AUTOSCALERS = frozenset(
    {
        ("", "ConfigMap/cluster-autoscaler-status"),
        ("", "Node"),
        ("apps", "Deployment"),
        ("karpenter.sh", "NodePool"),
        *(("cluster.x-k8s.io", kind) for kind in ("MachineDeployment", "MachineSet", "MachinePool")),
    }
)
EKS, GKE = "eks.amazonaws.com/nodegroup", "cloud.google.com/gke-nodepool"
PRODUCT = "nvidia.com/gpu.product"


def known(*objects: JSONObject) -> Facts:
    """A cluster whose objects about autoscalers are all known."""
    return from_objects(objects, Definitions(), extent=Extent(AUTOSCALERS))


def scaled(*groups: NodeGroup) -> JSONObject:
    return status(status_text(groups))


def wants(key: str, *values: str, operator: str = "In") -> tuple[Requirement]:
    return (Requirement(key, operator, values),)


EMPTY, FULL = NodeGroup("eks-gpu-spot-3ec7", 0, 4), NodeGroup("eks-cpus-1ab2", 2, 3)
PLAIN, MANAGED = node("a"), node("a", labels={EKS: "cpus"})


@pytest.mark.parametrize(
    ("objects", "unmet", "told"),
    [
        ([PLAIN], (), []),
        ([PLAIN, scaled(EMPTY, FULL)], (), ["node group eks-gpu-spot-3ec7"]),
        ([PLAIN, scaled(FULL)], (), []),
        ([PLAIN, scaled(NodeGroup("g", 0, 0))], (), []),
        ([PLAIN, scaled(NodeGroup("g", 0, 4, "no capacity"))], (), []),
        ([PLAIN, scaled(EMPTY)], wants("team", "a"), ["node group eks-gpu-spot-3ec7"]),
        ([PLAIN, scaled(EMPTY)], wants("team", operator="Exists"), ["node group eks-gpu-spot-3ec7"]),
        ([PLAIN, scaled(EMPTY)], wants(PRODUCT, "NVIDIA-H100"), ["node group eks-gpu-spot-3ec7"]),
        ([node("a", labels={PRODUCT: "NVIDIA-L4"}), scaled(EMPTY)], wants(PRODUCT, "NVIDIA-H100"), []),
        ([PLAIN, scaled(EMPTY)], wants("kubernetes.io/hostname", "b"), []),
        ([PLAIN, scaled(EMPTY)], wants("metadata.name", "b"), []),
        ([PLAIN, scaled(EMPTY)], wants("kubernetes.io/hostname", "a", operator="NotIn"), ["node group eks-gpu-spot-3ec7"]),
        (
            [node("a", labels={"nvidia.com/gpu.memory": "23034"}), scaled(EMPTY)],
            wants("nvidia.com/gpu.memory", "40000", operator="Gt"),
            ["node group eks-gpu-spot-3ec7"],
        ),
        ([PLAIN, deployment("cluster-autoscaler", "--nodes=0:4:gpu")], (), ["node group gpu"]),
        ([PLAIN, deployment("cluster-autoscaler")], (), ["a node group that cluster-autoscaler finds by itself"]),
        ([PLAIN, deployment("cluster-autoscaler")], wants("team", "a"), ["a node group that cluster-autoscaler finds by itself"]),
        ([MANAGED], (), ["a pool of EKS that has no node now"]),
        ([MANAGED], wants("team", "a"), []),
        ([MANAGED, scaled(FULL)], (), []),
        ([node("a", labels={GKE: "cpus"}), scaled(FULL)], (), ["a pool of GKE that has no node now"]),
        ([PLAIN], wants(EKS, "gpus"), []),
        ([MANAGED], wants(EKS, "gpus"), [f"a pool with {EKS}=gpus"]),
        ([MANAGED], wants(GKE, "gpus"), [f"a pool with {GKE}=gpus"]),
        ([PLAIN, scaled(FULL)], wants(EKS, "gpus"), [f"a pool with {EKS}=gpus"]),
        ([PLAIN, pool()], wants(EKS, "gpus"), [f"a pool with {EKS}=gpus"]),
        ([PLAIN, group(cpu="1", memory="1Gi")], wants(EKS, "gpus"), [f"a pool with {EKS}=gpus"]),
        ([PLAIN, scaled(EMPTY, FULL)], wants(EKS, "gpu-spot"), ["node group eks-gpu-spot-3ec7"]),
        (
            [PLAIN, scaled(NodeGroup("eks-gpu-spot-3ec7", 0, 4, "no capacity"))],
            wants(EKS, "gpu-spot"),
            ["node group eks-gpu-spot-3ec7 (in backoff now: no capacity)"],
        ),
        ([PLAIN, scaled(FULL)], wants("node.kubernetes.io/instance-type", "p5.48xlarge"), None),
        ([PLAIN, scaled(EMPTY), pool()], wants("karpenter.sh/nodepool", "gpus"), []),
        (
            [PLAIN, scaled(*(NodeGroup(f"g{number}", 0, 1) for number in range(5)))],
            (),
            ["node group g0", "node group g1", "node group g2", "2 more node groups"],
        ),
    ],
)
def test_what_may_bring_a_node(objects: list[JSONObject], unmet: tuple[Requirement, ...], told: list[str] | None) -> None:
    assert prospects(known(*objects), unmet) == (told if told is not None else ["a pool with node.kubernetes.io/instance-type=p5.48xlarge"])


def test_where_autoscalers_are_not_known_a_pool_may_still_come() -> None:
    facts = from_objects([PLAIN], Definitions())
    assert prospects(facts, wants(EKS, "gpus")) == [f"a pool with {EKS}=gpus"]
    assert prospects(facts) == []


def test_where_no_node_is_known_nothing_is_said() -> None:
    assert prospects(from_objects([scaled(EMPTY)], Definitions())) == []


def test_groups_that_can_not_be_scaled_up_now_are_told_with_the_reason() -> None:
    facts = known(PLAIN, scaled(NodeGroup("a/b/gpus", 0, 4, "no capacity"), FULL, EMPTY))
    assert groups_in_backoff(facts) == ["node group gpus is in backoff (no capacity)"]
    assert groups_in_backoff(known(PLAIN)) == []


@pytest.mark.parametrize(
    "label",
    ["agentpool", "kubernetes.azure.com/scalesetpriority", "oci.oraclecloud.com/x", "alpha.eksctl.io/nodegroup-name", GKE, EKS],
)
def test_the_pool_labels_of_providers_are_known(label: str) -> None:
    assert prospects(known(node("a", labels={label: "x"})), wants(label, "y")) == [f"a pool with {label}=y"]
    assert prospects(known(node("a", labels={label: "x"})))
