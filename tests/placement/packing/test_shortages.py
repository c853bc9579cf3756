"""Which pods of one object don't fit together: replicas, groups, groups that need separate domains, rolling updates, autoscalers, gangs."""

from __future__ import annotations

import copy
from typing import Any, Final

import pytest

from tests.placement.clusters import facts, node, pod
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.packing import remembered
from weighbridge.policies.placement.packing.remembered import lacking
from weighbridge.policies.placement.packing.shortages import ShortOf, shortages, words
from weighbridge.policies.pods.groups import groups_of

GPU = "nvidia.com/gpu"


def gpus(name: str, count: int, **labels: str) -> JSONObject:
    return node(name, {GPU: str(count)}, labels=labels)


def deployment(count: int, replicas: int = 1, *, spec: JSONObject | None = None, **more: Any) -> JSONObject:
    template = {"metadata": {"labels": {"app": "d"}}, "spec": {**pod({GPU: str(count)})["spec"], **(spec or {})}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "d"},
        "spec": {"replicas": replicas, "template": template, **more},
    }


def group(size: int, count: int, replicas: int = 1, topology: str = "") -> JSONObject:
    annotations = {"leaderworkerset.sigs.k8s.io/exclusive-topology": topology} if topology else {}
    template = {"size": size, "workerTemplate": {"spec": pod({GPU: str(count)})["spec"]}}
    return {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "g", "annotations": annotations},
        "spec": {"replicas": replicas, "leaderWorkerTemplate": template},
    }


def found(cluster: Facts, *workloads: JSONObject) -> dict[ShortOf, tuple[int, int]]:
    """What lacks room, with how many are asked for and how many may fit."""
    groups = groups_of(workloads, cluster.objects, "default")
    return {one.of: (one.asked, one.room) for one in lacking(groups, workloads, cluster, DEFAULT, "default")}


RECREATE: Final[JSONObject] = {"strategy": {"type": "Recreate"}}


@pytest.mark.parametrize(
    ("workload", "nodes", "expected"),
    [
        (deployment(8, 2, **RECREATE), [gpus("a", 8), gpus("b", 8)], {}),
        (deployment(8, 3, **RECREATE), [gpus("a", 8), gpus("b", 8)], {ShortOf.REPLICAS: (3, 2)}),
        (deployment(3, 5, **RECREATE), [gpus("a", 8), gpus("b", 8)], {ShortOf.REPLICAS: (5, 4)}),
        (group(2, 8), [gpus("a", 8), gpus("b", 8)], {}),
        (group(2, 8), [gpus("a", 8)], {ShortOf.GROUP: (1, 0)}),
        (group(2, 8, 2), [gpus("a", 8), gpus("b", 8), gpus("c", 8)], {ShortOf.REPLICAS: (2, 1)}),
        (group(2, 4, 2), [gpus("a", 8), gpus("b", 8)], {}),
        # Two groups, each on a separate node; one group for which no rack has room; two groups and one rack.
        (group(2, 4, 2, "kubernetes.io/hostname"), [gpus("a", 8), gpus("b", 8)], {}),
        (group(2, 8, 1, "kubernetes.io/hostname"), [gpus("a", 8), gpus("b", 8)], {ShortOf.GROUP: (1, 0)}),
        (group(2, 8, 1, "rack"), [gpus("a", 8, rack="r1"), gpus("b", 8, rack="r2")], {ShortOf.GROUP: (1, 0)}),
        (group(2, 8, 1, "rack"), [gpus("a", 8, rack="r1"), gpus("b", 8, rack="r1")], {}),
        (group(2, 4, 2, "rack"), [gpus("a", 8, rack="r1"), gpus("b", 8, rack="r1")], {ShortOf.REPLICAS: (2, 1)}),
        # A deadlock of a rolling update; none where a pod may be missing, or where there is room.
        (deployment(1), [gpus("a", 1)], {ShortOf.UPDATE: (2, 1)}),
        (deployment(1, 2), [gpus("a", 2)], {ShortOf.UPDATE: (3, 2)}),
        (deployment(1, 2), [gpus("a", 3)], {}),
        (deployment(1, 4), [gpus("a", 4)], {}),
        (deployment(1, strategy={"rollingUpdate": {"maxUnavailable": 1}}), [gpus("a", 1)], {}),
    ],
)
def test_what_lacks_room(workload: JSONObject, nodes: list[JSONObject], expected: dict[ShortOf, tuple[int, int]]) -> None:
    assert found(facts(*nodes), workload) == expected


def test_two_workloads_of_an_object_need_room_at_the_same_time() -> None:
    engine, decoder = deployment(8), {**deployment(4), "metadata": {"name": "decoder"}}
    assert ShortOf.GROUP in found(facts(gpus("a", 8)), engine, decoder)
    assert ShortOf.GROUP not in found(facts(gpus("a", 8), gpus("b", 4)), engine, decoder)


def test_an_autoscaler_s_bounds_take_the_place_of_replicas() -> None:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"}
    scaler = {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "s"}}
    scaler["spec"] = {"scaleTargetRef": target, "minReplicas": 2, "maxReplicas": 9}
    assert found(facts(gpus("a", 8)), deployment(1, 20, **RECREATE), scaler) == {ShortOf.MOST: (9, 8)}


def test_pods_that_keep_apart_need_a_node_each() -> None:
    away = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
        {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "d"}}}
    ]}}  # fmt: skip
    cluster = facts(gpus("a", 8), gpus("b", 8))
    assert found(cluster, deployment(1, 3, spec={"affinity": away}, **RECREATE)) == {ShortOf.REPLICAS: (3, 2)}
    assert found(cluster, deployment(1, 2, spec={"affinity": away}, **RECREATE)) == {}


def on_port(number: int, **more: Any) -> JSONObject:
    """A part of a pod's spec: a container with a port of its node."""
    port = {"containerPort": number, "hostPort": number, **more}
    return {"containers": [{"name": "c", "image": "x", "ports": [port], "resources": {"limits": {GPU: "1"}}}]}


def test_pods_with_one_port_of_the_node_need_a_node_each() -> None:
    cluster = facts(gpus("a", 8), gpus("b", 8))
    assert found(cluster, deployment(1, 3, spec=on_port(80), **RECREATE)) == {ShortOf.REPLICAS: (3, 2)}
    assert found(cluster, deployment(1, 2, spec=on_port(80))) == {ShortOf.UPDATE: (3, 2)}
    network = {"hostNetwork": True, "containers": [{**on_port(80)["containers"][0], "ports": [{"containerPort": 80}]}]}
    assert found(cluster, deployment(1, 3, spec=network, **RECREATE)) == {ShortOf.REPLICAS: (3, 2)}
    # Without them the store would remember what it found for the other port.
    assert found(cluster, deployment(1, 3, spec={**network, "hostNetwork": False}, **RECREATE)) == {}
    assert found(cluster, deployment(1, 2, spec=on_port(80), **RECREATE)) == {}
    groups = groups_of([deployment(1, 3, spec=on_port(80), **RECREATE)], cluster.objects, "default")
    (short,) = lacking(groups, [], cluster, DEFAULT, "default")
    assert words(short, groups)[0] == (
        "its 3 replicas don't fit on the nodes together: 3 pods with host port 80/TCP each are needed, and the nodes have room for 2"
    )


def test_pods_of_two_workloads_with_one_port_need_a_node_each() -> None:
    engine, decoder = deployment(1, spec=on_port(80)), {**deployment(1, spec=on_port(80)), "metadata": {"name": "decoder"}}
    other = {**deployment(1, spec=on_port(80, protocol="UDP")), "metadata": {"name": "decoder"}}
    assert ShortOf.GROUP in found(facts(gpus("a", 8)), engine, decoder)
    assert ShortOf.GROUP not in found(facts(gpus("a", 8)), engine, other)
    assert ShortOf.GROUP not in found(facts(gpus("a", 8), gpus("b", 8)), engine, decoder)


def test_a_spread_over_nodes_without_gpus_leaves_room_for_one_pod_on_each_node_with_some() -> None:
    spread = [{"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "DoNotSchedule"}]
    spread[0]["labelSelector"] = {"matchLabels": {"app": "d"}}
    asked = deployment(1, 3, spec={"topologySpreadConstraints": spread}, **RECREATE)
    assert found(facts(gpus("a", 8), gpus("b", 8), node("cpu")), asked) == {ShortOf.REPLICAS: (3, 2)}
    assert found(facts(gpus("a", 8), gpus("b", 8)), asked) == {}


def test_a_cordoned_node_may_come_back_and_a_tainted_one_stays_closed() -> None:
    taint = [{"key": "team", "value": "a", "effect": "NoSchedule"}]
    asked = deployment(8, 2, **RECREATE)
    assert found(facts(gpus("a", 8), node("b", {GPU: "8"}, unschedulable=True)), asked) == {}
    assert found(facts(gpus("a", 8), node("b", {GPU: "8"}, taints=taint)), asked) == {ShortOf.REPLICAS: (2, 1)}


@pytest.mark.parametrize("version", ["v1alpha2", "v1alpha3", "v1beta1"])
def test_jobs_end_and_make_room_unless_they_are_a_gang(version: str) -> None:
    job = {**deployment(1), "kind": "Job", "apiVersion": "batch/v1"}
    job["spec"] = {"parallelism": 4, "template": {"spec": {**pod({GPU: "1"})["spec"], "restartPolicy": "Never"}}}
    assert found(facts(gpus("a", 1)), job) == {}
    job["spec"]["template"]["spec"]["schedulingGroup"] = {"podGroupName": "train"}
    gang = {"apiVersion": f"scheduling.k8s.io/{version}", "kind": "PodGroup", "metadata": {"name": "train", "namespace": "default"}}
    gang["spec"] = {"schedulingPolicy": {"gang": {"minCount": 3}}}
    assert found(facts(gpus("a", 1), gang), job) == {ShortOf.GROUP: (3, 1)}
    assert found(facts(gpus("a", 3), gang), job) == {}


def test_the_gang_of_a_pod_may_be_a_group_of_a_workload() -> None:
    job = {**deployment(1), "kind": "Job", "apiVersion": "batch/v1"}
    reference = {"name": "train", "podGroup": "workers"}
    job["spec"] = {"parallelism": 4, "template": {"spec": {**pod({GPU: "1"})["spec"], "restartPolicy": "Never", "workloadRef": reference}}}
    gang = {"apiVersion": "scheduling.k8s.io/v1alpha1", "kind": "Workload", "metadata": {"name": "train", "namespace": "default"}}
    groups = [{"name": "other", "policy": {"gang": {"minCount": 4}}}, {"name": "workers", "policy": {"gang": {"minCount": 3}}}]
    assert found(facts(gpus("a", 1), {**gang, "spec": {"podGroups": groups}}), job) == {ShortOf.GROUP: (3, 1)}
    assert found(facts(gpus("a", 1), {**gang, "spec": {"podGroups": groups[:1]}}), job) == {}
    assert found(facts(gpus("a", 1)), job) == {}


def test_pods_of_another_scheduler_are_not_packed() -> None:
    assert found(facts(gpus("a", 1)), deployment(1, 4, spec={"schedulerName": "volcano"}, **RECREATE)) == {}


def test_a_thousand_nodes_with_an_amount_of_memory_of_their_own_are_few_classes() -> None:
    nodes = [node(f"n{index}", {GPU: "8", "memory": f"{256 * 1024 * 1024 - index}Ki"}) for index in range(1000)]
    cluster = facts(*nodes)
    asked = {**pod({GPU: "4", "memory": "16Gi"})["spec"]}
    groups = groups_of([{**deployment(4, 2001, **RECREATE), "spec": {**RECREATE, "replicas": 2001, "template": {"spec": asked}}}])
    (short,) = lacking(groups, [], cluster, DEFAULT, "default")
    assert (short.asked, short.room) == (2001, 2000)


def test_the_words_name_the_roles_and_what_is_short() -> None:
    workload, cluster = group(2, 8), facts(gpus("a", 8))
    groups = groups_of([workload])
    (short,) = lacking(groups, [workload], cluster, DEFAULT, "default")
    assert words(short, groups) == (
        (
            "the 2 pods of a group (leader, worker) don't fit on the nodes together: 2 pods with 8 nvidia.com/gpu each are needed, and"
            " the nodes have room for 1"
        ),
        "declare the nodes that will come in expectedNodes",
    )


def test_what_an_extender_decides_about_has_no_say_in_a_packing() -> None:
    registered = gpus("a", 8)
    registered["metadata"]["annotations"] = {"hami.io/node-nvidia-register": "GPU-1,10,24576,100,X,0,true:"}
    shares = {"resources": {"limits": {GPU: "1", "nvidia.com/gpumem": "8000"}}}
    workload = deployment(1, 2, spec={"containers": [{"name": "c", "image": "i", **shares}]}, **RECREATE)
    assert lacking(groups_of([workload]), [workload], facts(registered), DEFAULT, "default") == []
    (short,) = lacking(groups_of([workload]), [workload], facts(gpus("a", 8)), DEFAULT, "default")
    assert short.room == 0


@pytest.mark.parametrize("others", [3, 6])
def test_workloads_that_differ_in_names_and_in_labels_that_none_reads_are_packed_once(others: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster, packed = facts(gpus("a", 8), gpus("b", 8)), []

    def counted(*args: Any) -> Any:
        packed.append(args)
        return shortages(*args)

    monkeypatch.setattr(remembered, "shortages", counted)

    def named(number: int, replicas: int) -> JSONObject:
        workload = copy.deepcopy(deployment(8, replicas, **RECREATE))
        workload["metadata"]["name"] = f"d{number}"
        workload["spec"]["template"]["metadata"]["labels"] = {"app": f"d{number}"}
        return workload

    assert [found(cluster, named(number, 2)) for number in range(others)] == [{}] * others
    assert len(packed) == 1
    # What doesn't fit is worked out for each, since its name is in the words.
    assert [found(cluster, named(number, 3)) for number in range(others)] == [{ShortOf.REPLICAS: (3, 2)}] * others
    assert len(packed) == 1 + others


def test_labels_that_a_constraint_reads_are_part_of_what_is_packed() -> None:
    cluster = facts(gpus("a", 8, zone="z"), gpus("b", 8, zone="z"))

    def kept_apart(label: str) -> JSONObject:
        term = {"topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule", "maxSkew": 1, "labelSelector": {"matchLabels": {"app": "x"}}}
        workload = copy.deepcopy(deployment(1, 2, spec={"topologySpreadConstraints": [{**term, "minDomains": 2}]}, **RECREATE))
        workload["spec"]["template"]["metadata"]["labels"] = {"app": label}
        return workload

    assert [bool(found(cluster, kept_apart(label))) for label in ("y", "x", "y")] == [False, True, False]
