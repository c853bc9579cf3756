"""Namespaces with resource quotas: the requests that containers must have, how much one pod may ask for, and which pods a quota counts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.counted_calls import calls_of
from tests.placement.clusters import container, node, placed, pod
from weighbridge.policies.facts import ObjectStore
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.outcome import Reason
from weighbridge.policies.pods.limit_ranges import limits_of
from weighbridge.policies.pods.quotas import check_quotas
from weighbridge.policies.pods.refusal import Refused


def quota(hard: dict[str, str], name: str = "q", used: dict[str, str] | None = None, **spec: Any) -> JSONObject:
    metadata = {"name": name, "namespace": "default"}
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": metadata,
        "spec": {"hard": hard, **spec},
        "status": {"used": used or {}},
    }


def refusal(asked: JSONObject, *objects: JSONObject) -> str:
    """The API server's error on a pod; empty if it accepts the pod."""
    found = placed(asked, node(), *objects)
    assert found.reason in (Reason.REJECTED, Reason.NONE, Reason.UNSCHEDULABLE)
    return found.message.removeprefix('pods "p" is forbidden: ') if found.reason is Reason.REJECTED else ""


BARE = pod({})
LIMITED = pod({"cpu": "1", "memory": "1Gi"})


def test_a_quota_on_cpu_or_memory_makes_them_compulsory_for_every_container() -> None:
    hard = {"limits.cpu": "9", "requests.memory": "9Gi", "requests.ephemeral-storage": "9Gi", "requests.amd.com/gpu": "9"}
    assert refusal(BARE, quota(hard)) == "failed quota: q: must specify limits.cpu for: c0; requests.memory for: c0"
    two = pod({}, initContainers=[container({}, "i")])
    assert refusal(two, quota({"cpu": "9"})) == "failed quota: q: must specify cpu for: c0,i"
    assert refusal(LIMITED, quota({**hard, "limits.cpu": "9"})) == "failed quota: q: must specify limits.cpu for: c0"
    assert refusal(LIMITED, quota({key: amount for key, amount in hard.items() if key != "limits.cpu"})) == ""
    assert refusal(pod({}, resources={"limits": {"cpu": "1"}}), quota({"limits.cpu": "9"})) == ""
    # What a later quota makes compulsory comes before what an earlier one doesn't allow.
    both = quota({"requests.cpu": "500m"}, "a"), quota({"limits.memory": "1Gi"}, "b")
    assert refusal(LIMITED, *both) == "failed quota: b: must specify limits.memory for: c0"


def test_a_limit_range_is_met_first() -> None:
    limits = {"limits": [{"type": "Container", "default": {"cpu": "1"}, "defaultRequest": {"cpu": "1"}}]}
    filled = {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "l", "namespace": "default"}, "spec": limits}
    assert refusal(BARE, quota({"limits.cpu": "9"}), filled) == ""


def test_a_pod_that_alone_exceeds_a_quota_is_refused() -> None:
    told = "exceeded quota: q, requested: cpu=1,pods=1, used: cpu=0,pods=3, limited: cpu=500m,pods=0"
    assert refusal(LIMITED, quota({"cpu": "500m", "pods": "0", "memory": "9Gi"}, used={"pods": "3"})) == told
    # The other pods' usage isn't counted: an empty cluster admits the pod.
    assert refusal(LIMITED, quota({"cpu": "2"}, used={"cpu": "2"})) == ""
    gpus = pod({"amd.com/gpu": "2"})
    assert refusal(gpus, quota({"requests.amd.com/gpu": "1"})).startswith("exceeded quota: q, requested: requests.amd.com/gpu=2,")


@pytest.mark.parametrize(
    ("scope", "asked", "counts"),
    [
        ({"scopes": ["Terminating"]}, BARE, False),
        ({"scopes": ["Terminating"]}, pod({}, activeDeadlineSeconds=5), True),
        ({"scopes": ["NotTerminating"]}, BARE, True),
        ({"scopes": ["BestEffort"]}, BARE, True),
        ({"scopes": ["BestEffort"]}, LIMITED, False),
        ({"scopes": ["NotBestEffort"]}, LIMITED, True),
        ({"scopes": ["NotBestEffort", "Terminating"]}, LIMITED, False),
        ({"scopes": ["PriorityClass"]}, BARE, False),
        ({"scopes": ["Unheard"]}, BARE, False),
        ({"scopes": ["CrossNamespacePodAffinity"]}, BARE, False),
        (
            {"scopes": ["CrossNamespacePodAffinity"]},
            pod(
                {},
                {},
                affinity={
                    "podAntiAffinity": {
                        "requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "kubernetes.io/hostname", "namespaces": ["x"]}]
                    }
                },
            ),
            True,
        ),
    ],
)
def test_a_quota_counts_the_pods_of_its_scopes(scope: dict[str, Any], asked: JSONObject, counts: bool) -> None:
    assert bool(refusal(asked, quota({"pods": "0"}, **scope))) is counts


@pytest.mark.parametrize(
    ("operator", "values", "name", "counts"),
    [
        ("In", ["high"], "high", True),
        ("In", ["high"], "low", False),
        ("In", ["high"], "", False),
        ("NotIn", ["high"], "low", True),
        ("NotIn", ["high"], "", True),
        ("Exists", [], "high", True),
        ("DoesNotExist", [], "", True),
        ("DoesNotExist", [], "high", False),
    ],
)
def test_a_quota_chooses_priority_classes(operator: str, values: list[str], name: str, counts: bool) -> None:
    expression = {"scopeName": "PriorityClass", "operator": operator, "values": values}
    classes = [
        {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": each}, "value": 1} for each in ("high", "low")
    ]
    asked = pod({})
    if name:
        asked["spec"]["priorityClassName"] = name
    found = refusal(asked, quota({"pods": "0"}, scopeSelector={"matchExpressions": [expression]}), *classes)
    assert bool(found) is counts


def test_quotas_and_limit_ranges_are_read_once_for_all_pods() -> None:
    limits = {"limits": [{"type": "Container", "max": {"cpu": "9"}}]}
    ranges = [
        {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": f"l{at}", "namespace": "default"}, "spec": limits}
        for at in range(100)
    ]
    store = ObjectStore([*ranges, *(quota({"pods": "9", "cpu": "9", "memory": "9Gi"}, f"q{at}") for at in range(100))])
    check_quotas("p", LIMITED["spec"], "default", store)
    limits_of("default", store)
    assert calls_of(lambda: check_quotas("p", LIMITED["spec"], "default", store)) < 25 * 100
    assert calls_of(lambda: limits_of("default", store)) < 20
    store.put(quota({"cpu": "1m"}, "q50"))
    with pytest.raises(Refused, match="exceeded quota: q50"):
        check_quotas("p", LIMITED["spec"], "default", store)
