"""Kueue: the queue that a workload names, its quotas and its flavors."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import container, facts, node
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.kueue import QueueTrouble, queue_troubles

GROUP = "kueue.x-k8s.io"
START = "couldn't assign flavors to pod set main: "
BEFORE = "previously considered podsets requests (0)"
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
    """A ClusterQueue that takes all namespaces."""
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
    """What keeps Kueue from admitting a workload."""
    return [found.message for found in queue_troubles(workload, facts(*objects), "ai")]


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
    ("own", "other", "is_admitted"),
    [({}, {}, True), ({"borrowingLimit": "0"}, {}, False), ({}, {"lendingLimit": "0"}, False), ({"borrowingLimit": "1"}, {}, True)],
)
def test_the_queues_of_a_cohort_lend_what_they_may(own: dict[str, str], other: dict[str, str], is_admitted: bool) -> None:
    queues = [cluster_queue(group("cpu", "1", **own), cohortName="c"), cluster_queue(group("cpu", "3", **other), name="o", cohort="c")]
    found = queue_troubles(job(), facts(NODE, LOCAL, FLAVOR, *queues), "ai")
    # What a Cohort adds of its own isn't known, so it can't be said that the quota is too small.
    assert [one.is_unknown for one in found] == ([] if is_admitted else [True])


def test_without_kueues_objects_the_queue_is_not_checked_and_without_kueue_the_label_does_nothing() -> None:
    (found,) = queue_troubles(job(), facts(NODE), "ai")
    assert found.is_unknown
    crds = Extent(complete=frozenset({("apiextensions.k8s.io", "CustomResourceDefinition")}))
    assert queue_troubles(job(), from_objects([NODE], Definitions(), extent=crds), "ai") == []
