"""No pod and no cluster, however broken, makes placement fail; and the same question has the same answer."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.placement.clusters import affine, container, named, node, placed, pod
from tests.placement.test_volume_limits import capacity, csi_node, driver
from tests.placement.test_volumes import claim, storage_class, using, volume
from tests.pods.test_limit_ranges import limit_range
from weighbridge.policies.ground.objects import JSONObject, walk
from weighbridge.policies.placement.outcome import Reason
from weighbridge.policies.pods.workloads import pods_of

_JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        2**70,
        1.5,
        "",
        "x",
        "-1",
        "1Gi",
        "9" * 60,
        "1e99999999",
        [],
        [None],
        [[]],
        ["a", 1],
        {},
        {"": None},
        {"key": {}},
        "é\n",
    ]
)
_COMPANY = {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "zone", "labelSelector": {"matchLabels": {"a": "b"}}}]}
_POD = affine(
    {**named("n"), "matchExpressions": [{"key": "a", "operator": "Gt", "values": ["1"]}]},
    nodeSelector={"a": "b"},
    tolerations=[{"key": "k", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 3}],
    topologySpreadConstraints=[{"maxSkew": 1, "topologyKey": "rack", "whenUnsatisfiable": "DoNotSchedule"}],
    initContainers=[container({"cpu": "1", "x.dev/gpu": "1"}, "i", restartPolicy="Always", restartPolicyRules=[{"action": "Restart"}])],
    resources={"requests": {"cpu": "2"}, "limits": {"memory": "1Gi"}},
    volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}, {"name": "e", "ephemeral": {}}],
    resourceClaims=[{"name": "r", "resourceClaimName": "r"}],
    priorityClassName="low",
    runtimeClassName="kata",
    schedulerName="default-scheduler",
)
_POD["spec"]["affinity"]["podAffinity"] = _COMPANY
_CLUSTER = [
    node(labels={"a": "2", "zone": "z"}, taints=[{"key": "k", "effect": "NoSchedule"}], features=["f"]),
    claim("c"),
    volume("v", host="n"),
    storage_class("local", "kubernetes.io/no-provisioner", "z"),
    {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "low"}, "value": 1, "globalDefault": True},
    {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "kata"}, "overhead": {"podFixed": {"cpu": "1"}}},
    {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default", "labels": {"a": "b"}}},
    limit_range(min={"cpu": "1m"}, max={"cpu": "90"}, defaultRequest={"memory": "1Mi"}, maxLimitRequestRatio={"memory": "1000000"}),
    storage_class("made"),
    claim("new", "made"),
    csi_node("n", p=2),
    driver(),
    capacity({"matchLabels": {"zone": "z"}, "matchExpressions": [{"key": "a", "operator": "Exists"}]}),
]


def _broken(draw: st.DrawFn, obj: JSONObject) -> JSONObject:
    """The object with one or two of its values replaced."""
    obj = copy.deepcopy(obj)
    for _ in range(draw(st.integers(1, 2))):
        places = [path for path, _ in walk(obj) if path]
        *parents, last = draw(st.sampled_from(places))
        inside: Any = obj
        for step in parents:
            inside = inside[step]
        inside[last] = copy.deepcopy(draw(_JUNK))
    return obj


@st.composite
def _broken_pods(draw: st.DrawFn) -> JSONObject:
    return _broken(draw, draw(st.sampled_from([_POD, pod({"cpu": "65"}), using("c"), using("new")])))


@st.composite
def _broken_clusters(draw: st.DrawFn) -> list[JSONObject]:
    at = draw(st.integers(0, len(_CLUSTER) - 1))
    return [_broken(draw, obj) if index == at else obj for index, obj in enumerate(_CLUSTER)]


@given(_broken_pods())
@settings(max_examples=200)
def test_a_broken_pod_has_an_answer(broken: JSONObject) -> None:
    placement = placed(broken, *_CLUSTER)
    assert isinstance(placement.reason, Reason)
    again = placed(copy.deepcopy(broken), *_CLUSTER)
    assert (again.feasible, again.rejected, again.message) == (placement.feasible, placement.rejected, placement.message)


@given(
    _broken_clusters(),
    st.sampled_from([pod({"cpu": "65"}), using("c"), using("new"), pod(affinity={"podAffinity": _COMPANY}, runtimeClassName="kata")]),
)
@settings(max_examples=200)
def test_a_broken_cluster_has_an_answer(cluster: list[JSONObject], asked: JSONObject) -> None:
    assert isinstance(placed(asked, *cluster).reason, Reason)


@given(st.sampled_from(["Deployment", "StatefulSet", "DaemonSet", "CronJob", "LeaderWorkerSet", "PodTemplate", "Other"]), st.data())
@settings(max_examples=100)
def test_a_broken_workload_makes_pods_or_none(kind: str, data: st.DataObject) -> None:
    template = {"metadata": {"labels": {"a": "b"}}, "spec": _POD["spec"]}
    spec = {
        "template": template,
        "jobTemplate": {"spec": {"template": template}},
        "leaderWorkerTemplate": {"workerTemplate": template, "leaderTemplate": template, "size": 2},
        "volumeClaimTemplates": [{"metadata": {"name": "v"}}],
    }
    workload = {"apiVersion": "v1", "kind": kind, "metadata": {"name": "w", "namespace": "n"}, "spec": spec, "template": template}
    broken = data.draw(st.composite(lambda draw: _broken(draw, workload))())
    for made in pods_of(broken).values():
        assert isinstance(placed(made, *_CLUSTER).reason, Reason)


def test_asking_changes_neither_pod_nor_cluster() -> None:
    asked, cluster = copy.deepcopy(_POD), copy.deepcopy(_CLUSTER)
    placed(asked, *cluster)
    assert (asked, cluster) == (_POD, _CLUSTER)
