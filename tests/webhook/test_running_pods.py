"""The resources of nodes that running pods use, with the pods from a watch, one after the other."""

from __future__ import annotations

from typing import Any

from tests.webhook.test_cluster import Silent
from weighbridge.policies.facts.kinds import NODES, PODS
from weighbridge.policies.facts.occupancy import UNUSED, RunningPod
from weighbridge.webhook.cluster.live_facts import Cluster
from weighbridge.webhook.cluster.running_pods import RunningPods
from weighbridge.webhook.inputs.facts import bundled_definitions


def a_pod(name: str, node: str, cpu: str = "1", **status: Any) -> dict[str, Any]:
    containers = [{"name": "c", "resources": {"requests": {"cpu": cpu}}}]
    metadata = {"name": name, "namespace": "lab"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"nodeName": node, "containers": containers}, "status": status}


def used(cluster: Cluster, node: str) -> int:
    occupancy = cluster.facts().occupancy
    assert occupancy is not None
    return occupancy.nodes.get(node, UNUSED).used.get("cpu", 0)


def test_pods_are_followed_only_where_that_is_asked_for() -> None:
    assert PODS not in [reflector.kind for reflector in Cluster(Silent(), bundled_definitions()).reflectors]
    cluster = Cluster(Silent(), bundled_definitions(), with_pods=True)
    assert PODS in [reflector.kind for reflector in cluster.reflectors]
    assert cluster.facts().occupancy is None
    assert PODS.query == {"fieldSelector": "spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed"}


def test_sums_follow_pods_that_come_change_move_and_go() -> None:
    cluster = Cluster(Silent(), bundled_definitions(), with_pods=True)
    cluster.replace(PODS, [cluster._transformed(a_pod("a", "n1")), cluster._transformed(a_pod("b", "n1", "2"))])
    assert used(cluster, "n1") == 3000
    before = cluster.facts().occupancy
    cluster.put(PODS, cluster._transformed(a_pod("b", "n1", "2", phase="Running")))
    assert cluster.facts().occupancy is before
    cluster.put(PODS, cluster._transformed(a_pod("b", "n1", "4")))
    assert (used(cluster, "n1"), before is not None and before.nodes["n1"].used) == (5000, {"cpu": 3000})
    cluster.put(PODS, cluster._transformed(a_pod("b", "n2", "4")))
    assert (used(cluster, "n1"), used(cluster, "n2")) == (1000, 4000)
    cluster.discard(PODS, a_pod("a", "n1"))
    cluster.discard(PODS, a_pod("never-seen", "n1"))
    assert (used(cluster, "n1"), used(cluster, "n2")) == (0, 4000)
    cluster.put(NODES, cluster._transformed({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}}))
    assert used(cluster, "n2") == 4000
    cluster.unknown(PODS)
    assert cluster.facts().occupancy is None


def test_what_is_known_is_made_anew_only_for_nodes_whose_pods_have_changed() -> None:
    pods = RunningPods()
    pods.replace([RunningPod("lab/a", "n1", 0, {"cpu": 1}), RunningPod("lab/b", "n2", 0, {"cpu": 2})])
    first = pods.occupancy()
    pods.put(RunningPod("lab/c", "n2", 0, {"cpu": 3}))
    second = pods.occupancy()
    assert second.nodes["n1"] is first.nodes["n1"]
    assert (first.nodes["n2"].used, second.nodes["n2"].used, second.pods) == ({"cpu": 2}, {"cpu": 5}, 3)
