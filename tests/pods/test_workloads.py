"""The pod that a workload makes."""

from __future__ import annotations

from typing import Any

import pytest

from policies.objects import JSONObject
from policies.pods.workloads import pods_of
from tests.placement.clusters import container, node, placed

SPEC = {"containers": [container({"cpu": "1"})]}
TEMPLATE = {"metadata": {"labels": {"app": "a"}}, "spec": SPEC}


def pod_of(made: JSONObject) -> JSONObject | None:
    """The first kind of pods that a workload makes."""
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


def test_claims_that_a_stateful_set_makes_with_its_pods_are_not_looked_for() -> None:
    volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": "x"}}, {"name": "other", "emptyDir": {}}]
    templates = [{"metadata": {"name": "data"}}]
    pod = pod_of(workload("StatefulSet", {"template": {"spec": {**SPEC, "volumes": volumes}}, "volumeClaimTemplates": templates}))
    assert pod is not None
    assert pod["metadata"]["name"] == "w-0"
    assert [volume["name"] for volume in pod["spec"]["volumes"]] == ["other"]
