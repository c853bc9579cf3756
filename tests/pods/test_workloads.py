"""The pods that a workload makes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import container, node, placed
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.workloads import claims_of, numbers_of, pods_of, replicas_of

SPEC = {"containers": [container({"cpu": "1"})]}
TEMPLATE = {"metadata": {"labels": {"app": "a"}}, "spec": SPEC}


def pod_of(made: JSONObject) -> JSONObject | None:
    """The first kind of pod that a workload makes."""
    return next(iter(pods_of(made).values()), None)


def workload(kind: str, spec: JSONObject, api_version: str = "apps/v1", **parts: Any) -> JSONObject:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "w", "namespace": "ns"}, "spec": spec, **parts}


@pytest.mark.parametrize(
    "made",
    [
        *(
            workload(kind, {"template": TEMPLATE})
            for kind in ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController", "Job")
        ),
        workload("CronJob", {"jobTemplate": {"spec": {"template": TEMPLATE}}}, "batch/v1"),
        workload("LeaderWorkerSet", {"leaderWorkerTemplate": {"workerTemplate": TEMPLATE}}, "leaderworkerset.x-k8s.io/v1"),
        {"apiVersion": "v1", "kind": "PodTemplate", "metadata": {"name": "w", "namespace": "ns"}, "template": TEMPLATE},
        workload("Rollout", {"template": TEMPLATE}, "example.dev/v1"),
    ],
    ids=lambda made: str(made["kind"]),
)
def test_a_workload_makes_a_pod_of_its_template(made: JSONObject) -> None:
    pod = pod_of(made)
    assert pod is not None
    assert (pod["kind"], pod["metadata"]["namespace"], pod["metadata"]["labels"]["app"]) == ("Pod", "ns", "a")
    assert pod["spec"]["containers"] == SPEC["containers"]
    assert placed(pod, node()).feasible == ["n"]


@pytest.mark.parametrize(
    "nothing",
    [
        {},
        {"kind": "Service", "spec": {"selector": {}}},
        {"kind": "Deployment", "spec": {"template": {"spec": {}}}},
        {"kind": "Deployment", "spec": {"template": "x"}},
        {"kind": "DaemonSet", "spec": None},
        {"kind": "StatefulSet", "spec": {"volumeClaimTemplates": [{"metadata": {"name": "v"}}]}},
        {"kind": "LeaderWorkerSet", "spec": {"leaderWorkerTemplate": {}}},
        {"kind": "CronJob", "spec": {"jobTemplate": []}},
        {"kind": "Pod"},
    ],
    ids=str,
)
def test_what_makes_no_pod_gives_none(nothing: JSONObject) -> None:
    assert pod_of(nothing) is None


def test_a_pod_is_its_own() -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": SPEC}
    assert pod_of(pod) is pod


def test_a_leader_and_its_workers_differ() -> None:
    leader = {"spec": {"containers": [container({"cpu": "2"})]}}
    pods = pods_of(workload("LeaderWorkerSet", {"leaderWorkerTemplate": {"size": 4, "leaderTemplate": leader, "workerTemplate": TEMPLATE}}))
    assert {role: pod["metadata"]["name"] for role, pod in pods.items()} == {"leader": "w-0", "worker": "w-0-1"}
    assert pods["leader"]["spec"] == leader["spec"]
    assert pods["worker"]["spec"] == SPEC


def test_a_group_of_one_has_a_leader_only() -> None:
    assert list(pods_of(workload("LeaderWorkerSet", {"leaderWorkerTemplate": {"size": 1, "workerTemplate": TEMPLATE}}))) == ["leader"]


def test_a_daemon_tolerates_cordons_and_pressure() -> None:
    pod = pod_of(workload("DaemonSet", {"template": TEMPLATE}))
    assert pod is not None
    taints = [{"key": "node.kubernetes.io/disk-pressure", "effect": "NoSchedule"}]
    assert placed(pod, node(unschedulable=True, taints=taints)).feasible == ["n"]


def test_the_first_pod_of_a_stateful_set_has_claims_of_its_own() -> None:
    volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": "x"}}, {"name": "other", "emptyDir": {}}]
    templates = [{"metadata": {"name": "data"}, "spec": {"storageClassName": "fast"}}]
    made = workload("StatefulSet", {"template": {"spec": {**SPEC, "volumes": volumes}}, "volumeClaimTemplates": templates})
    pod = pod_of(made)
    assert pod is not None
    assert pod["metadata"]["name"] == "w-0"
    assert pod["spec"]["volumes"] == [{"name": "data", "persistentVolumeClaim": {"claimName": "data-w-0"}}, volumes[1]]
    (claim,) = claims_of(made)
    assert (claim["metadata"], claim["spec"]) == ({"name": "data-w-0", "namespace": "ns"}, {"storageClassName": "fast"})


def test_a_claim_of_a_pod_s_own_is_made_with_it() -> None:
    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"storageClassName": "fast"}}
    volumes = [{"name": "scratch", "ephemeral": {"volumeClaimTemplate": template}}, {"name": "other", "emptyDir": {}}]
    (claim,) = claims_of(workload("Deployment", {"template": {"spec": {**SPEC, "volumes": volumes}}}))
    assert claim["metadata"] == {"labels": {"a": "b"}, "name": "w--scratch", "namespace": "ns"}
    assert claim["spec"] == template["spec"]


@pytest.mark.parametrize(
    ("made", "replicas"),
    [
        (workload("Deployment", {"replicas": 3, "template": TEMPLATE}), 3),
        (workload("Deployment", {"template": TEMPLATE}), 1),
        (workload("Job", {"parallelism": 4, "template": TEMPLATE}), 4),
        (workload("Deployment", {"replicas": "x"}), 1),
    ],
)
def test_a_workload_runs_so_many_pods_side_by_side(made: JSONObject, replicas: int) -> None:
    assert replicas_of(made) == replicas


def ray_cluster(*groups: JSONObject, labels: dict[str, str] | None = None, **spec: Any) -> JSONObject:
    """A RayCluster with a head and groups of workers."""
    made = workload("RayCluster", {"headGroupSpec": {"template": TEMPLATE}, "workerGroupSpecs": list(groups), **spec}, "ray.io/v1")
    return {**made, "metadata": {**made["metadata"], "labels": labels or {}}}


def test_a_ray_cluster_makes_a_head_and_groups_of_workers() -> None:
    made = ray_cluster({"groupName": "wg", "replicas": 2, "template": TEMPLATE})
    pods = pods_of(made)
    assert list(pods) == ["head", "wg"]
    own = {"app": "a", "ray.io/cluster": "w", "ray.io/group": "wg", "ray.io/node-type": "worker"}
    assert pods["wg"]["metadata"] == {"generateName": "w-worker-", "namespace": "ns", "labels": own, "annotations": {}}
    assert pods["head"]["metadata"]["labels"]["ray.io/node-type"] == "head"
    assert numbers_of(made) == {"wg": 2}


@pytest.mark.parametrize(
    ("group", "spec", "number"),
    [
        ({"replicas": 3}, {}, 3),
        ({"replicas": 3, "numOfHosts": 2}, {}, 6),
        ({"replicas": 1, "minReplicas": 2}, {}, 2),
        ({"replicas": 3, "maxReplicas": 2}, {}, 2),
        ({}, {}, 0),
        ({"replicas": 3, "suspend": True}, {}, 0),
        ({"replicas": 3, "minReplicas": 1}, {"enableInTreeAutoscaling": True}, 1),
    ],
)
def test_the_workers_of_a_ray_cluster_are_counted_as_kuberay_does(group: JSONObject, spec: JSONObject, number: int) -> None:
    made = ray_cluster({"groupName": "wg", "template": TEMPLATE, **group}, **spec)
    assert numbers_of(made) == {"wg": number}
    assert ("wg" in pods_of(made)) is (number > 0)


def test_the_batch_scheduler_of_a_ray_cluster_takes_its_pods() -> None:
    made = ray_cluster({"groupName": "wg", "replicas": 1, "template": TEMPLATE}, labels={"ray.io/scheduler-name": "volcano"})
    assert {pod["spec"]["schedulerName"] for pod in pods_of(made).values()} == {"volcano"}
    assert "schedulerName" not in SPEC
