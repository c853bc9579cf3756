"""The nodes that autoscalers' pools may add, and what is assumed about them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.counted_calls import calls_of
from weighbridge.policies.facts import Node, ObjectStore
from weighbridge.policies.facts.expected import declared_node, nodes_of_pools
from weighbridge.policies.ground.objects import JSONObject

AWS = "karpenter.k8s.aws/instance-"
CAPACITY = "capacity.cluster-autoscaler.kubernetes.io/"
SIZE = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size"


def pool(*requirements: tuple[str, str, list[str]], limits: dict[str, str] | None = None, **spec: Any) -> JSONObject:
    """A NodePool with these requirements (key, operator, values)."""
    written = [{"key": key, "operator": operator, "values": values} for key, operator, values in requirements]
    template = {"metadata": {"labels": spec.pop("labels", {})}, "spec": {"requirements": written, "taints": spec.pop("taints", [])}}
    body = {"template": template, "limits": limits or {}, **spec}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "pool"}, "spec": body}


def group(kind: str = "MachineDeployment", size: str = "5", **annotations: str) -> JSONObject:
    """A group of machines; annotations of the capacity by the last part of their keys."""
    written = {SIZE: size, **{CAPACITY + key.replace("_", "-"): text for key, text in annotations.items()}}
    metadata = {"name": "workers", "namespace": "clusters", "annotations": written}
    return {"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": kind, "metadata": metadata, "spec": {}}


def pod(selector: dict[str, str] | None = None, *expressions: JSONObject) -> JSONObject:
    """A pod with a node selector and one term of required affinity."""
    required = {"nodeSelectorTerms": [{"matchExpressions": list(expressions)}]}
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}
    return {"spec": {"nodeSelector": selector or {}, "affinity": affinity}}


def nodes(*pools: JSONObject, asked: JSONObject | None = None) -> list[Node]:
    return list(nodes_of_pools(ObjectStore(pools), asked))


@pytest.mark.parametrize(
    ("of_pool", "nvidia", "amd"),
    [
        (pool(), True, True),
        (pool(("kubernetes.io/arch", "In", ["amd64"]), ("team", "In", ["a"])), True, True),
        (pool((f"{AWS}category", "In", ["c", "m", "r"])), False, False),
        (pool((f"{AWS}category", "In", ["g", "p"])), True, False),
        (pool((f"{AWS}family", "In", ["g4ad"])), False, True),
        (pool((f"{AWS}generation", "Gt", ["4"])), False, False),
        (pool(("node.kubernetes.io/instance-type", "In", ["p5.48xlarge"])), True, False),
        (pool(("node.kubernetes.io/instance-type", "In", ["m5.large"])), False, False),
        (pool((f"{AWS}gpu-manufacturer", "In", ["amd"])), False, True),
        (pool((f"{AWS}gpu-name", "In", ["t4"])), True, False),
        (pool((f"{AWS}gpu-count", "DoesNotExist", [])), False, False),
        (pool(("karpenter.azure.com/sku-gpu-manufacturer", "In", ["nvidia"])), True, False),
        (pool(("karpenter.azure.com/sku-family", "In", ["D"])), False, False),
        (pool((f"{AWS}category", "In", ["x"]), limits={"nvidia.com/gpu": "4"}), True, False),
        (pool(limits={"nvidia.com/gpu": "0"}), False, True),
    ],
)
def test_a_pool_has_gpus_where_it_says_so_or_leaves_everything_open(of_pool: JSONObject, nvidia: bool, amd: bool) -> None:
    (node,) = nodes(of_pool)
    assert (node.amounts.get("nvidia.com/gpu", 0) > 0, node.amounts.get("amd.com/gpu", 0) > 0) == (nvidia, amd)


@pytest.mark.parametrize(
    ("of_pool", "count"),
    [
        (pool((f"{AWS}gpu-count", "In", ["1", "8", "4"])), 8),
        (pool((f"{AWS}gpu-count", "Lt", ["4"])), 3),
        (pool((f"{AWS}gpu-count", "Lte", ["4"])), 4),
        (pool((f"{AWS}gpu-count", "In", ["8"]), limits={"nvidia.com/gpu": "4"}), 4),
        (pool((f"{AWS}gpu-count", "In", ["2"]), limits={"nvidia.com/gpu": "16"}), 2),
    ],
)
def test_a_pool_s_node_has_no_more_gpus_than_the_pool_allows(of_pool: JSONObject, count: int) -> None:
    assert {node.amounts["nvidia.com/gpu"] for node in nodes(of_pool)} == {count}


def test_a_pool_s_node_has_its_labels_and_taints_and_plenty_of_the_rest() -> None:
    taint = {"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"}
    (node,) = nodes(pool(("topology.kubernetes.io/zone", "In", ["a"]), limits={"cpu": "64"}, labels={"team": "x"}, taints=[taint]))
    assert node.name == "NodePool pool"
    assert (node.labels["team"], node.labels["topology.kubernetes.io/zone"], node.labels["karpenter.sh/nodepool"]) == ("x", "a", "pool")
    assert [str(taint) for taint in node.taints] == ["nvidia.com/gpu=true:NoSchedule"]
    assert node.amounts["cpu"] == 64000
    assert node.amounts["memory"] > 2**50


@pytest.mark.parametrize("closed", [{"limits": {"cpu": "0"}}, {"limits": {"nodes": "0"}}, {"replicas": 0}])
def test_a_pool_that_is_closed_brings_nothing(closed: dict[str, Any]) -> None:
    assert nodes(pool(**closed)) == []


@pytest.mark.parametrize(
    ("of_pool", "asked", "there"),
    [
        (pool(("zone", "In", ["a", "b"])), pod({"zone": "b"}), True),
        (pool(("zone", "In", ["a", "b"])), pod({"zone": "c"}), False),
        (pool(("zone", "NotIn", ["a"])), pod({"zone": "a"}), False),
        (pool(("zone", "NotIn", ["a"])), pod({"zone": "b"}), True),
        (pool(("zone", "Exists", [])), pod({"zone": "b"}), True),
        (pool(("zone", "DoesNotExist", [])), pod({"zone": "b"}), False),
        (pool(), pod({"zone": "b"}), False),
        (pool(), pod({"kubernetes.io/arch": "arm64"}), True),
        (pool(), pod({f"{AWS}family": "p5"}), True),
        (pool(("kubernetes.io/arch", "In", ["amd64"])), pod({"kubernetes.io/arch": "arm64"}), False),
        (pool(labels={"zone": "a"}), pod({"zone": "a"}), True),
        (pool(labels={"zone": "a"}), pod({"zone": "b"}), False),
        (pool(("size", "Gt", ["4"])), pod({"size": "8"}), True),
        (pool(("size", "Gt", ["4"])), pod({"size": "2"}), False),
    ],
)
def test_a_label_that_a_pool_leaves_open_has_the_value_that_a_pod_asks_for(of_pool: JSONObject, asked: JSONObject, there: bool) -> None:
    selector = asked["spec"]["nodeSelector"]
    assert any(selector.items() <= node.labels.items() for node in nodes(of_pool, asked=asked)) is there


def test_the_bounds_of_a_pod_s_affinity_are_met_where_a_pool_allows() -> None:
    asked = pod(None, {"key": "size", "operator": "Gt", "values": ["7"]})
    assert {node.labels["size"] for node in nodes(pool(("size", "Gt", ["4"])), asked=asked)} == {"8", "5"}


def test_of_labels_left_open_not_all_combinations_are_made() -> None:
    asked = pod({f"{AWS}{at}": "x" for at in range(40)})
    assert len(nodes(pool(), asked=asked)) <= 64


def test_a_group_of_machines_is_read_as_cluster_autoscaler_reads_it() -> None:
    annotations = {"cpu": "16", "memory": "128G", "gpu_type": "nvidia.com/gpu", "gpu_count": "2"}
    annotations |= {"labels": "team=a,zone=b,odd", "taints": "k=v:NoSchedule,bare:NoExecute"}
    (node,) = nodes(group(**annotations))
    assert node.name == "MachineDeployment workers"
    assert (node.amounts["cpu"], node.amounts["nvidia.com/gpu"], node.amounts["pods"]) == (16000, 2, 110)
    assert node.amounts["ephemeral-storage"] == 0
    assert (node.labels["team"], node.labels["zone"], node.labels["kubernetes.io/arch"]) == ("a", "b", "amd64")
    assert [str(taint) for taint in node.taints] == ["k=v:NoSchedule", "bare:NoExecute"]


def test_the_annotation_s_taint_holds_over_the_machines_own() -> None:
    machines = group(cpu="1", memory="1G", taints="k=new:NoSchedule")
    own = [{"key": "k", "value": "old", "effect": "NoSchedule"}, {"key": "other", "effect": "NoSchedule"}]
    machines["spec"] = {"template": {"spec": {"taints": own}, "metadata": {"labels": {"node-role.kubernetes.io/gpu": "", "lost": "x"}}}}
    (node,) = nodes(machines)
    assert [str(taint) for taint in node.taints] == ["k=new:NoSchedule", "other:NoSchedule"]
    assert "node-role.kubernetes.io/gpu" in node.labels
    assert "lost" not in node.labels


@pytest.mark.parametrize(
    "machines",
    [
        group(cpu="1"),
        group(size="0", cpu="1", memory="1G"),
        {**group(kind="MachineSet", cpu="1", memory="1G"), "spec": None},
        {"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "MachineDeployment", "metadata": {"name": "plain"}},
    ],
    ids=["no memory", "no size", "owned", "nothing said"],
)
def test_a_group_that_cannot_grow_from_nothing_brings_nothing(machines: JSONObject) -> None:
    if machines["kind"] == "MachineSet":
        machines["metadata"]["ownerReferences"] = [{"kind": "MachineDeployment", "name": "workers"}]
    assert nodes(machines) == []


def test_a_declared_node_runs_linux_unless_it_says_otherwise() -> None:
    plain = declared_node("a", labels={}, taints=[], allocatable={"x.dev/gpu": 8})
    assert (plain.labels["kubernetes.io/os"], plain.amounts["x.dev/gpu"]) == ("linux", 8)
    other = declared_node("a", labels={"kubernetes.io/os": "windows"}, taints=[], allocatable={"cpu": "500m"})
    assert (other.labels["kubernetes.io/os"], other.amounts["cpu"], other.amounts.get("x.dev/gpu", 0)) == ("windows", 500, 0)


@pytest.mark.parametrize("broken", [None, 3, "x", [], {"requirements": 3}, {"taints": "x", "requirements": [None]}])
def test_a_pool_with_parts_of_wrong_types_is_read_all_the_same(broken: Any) -> None:
    odd = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "odd"}, "spec": {"template": {"spec": broken}}}
    assert [node.name for node in nodes(odd)] == ["NodePool odd"]


def test_pods_that_mention_the_same_values_share_the_nodes() -> None:
    pools = [{**pool(("kubernetes.io/arch", "In", ["amd64"])), "metadata": {"name": f"pool-{number}"}} for number in range(100)]
    store, one, alike, other = ObjectStore(pools), pod({"disk": "ssd"}), pod({"disk": "ssd"}), pod({f"{AWS}family": "p5"})
    nodes_of_pools(store, one)
    assert calls_of(lambda: nodes_of_pools(store, alike)) < len(pools)
    assert {node.labels.get(f"{AWS}family") for node in nodes_of_pools(store, one)} == {None}
    assert "p5" in {node.labels.get(f"{AWS}family") for node in nodes_of_pools(store, other)}
    store.put({**pools[0], "metadata": {"name": "new"}})
    assert len(nodes_of_pools(store, one)) == len(pools) + 1
