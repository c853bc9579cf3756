"""Quotas for replicas, for further objects of controllers, and for the objects of one run. `tests/programs/quota_sums` compares with a real
server.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import container
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts, from_objects
from weighbridge.policies.ground.findings import Finding, Severity
from weighbridge.policies.ground.objects import GroupVersionKind, JSONObject, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.placement import quota_demands
from weighbridge.policies.pods.admission import admit as admit_pod
from weighbridge.policies.verdict.pods.quota_sums import over_quotas

NAMESPACE = "ai"


def quota(hard: dict[str, str], used: dict[str, str] | None = None, name: str = "q", **spec: Any) -> JSONObject:
    """A quota of the namespace, with its usage."""
    metadata = {"name": name, "namespace": NAMESPACE}
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": metadata,
        "spec": {"hard": hard, **spec},
        "status": {"used": used or {}},
    }


def workload(
    name: str = "d", kind: str = "Deployment", wanted: dict[str, str] | None = None, *, pod: JSONObject | None = None, **spec: Any
) -> JSONObject:
    """A workload whose pods have one container."""
    template = {"spec": {"containers": [container(wanted or {"cpu": "1"})], **(pod or {})}}
    api_version = "batch/v1" if kind == "Job" else "apps/v1"
    metadata = {"name": name, "namespace": NAMESPACE}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": {"template": template, **spec}}


def found(obj: JSONObject, facts: Facts, *more: JSONObject, old: JSONObject | None = None) -> list[Finding]:
    """The findings on an object and the objects that are created for it."""
    gvk = GroupVersionKind.from_object(obj)
    assert gvk is not None
    operation = Operation.CREATE if old is None else Operation.UPDATE
    request = Request("u", operation, gvk, obj, old_object=old, namespace=NAMESPACE, name=obj["metadata"]["name"])
    return over_quotas(request, [obj, *more], [] if old is None else [old], facts, DEFAULT)


def said(obj: JSONObject, *objects: JSONObject, made: tuple[JSONObject, ...] = (), old: JSONObject | None = None) -> list[str]:
    """The messages of warnings, in a cluster of these objects."""
    findings = found(obj, from_objects(objects, Definitions()), *made, old=old)
    return [finding.message for finding in findings if finding.severity is Severity.WARNING]


def test_the_first_replica_that_is_refused_is_named() -> None:
    (message,) = said(workload(replicas=5), quota({"requests.cpu": "2500m", "pods": "4"}))
    assert (
        message
        == "replica 3 of 5 of Deployment d: exceeded quota: q, requested: requests.cpu=1, used: requests.cpu=2, limited: requests.cpu=2500m"
    )
    assert said(workload(replicas=2), quota({"requests.cpu": "2500m"})) == []


def test_what_is_used_now_counts_and_is_said() -> None:
    facts = from_objects([quota({"pods": "4"}, {"pods": "3"})], Definitions())
    (finding,) = found(workload(replicas=2), facts)
    assert finding.message == "replica 2 of 2 of Deployment d: exceeded quota: q, requested: pods=1, used: pods=4, limited: pods=4"
    assert finding.hint.startswith("pods=3 is used now by the quota's status; ")
    assert (finding.found, finding.expected) == ("pods=1", "pods=4")


def test_an_update_gives_back_what_the_stored_object_takes() -> None:
    full = quota({"pods": "4"}, {"pods": "3"})
    assert said(workload(replicas=4), full, old=workload(replicas=3)) == []
    assert len(said(workload(replicas=5), full, old=workload(replicas=3))) == 1


def test_the_objects_of_a_run_count_in_turn() -> None:
    run = [workload("a", replicas=2), workload("b", replicas=2)]
    facts = from_objects([quota({"requests.cpu": "3"})], Definitions(), beside=run)
    assert found(run[0], facts) == []
    (finding,) = found(run[1], facts)
    assert finding.message.startswith("replica 2 of 2 of Deployment b: exceeded quota: q, requested: requests.cpu=1, used: requests.cpu=3")
    assert finding.hint.startswith("the same run creates Deployment a before; ")


def test_a_stored_object_of_the_run_is_counted_once() -> None:
    stored = {**workload("a", replicas=2), "status": {}}
    run = [workload("a", replicas=2), workload("b", replicas=1)]
    facts = from_objects([quota({"pods": "3"}, {"pods": "2"}), stored], Definitions(), beside=run)
    assert [finding for finding in found(run[1], facts) if finding.severity is Severity.WARNING] == []


def test_what_a_run_makes_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    run = [workload(f"d{index:03}", replicas=1) for index in range(60)]
    facts = from_objects([quota({"pods": "1000"})], Definitions(), beside=run)
    admitted = []

    def admit(*arguments: Any) -> Any:
        admitted.append(arguments)
        return admit_pod(*arguments)

    monkeypatch.setattr(quota_demands, "admit", admit)
    for obj in run:
        assert found(obj, facts) == []
    assert len(admitted) == 2 * len(run)


@pytest.mark.parametrize(
    ("obj", "hard", "message"),
    [
        (workload(), {"count/deployments.apps": "0"}, "Deployment d: exceeded quota: q, requested: count/deployments.apps=1"),
        (
            workload(),
            {"count/replicasets.apps": "0"},
            "the ReplicaSet of Deployment d: exceeded quota: q, requested: count/replicasets.apps=1",
        ),
        (workload(kind="Job", parallelism=3, completions=2), {"pods": "1"}, "pod 2 of 2 of Job d: exceeded quota: q, requested: pods=1"),
        (workload(kind="StatefulSet", replicas=2), {"count/pods": "1"}, "replica 2 of 2 of StatefulSet d: exceeded quota: q"),
        (workload(wanted={"example.com/gpu": "2"}, replicas=2), {"requests.example.com/gpu": "3"}, "replica 2 of 2 of Deployment d: "),
        (workload(wanted={"memory": "1Gi"}, replicas=3), {"requests.memory": "2Gi"}, "replica 3 of 3 of Deployment d: exceeded quota: q"),
    ],
)
def test_objects_count_by_their_kind_and_pods_by_what_they_ask_for(obj: JSONObject, hard: dict[str, str], message: str) -> None:
    (found_message,) = said(obj, quota(hard))
    assert found_message.startswith(message)


def service(**spec: Any) -> JSONObject:
    """A Service with two ports."""
    ports = {"ports": [{"port": 1}, {"port": 2}]}
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s", "namespace": NAMESPACE}, "spec": {**ports, **spec}}


@pytest.mark.parametrize(
    ("spec", "hard", "is_refused"),
    [
        ({}, {"services": "0"}, True),
        ({}, {"services.nodeports": "0", "services.loadbalancers": "0", "services": "1"}, False),
        ({"type": "NodePort"}, {"services.nodeports": "1"}, True),
        ({"type": "LoadBalancer"}, {"services.loadbalancers": "0"}, True),
        ({"type": "LoadBalancer"}, {"services.nodeports": "1"}, True),
        ({"type": "LoadBalancer", "allocateLoadBalancerNodePorts": False}, {"services.nodeports": "1"}, False),
    ],
)
def test_services_count_their_node_ports_and_load_balancers(spec: JSONObject, hard: dict[str, str], is_refused: bool) -> None:
    assert bool(said(service(**spec), quota(hard))) is is_refused


def claim(size: str, storage_class: str | None = None) -> JSONObject:
    """A claim of that size."""
    spec = {"resources": {"requests": {"storage": size}}, **({"storageClassName": storage_class} if storage_class is not None else {})}
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c", "namespace": NAMESPACE}, "spec": spec}


def test_claims_count_their_size_by_class_and_the_default_class_is_one() -> None:
    annotations = {"storageclass.kubernetes.io/is-default-class": "true"}
    default = {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "fast", "annotations": annotations}}
    hard = {"fast.storageclass.storage.k8s.io/requests.storage": "1Gi"}
    assert said(claim("2Gi", "slow"), quota(hard), default) == []
    assert len(said(claim("2Gi", "fast"), quota(hard))) == len(said(claim("2Gi"), quota(hard), default)) == 1
    assert len(said(claim("2Gi"), quota({"requests.storage": "1Gi"}))) == 1


def test_a_set_makes_the_claims_of_each_pod_before_it() -> None:
    templates = [{"metadata": {"name": name}, "spec": claim("1Gi")["spec"]} for name in ("data", "logs")]
    made = workload(kind="StatefulSet", replicas=3, volumeClaimTemplates=templates)
    (message,) = said(made, quota({"persistentvolumeclaims": "3"}))
    assert message == (
        "PersistentVolumeClaim 2 of 3 of StatefulSet d (logs): exceeded quota: q, requested: persistentvolumeclaims=1, "
        "used: persistentvolumeclaims=3, limited: persistentvolumeclaims=3"
    )
    assert said(made, quota({"requests.storage": "6Gi"})) == []


def test_a_group_counts_its_leader_and_its_workers() -> None:
    pod = {"spec": {"containers": [container({"cpu": "1"})]}}
    group = {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": "g", "namespace": NAMESPACE},
        "spec": {"replicas": 2, "leaderWorkerTemplate": {"size": 3, "workerTemplate": pod}},
    }
    assert said(group, quota({"pods": "6"})) == []
    (message,) = said(group, quota({"pods": "4"}))
    assert message.startswith("worker 3 of 4 of LeaderWorkerSet g: exceeded quota: q, requested: pods=1")


def test_an_autoscaler_has_at_least_its_fewest_replicas() -> None:
    scaler = {
        "apiVersion": "autoscaling/v2",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "d", "namespace": NAMESPACE},
        "spec": {"minReplicas": 3, "scaleTargetRef": {"kind": "Deployment", "name": "d"}},
    }
    assert said(workload(), quota({"pods": "2"})) == []
    (message,) = said(workload(), quota({"pods": "2"}), made=(scaler,))
    assert message.startswith("replica 3 of 3 of Deployment d")


@pytest.mark.parametrize(("priority", "is_counted"), [("high", True), ("low", False), ("", False)])
def test_a_quota_with_a_scope_counts_the_pods_that_are_in_it(priority: str, is_counted: bool) -> None:
    scope = {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": ["high"]}]}
    classes = [
        {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": 1} for name in ("high", "low")
    ]
    asked = workload(replicas=2, pod={"priorityClassName": priority} if priority else {})
    assert bool(said(asked, quota({"pods": "1"}, scopeSelector=scope), *classes)) is is_counted
    assert said(service(), quota({"pods": "1", "services": "0"}, scopeSelector=scope)) == []


def test_a_rolling_update_that_adds_a_pod_first_finds_no_room() -> None:
    full = quota({"pods": "2"}, {"pods": "2"})
    asked = workload(replicas=2)
    (message,) = said(asked, full, old=asked)
    assert message == (
        "a rolling update of Deployment d, which adds a pod first: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2"
    )
    (note,) = found(asked, from_objects([quota({"pods": "2"})], Definitions()))
    assert note.severity is Severity.NOTE
    for strategy in ({"type": "Recreate"}, {"rollingUpdate": {"maxUnavailable": 1}}, {"rollingUpdate": {"maxSurge": 0}}):
        assert said({**asked, "spec": {**asked["spec"], "strategy": strategy}}, full, old=asked) == []


def test_a_pod_that_a_quota_never_lets_in_is_said_elsewhere() -> None:
    assert said(workload(replicas=2, wanted={"cpu": "4"}), quota({"requests.cpu": "2"})) == []


def test_a_huge_number_of_replicas_is_divided_and_not_counted() -> None:
    (message,) = said(workload(replicas=2**31 - 1), quota({"pods": "1000000"}))
    assert message.startswith("replica 1000001 of 2147483647 of Deployment d: ")
