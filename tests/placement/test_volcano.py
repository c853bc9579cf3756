"""Volcano: the PodGroup of a workload's pods, its Queue, and what the Queue allows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import container, node
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.ground.findings import Finding, Unchecked
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.queues.volcano import volcano_troubles
from weighbridge.policies.verdict.pods.pod_admission import queue_findings

GROUP = "scheduling.volcano.sh"
NAMED = f"{GROUP}/queue-name"
LEAST = f"{GROUP}/group-min-member"
MEMBER = "scheduling.k8s.io/group-name"
SHORT = "queue resource quota insufficient: insufficient "
TOGETHER = "the 3 pods that start together request"
KNOWN = Extent(complete=frozenset((GROUP, kind) for kind in ("Queue", "PodGroup")))


def queue(name: str = "team", state: str = "Open", **spec: Any) -> JSONObject:
    """A Queue of Volcano."""
    return {"apiVersion": f"{GROUP}/v1beta1", "kind": "Queue", "metadata": {"name": name}, "spec": spec, "status": {"state": state}}


def pod_group(least: int = 1, name: str = "g", **spec: Any) -> JSONObject:
    """A PodGroup of Volcano."""
    metadata = {"name": name, "namespace": "ai"}
    return {"apiVersion": f"{GROUP}/v1beta1", "kind": "PodGroup", "metadata": metadata, "spec": {"minMember": least, **spec}}


def template(gpus: int = 1, annotations: dict[str, str] | None = None, **spec: Any) -> JSONObject:
    """The template of a pod with GPUs that Volcano schedules."""
    metadata = {"annotations": {NAMED: "team"} if annotations is None else annotations}
    return {
        "metadata": metadata,
        "spec": {"schedulerName": "volcano", "containers": [container({"nvidia.com/gpu": str(gpus)})], **spec},
    }


def workload(
    gpus: int = 1,
    replicas: int = 1,
    kind: str = "Deployment",
    annotations: dict[str, str] | None = None,
    of_pods: dict[str, str] | None = None,
) -> JSONObject:
    """A workload with annotations; its pods are in queue team unless their annotations say otherwise."""
    spec = {"replicas": replicas, "parallelism": replicas, "template": template(gpus, of_pods)}
    metadata = {"name": "w", "namespace": "ai", "annotations": annotations or {}}
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": metadata, "spec": spec}


def group_of(size: int, leader: int, workers: int, **more: Any) -> JSONObject:
    """A LeaderWorkerSet in queue team."""
    templates = {"size": size, "leaderTemplate": template(leader), "workerTemplate": template(workers)}
    metadata = {"name": "l", "namespace": "ai"}
    return {"kind": "LeaderWorkerSet", "metadata": metadata, "spec": {"leaderWorkerTemplate": templates, **more}}


def ray_cluster(workers: int, **labels: str) -> JSONObject:
    """A RayCluster with four GPUs in its head and in each worker, in queue team."""
    pod = {"spec": {"containers": [container({"nvidia.com/gpu": "4"})]}}
    spec = {"headGroupSpec": {"template": pod}, "workerGroupSpecs": [{"groupName": "wg", "replicas": workers, "template": pod}]}
    labels = {"ray.io/scheduler-name": "volcano", "volcano.sh/queue-name": "team", **labels}
    return {"apiVersion": "ray.io/v1", "kind": "RayCluster", "metadata": {"name": "r", "namespace": "ai", "labels": labels}, "spec": spec}


def known(*objects: JSONObject) -> Facts:
    """A cluster in which all of Volcano's objects are known."""
    return from_objects(objects, Definitions(), extent=KNOWN)


def troubles(asked: JSONObject, *objects: JSONObject, made: list[JSONObject] | None = None, grows: bool = False) -> list[str]:
    """The reasons for which Volcano doesn't schedule a workload."""
    found = volcano_troubles(asked, made or [asked], known(*objects), "ai", lambda _: grows)
    assert not any(one.is_unknown for one in found)
    return [one.message for one in found]


@pytest.mark.parametrize(
    ("asked", "objects", "message"),
    [
        (workload(), [queue("tean")], f'unable to find queue: queue.{GROUP} "team" not found'),
        (workload(kind="Job"), [queue("tean")], f'unable to find queue: queue.{GROUP} "team" not found'),
        (
            workload(),
            [queue(state="Closed")],
            "can only submit PodGroup to queue with state `Open`, queue `team` status is `Closed`",
        ),
        (
            workload(8),
            [queue(capability={"nvidia.com/gpu": "4"})],
            f"{SHORT}nvidia.com/gpu: a pod requests 8 nvidia.com/gpu, and the capability of Queue team is 4 nvidia.com/gpu",
        ),
        (
            workload(2, 4, annotations={LEAST: "3"}),
            [queue(capability={"nvidia.com/gpu": "4"})],
            f"{SHORT}nvidia.com/gpu: {TOGETHER} 6 nvidia.com/gpu, and the capability of Queue team is 4 nvidia.com/gpu",
        ),
        (
            group_of(3, 1, 4),
            [queue(capability={"nvidia.com/gpu": "8"})],
            f"{SHORT}nvidia.com/gpu: {TOGETHER} 9 nvidia.com/gpu, and the capability of Queue team is 8 nvidia.com/gpu",
        ),
        (
            ray_cluster(2),
            [queue(capability={"nvidia.com/gpu": "8"})],
            f"{SHORT}nvidia.com/gpu: {TOGETHER} 12 nvidia.com/gpu, and the capability of Queue team is 8 nvidia.com/gpu",
        ),
        (workload(1, 2, annotations={LEAST: "3"}), [queue()], "Not enough valid tasks for gang-scheduling, valid: 2, min: 3"),
    ],
)
def test_what_volcano_never_does_is_said(asked: JSONObject, objects: list[JSONObject], message: str) -> None:
    assert troubles(asked, *objects) == [message]


@pytest.mark.parametrize(
    ("asked", "objects"),
    [
        (workload(4), [queue(capability={"nvidia.com/gpu": "4"})]),
        # Without minMember the pods are scheduled one by one.
        (workload(2, 4), [queue(capability={"nvidia.com/gpu": "4"})]),
        (workload(2, 4, annotations={LEAST: "two"}), [queue(capability={"nvidia.com/gpu": "4"})]),
        (workload(), [queue(capability={"cpu": "0", "memory": "0"})]),
        (workload(), [queue(deserved={"nvidia.com/gpu": "0"})]),
        (ray_cluster(1), [queue(capability={"nvidia.com/gpu": "8"})]),
        (group_of(3, 0, 4), [queue(capability={"nvidia.com/gpu": "8"})]),
        # The scheduler itself creates the default queue.
        (workload(of_pods={}), []),
        (workload(1, 2, annotations={LEAST: "2"}), [queue()]),
    ],
)
def test_what_volcano_may_schedule_is_left_to_it(asked: JSONObject, objects: list[JSONObject]) -> None:
    assert troubles(asked, *objects) == []


def test_pods_of_other_schedulers_are_left_alone() -> None:
    other = workload(8)
    other["spec"]["template"]["spec"]["schedulerName"] = "kai-scheduler"
    assert troubles(other, queue(state="Closed")) == []


def test_an_autoscaler_may_bring_as_many_pods_as_the_gang_asks_for() -> None:
    scaler = {"kind": "HorizontalPodAutoscaler", "spec": {"scaleTargetRef": {"kind": "Deployment", "name": "w"}, "maxReplicas": 3}}
    asked = workload(1, 2, annotations={LEAST: "3"})
    assert troubles(asked, queue(), made=[asked, scaler]) == []


def test_the_nearest_queue_and_group_are_named() -> None:
    (found,) = volcano_troubles(workload(), [], known(queue("tean")), "ai", lambda _: False)
    assert found.hint == "did you mean tean?"
    (found,) = volcano_troubles(workload(of_pods={MEMBER: "train"}), [], known(pod_group(name="trains")), "ai", lambda _: False)
    assert (found.message, found.hint) == ("Volcano's PodGroup train doesn't exist", "did you mean trains?")


@pytest.mark.parametrize(
    ("group", "message"),
    [
        (pod_group(2, queue="team"), ""),
        (pod_group(3, queue="team"), "the 3 pods that start together request 6 nvidia.com/gpu"),
        # Two of the group's four pods belong to other workloads, and may ask for nothing.
        (pod_group(9, queue="team"), "the 9 pods that start together request 8 nvidia.com/gpu"),
        (pod_group(1, queue="team", minResources={"nvidia.com/gpu": "5"}), "a pod requests 5 nvidia.com/gpu"),
        (pod_group(0, queue="team", minResources={"nvidia.com/gpu": "4"}), ""),
        (pod_group(1), ""),
    ],
)
def test_a_pod_group_that_pods_name_says_how_many_start_together(group: JSONObject, message: str) -> None:
    asked = workload(2, 4, "Job", of_pods={MEMBER: "g", NAMED: "other"})
    found = troubles(asked, group, queue(capability={"nvidia.com/gpu": "4"}))
    assert [one.partition(": ")[2].partition(": ")[2].partition(",")[0] for one in found] == ([message] if message else [])


def test_what_other_queues_are_guaranteed_is_missing() -> None:
    cluster = (node("a", {"nvidia.com/gpu": "8"}), queue(), queue("other", guarantee={"resource": {"nvidia.com/gpu": "6"}}))
    left = (
        f"{SHORT}nvidia.com/gpu: a pod requests 4 nvidia.com/gpu, and the nodes have 2 nvidia.com/gpu that other queues aren't guaranteed"
    )
    assert troubles(workload(4), *cluster) == [left]
    assert troubles(workload(4), *cluster, grows=True) == []
    assert troubles(workload(2), *cluster) == []
    mine = queue(guarantee={"resource": {"nvidia.com/gpu": "6"}})
    assert troubles(workload(8), cluster[0], mine) == []


def test_a_queue_above_counts_only_with_a_hierarchy() -> None:
    above = queue("org", capability={"nvidia.com/gpu": "2"}, parent="root")
    (found,) = volcano_troubles(workload(4), [], known(queue(parent="org"), above), "ai", lambda _: True)
    assert found.is_unknown
    assert found.message.endswith("whether Volcano has a hierarchy of queues enabled isn't known")
    loop = queue("org", parent="team")
    assert troubles(workload(4), queue(parent="org"), loop, grows=True) == []


def test_without_volcanos_objects_nothing_is_added_to_what_placement_says() -> None:
    without = from_objects([node()], Definitions())
    assert volcano_troubles(workload(), [], without, "ai", lambda _: False) == []
    assert volcano_troubles(workload(of_pods={MEMBER: "g"}), [], without, "ai", lambda _: False) == []


def test_it_is_a_warning_of_its_own_rule_and_what_is_unknown_is_not_checked() -> None:
    (found,) = queue_findings([workload()], "ai", known(queue("x")), DEFAULT)
    assert isinstance(found, Finding)
    assert (found.rule, found.severity.value) == ("POD-003", "warning")
    cluster = known(queue(parent="org"), queue("org", capability={"nvidia.com/gpu": "0"}))
    (unknown,) = queue_findings([workload()], "ai", cluster, DEFAULT)
    assert isinstance(unknown, Unchecked)
    assert unknown.subject == "queue"
