"""Kueue: the queue that a workload names, its quotas and its flavors."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import container, facts, node
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.queues.cohorts import quotas_of
from weighbridge.policies.placement.queues.kueue import queue_troubles
from weighbridge.policies.placement.queues.trouble import QueueTrouble

GROUP = "kueue.x-k8s.io"
START = "couldn't assign flavors to pod set main: "
BEFORE = "previously considered podsets requests (0)"
TOO_SMALL = f"insufficient quota for cpu in flavor gpu, {BEFORE} + current podset request"
QUEUE = {f"{GROUP}/queue-name": "team"}


def kueue(kind: str, name: str, *, version: str = "v1beta2", **spec: Any) -> JSONObject:
    """One of Kueue's objects."""
    metadata = {"name": name, **({"namespace": "ai"} if kind == "LocalQueue" else {})}
    return {"apiVersion": f"{GROUP}/{version}", "kind": kind, "metadata": metadata, "spec": spec}


def group(resource: str, quota: str, flavor: str = "gpu", **more: str) -> JSONObject:
    """A resource group with one resource and one flavor."""
    resources = [{"name": resource, "nominalQuota": quota, **more}]
    return {"coveredResources": [resource], "flavors": [{"name": flavor, "resources": resources}]}


LOCAL = kueue("LocalQueue", "team", clusterQueue="cluster")
FLAVOR = kueue("ResourceFlavor", "gpu", nodeLabels={"gpu": "h100"})
NODE = node("n", labels={"gpu": "h100"})


def cluster_queue(*groups: JSONObject, name: str = "cluster", **spec: Any) -> JSONObject:
    """A ClusterQueue for all namespaces."""
    return kueue("ClusterQueue", name, resourceGroups=list(groups), **{"namespaceSelector": {}, **spec})


def job(pods: int = 1, labels: JSONObject | None = None, kind: str = "Job", **pod: Any) -> JSONObject:
    """A workload of pods that ask for two CPUs each."""
    template = {"spec": {"containers": [container({"cpu": "2"})], **pod}}
    metadata = {"name": "j", "namespace": "ai", "labels": QUEUE if labels is None else labels}
    return {
        "apiVersion": "batch/v1",
        "kind": kind,
        "metadata": metadata,
        "spec": {"parallelism": pods, "replicas": pods, "template": template},
    }


def troubles(workload: JSONObject, *objects: JSONObject) -> list[str]:
    """The reasons for which Kueue doesn't admit a workload."""
    return [found.message for found in queue_troubles(workload, facts(*objects), "ai")]


def known_troubles(workload: JSONObject, *objects: JSONObject) -> list[str]:
    """The same if all of Kueue's objects are known, as in a snapshot; each reason is sure."""
    complete = frozenset((GROUP, kind) for kind in ("ClusterQueue", "Cohort"))
    found = queue_troubles(workload, from_objects(objects, Definitions(), extent=Extent(complete=complete)), "ai")
    assert not any(one.is_unknown for one in found)
    return [one.message for one in found]


@pytest.mark.parametrize(
    ("objects", "message"),
    [
        ([kueue("LocalQueue", "tean", clusterQueue="c")], "LocalQueue team doesn't exist"),
        ([kueue("LocalQueue", "team", clusterQueue="cluster", stopPolicy="Hold")], "LocalQueue team is stopped"),
        ([LOCAL, cluster_queue(name="other")], "ClusterQueue cluster doesn't exist"),
        ([LOCAL, cluster_queue(stopPolicy="HoldAndDrain")], "ClusterQueue cluster is stopped"),
        ([LOCAL, cluster_queue(namespaceSelector=None)], "Workload namespace doesn't match ClusterQueue selector"),
        ([LOCAL, cluster_queue(group("cpu", "9", "gone")), FLAVOR], "ClusterQueue cluster is inactive"),
        (
            [LOCAL, cluster_queue(group("memory", "9Gi")), FLAVOR],
            "couldn't assign flavors to pod set main: resource cpu unavailable in ClusterQueue",
        ),
        (
            [LOCAL, cluster_queue(group("cpu", "1")), FLAVOR],
            f"{START}insufficient quota for cpu in flavor gpu, {BEFORE} + current podset request (2) > maximum capacity (1)",
        ),
        (
            [LOCAL, cluster_queue(group("cpu", "9")), kueue("ResourceFlavor", "gpu", nodeLabels={"gpu": "b200"})],
            "couldn't assign flavors to pod set main: no node has the labels of flavor gpu: gpu=b200",
        ),
        (
            [LOCAL, cluster_queue(group("cpu", "9")), kueue("ResourceFlavor", "gpu", nodeTaints=[{"key": "t", "effect": "NoSchedule"}])],
            "couldn't assign flavors to pod set main: untolerated taint t:NoSchedule in flavor gpu",
        ),
    ],
)
def test_the_first_thing_that_keeps_a_workload_out_is_said_in_kueues_words(objects: list[JSONObject], message: str) -> None:
    assert troubles(job(), NODE, *objects) == [message]


def test_a_workload_that_fits_is_admitted() -> None:
    cluster = (NODE, LOCAL, cluster_queue(group("cpu", "4")), FLAVOR)
    assert troubles(job(), *cluster) == []
    assert troubles(job(labels={}), NODE, kueue("LocalQueue", "other", clusterQueue="c")) == []


def test_the_nearest_queue_is_named() -> None:
    (found,) = queue_troubles(job(), facts(kueue("LocalQueue", "tean", clusterQueue="c")), "ai")
    assert found == QueueTrouble("LocalQueue team doesn't exist", "did you mean tean?")


@pytest.mark.parametrize(("kind", "is_admitted"), [("Deployment", True), ("StatefulSet", False), ("Job", False)])
def test_a_group_of_pods_is_admitted_as_a_whole_and_a_deployment_pod_by_pod(kind: str, is_admitted: bool) -> None:
    cluster = (NODE, LOCAL, cluster_queue(group("cpu", "4")), FLAVOR)
    assert (troubles(job(3, kind=kind), *cluster) == []) is is_admitted


def test_one_of_several_flavors_is_enough() -> None:
    small, large = group("cpu", "1")["flavors"], group("cpu", "4", "cpu")["flavors"]
    both = {"coveredResources": ["cpu"], "flavors": [*small, *large]}
    assert troubles(job(), NODE, LOCAL, cluster_queue(both), FLAVOR, kueue("ResourceFlavor", "cpu")) == []


def test_a_pod_that_selects_another_flavor_does_not_match() -> None:
    cluster = (NODE, LOCAL, cluster_queue(group("cpu", "4")), FLAVOR)
    assert troubles(job(nodeSelector={"gpu": "b200"}), *cluster) == [
        "couldn't assign flavors to pod set main: flavor gpu doesn't match node affinity"
    ]
    assert troubles(job(nodeSelector={"zone": "a"}), *cluster) == []


@pytest.mark.parametrize(
    ("own", "other", "most"),
    [
        ({}, {}, ""),
        ({"borrowingLimit": "1"}, {}, ""),
        ({"borrowingLimit": "500m"}, {}, "1500m"),
        ({"borrowingLimit": "0"}, {}, "1"),
        ({}, {"lendingLimit": "1"}, ""),
        ({}, {"lendingLimit": "0"}, "1"),
        ({"lendingLimit": "0"}, {"lendingLimit": "500m"}, "1500m"),
    ],
)
def test_the_queues_of_a_cohort_lend_what_they_may(own: dict[str, str], other: dict[str, str], most: str) -> None:
    queues = [cluster_queue(group("cpu", "1", **own), cohortName="c"), cluster_queue(group("cpu", "3", **other), name="o", cohort="c")]
    cluster = (NODE, LOCAL, FLAVOR, *queues)
    assert known_troubles(job(), *cluster) == ([f"{START}{TOO_SMALL} (2) > maximum capacity ({most})"] if most else [])
    # A Cohort may add quota, so nothing is sure unless all Cohorts are known.
    (unknown,) = queue_troubles(job(), facts(*cluster), "ai") if most else (QueueTrouble("", is_unknown=True),)
    assert unknown.is_unknown


@pytest.mark.parametrize(
    ("cohorts", "most"),
    [
        ([kueue("Cohort", "team")], "1"),
        ([kueue("Cohort", "team", resourceGroups=[group("cpu", "1")])], ""),
        ([kueue("Cohort", "team", parentName="org")], "1"),
        ([kueue("Cohort", "team", parentName="org"), kueue("Cohort", "org", resourceGroups=[group("cpu", "1")])], ""),
        (
            [
                kueue("Cohort", "team", parentName="org", resourceGroups=[group("cpu", "0", borrowingLimit="500m")]),
                kueue("Cohort", "org", resourceGroups=[group("cpu", "9")]),
            ],
            "1500m",
        ),
        ([kueue("Cohort", "team", parentName="org"), kueue("Cohort", "sister", parentName="org", resourceGroups=[group("cpu", "1")])], ""),
        (
            [
                kueue("Cohort", "team", parentName="org"),
                kueue("Cohort", "sister", parentName="org", resourceGroups=[group("cpu", "4", lendingLimit="250m")]),
            ],
            "1250m",
        ),
        ([kueue("Cohort", "team", resourceGroups=[group("cpu", "9", "other")])], "1"),
    ],
)
def test_cohorts_add_quota_and_bound_what_their_parents_give(cohorts: list[JSONObject], most: str) -> None:
    cluster = (NODE, LOCAL, FLAVOR, cluster_queue(group("cpu", "1"), cohortName="team"), *cohorts)
    assert known_troubles(job(), *cluster) == ([f"{START}{TOO_SMALL} (2) > maximum capacity ({most})"] if most else [])


def test_a_stopped_queue_of_the_cohort_lends_as_well() -> None:
    lends = cluster_queue(group("cpu", "1"), name="o", cohortName="c", stopPolicy="Hold")
    assert known_troubles(job(), NODE, LOCAL, FLAVOR, lends, cluster_queue(group("cpu", "1"), cohortName="c")) == []


def test_a_cohort_that_is_its_own_ancestor_admits_nothing() -> None:
    loop = [kueue("Cohort", "a", parentName="b"), kueue("Cohort", "b", parentName="a")]
    for cohort in ("a", "beneath"):
        cluster = (*loop, kueue("Cohort", "beneath", parentName="b"), LOCAL, FLAVOR, cluster_queue(group("cpu", "9"), cohortName=cohort))
        (found,) = queue_troubles(job(), facts(NODE, *cluster), "ai")
        assert found.message == "ClusterQueue cluster is inactive"
        assert "is its own ancestor" in found.hint


def test_many_cohorts_one_above_the_other_are_no_trouble() -> None:
    chain = [kueue("Cohort", f"c{number}", parentName=f"c{number + 1}") for number in range(3000)]
    top = kueue("Cohort", "c3000", resourceGroups=[group("cpu", "1")])
    assert known_troubles(job(), NODE, LOCAL, FLAVOR, cluster_queue(group("cpu", "1"), cohortName="c0"), *chain, top) == []


def test_quotas_are_summed_once_for_a_state_of_the_cluster() -> None:
    cluster = facts(NODE, LOCAL, FLAVOR, cluster_queue(group("cpu", "1"), cohortName="c"))
    before = quotas_of(cluster.objects)
    queue_troubles(job(), cluster, "ai")
    assert quotas_of(cluster.objects) is before
    cluster.objects.put(kueue("Cohort", "c", resourceGroups=[group("cpu", "1")]))
    assert queue_troubles(job(), cluster, "ai") == []


@pytest.mark.parametrize(("workers", "quota", "message"), [("1", "5", ""), ("2", "5", "worker"), ("2", "7", "")])
def test_what_the_leader_takes_is_missing_for_the_workers(workers: str, quota: str, message: str) -> None:
    leader, worker = ({"spec": {"containers": [container({"cpu": cpu})]}} for cpu in ("3", workers))
    group_of_three = {"leaderTemplate": leader, "workerTemplate": worker, "size": 3}
    lws = {"kind": "LeaderWorkerSet", "metadata": {"name": "g", "labels": QUEUE}, "spec": {"leaderWorkerTemplate": group_of_three}}
    what = "insufficient quota for cpu in flavor gpu, previously considered podsets requests (3) + current podset request (4)"
    expected = [f"couldn't assign flavors to pod set worker: {what} > maximum capacity (5)"] if message else []
    assert troubles(lws, NODE, LOCAL, cluster_queue(group("cpu", quota)), FLAVOR) == expected


def test_the_head_and_the_workers_of_ray_are_pod_sets_of_one_workload() -> None:
    template = {"spec": {"containers": [container({"cpu": "3"})]}}
    spec = {"headGroupSpec": {"template": template}, "workerGroupSpecs": [{"groupName": "wg", "replicas": 2, "template": template}]}
    ray = {"kind": "RayCluster", "metadata": {"name": "r", "labels": QUEUE}, "spec": spec}
    what = "insufficient quota for cpu in flavor gpu, previously considered podsets requests (3) + current podset request (6)"
    cluster = (NODE, LOCAL, cluster_queue(group("cpu", "8")), FLAVOR)
    assert troubles(ray, *cluster) == [f"couldn't assign flavors to pod set wg: {what} > maximum capacity (8)"]


def test_a_group_without_a_leader_of_its_own_is_one_pod_set() -> None:
    template = {"spec": {"containers": [container({"cpu": "3"})]}}
    spec = {"leaderWorkerTemplate": {"workerTemplate": template, "size": 3}}
    lws = {"kind": "LeaderWorkerSet", "metadata": {"name": "g", "labels": QUEUE}, "spec": spec}
    cluster = (NODE, LOCAL, cluster_queue(group("cpu", "8")), FLAVOR)
    assert troubles(lws, *cluster) == [f"{START}{TOO_SMALL} (9) > maximum capacity (8)"]


def test_without_kueues_objects_the_queue_is_not_checked_and_without_kueue_the_label_does_nothing() -> None:
    (found,) = queue_troubles(job(), facts(NODE), "ai")
    assert found.is_unknown
    crds = Extent(complete=frozenset({("apiextensions.k8s.io", "CustomResourceDefinition")}))
    assert queue_troubles(job(), from_objects([NODE], Definitions(), extent=crds), "ai") == []
