"""Topology spread, pod affinity and declared features on an empty cluster."""

from __future__ import annotations

import pytest

from tests.placement.clusters import container, node, placed, pod, reasons
from weighbridge.policies.ground.objects import JSONObject

NO_SPREAD = ["node(s) didn't match pod topology spread constraints (missing required label)"]
NO_COMPANY = ["node(s) didn't match pod affinity rules"]
NO_FEATURE = ["node(s) didn't match Pod's required features"]


def spread(key: str, when: str = "DoNotSchedule") -> JSONObject:
    return {"maxSkew": 1, "minDomains": 9, "topologyKey": key, "whenUnsatisfiable": when, "labelSelector": {"matchLabels": {"app": "a"}}}


@pytest.mark.parametrize(
    ("constraints", "fits"),
    [
        ([spread("zone")], True),
        ([spread("rack")], False),
        ([spread("rack", "ScheduleAnyway")], True),
        ([spread("zone"), spread("rack")], False),
    ],
)
def test_spread_needs_the_topology_label_and_nothing_else(constraints: list[JSONObject], fits: bool) -> None:
    asked = pod(topologySpreadConstraints=constraints, labels={"app": "a"})
    assert reasons(asked, node(labels={"zone": "z1"})) == ([] if fits else NO_SPREAD)


@pytest.mark.parametrize(
    ("term", "fits"),
    [
        ({"labelSelector": {"matchLabels": {"app": "a"}}}, True),
        ({"labelSelector": {"matchLabels": {"app": "b"}}}, False),
        ({"labelSelector": {}}, True),
        ({}, False),
        ({"labelSelector": {"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["b"]}]}}, True),
        ({"labelSelector": {"matchLabels": {"app": "a"}}, "topologyKey": "rack"}, False),
        ({"labelSelector": {"matchLabels": {"app": "a"}}, "namespaces": ["other"]}, False),
        ({"labelSelector": {"matchLabels": {"app": "a"}}, "namespaces": ["other", "default"]}, True),
        ({"labelSelector": {"matchLabels": {"app": "a"}}, "namespaceSelector": {}}, True),
        ({"labelSelector": {"matchLabels": {"app": "a"}}, "namespaceSelector": {"matchLabels": {"team": "x"}}}, True),
        ({"labelSelector": {"matchLabels": {"app": "a"}}, "namespaceSelector": {"matchLabels": {"team": "y"}}}, False),
        ({"labelSelector": {"matchLabels": {"app": "a"}}, "mismatchLabelKeys": ["ver"]}, False),
        ({"labelSelector": {"matchLabels": {"app": "a"}}, "mismatchLabelKeys": ["none"]}, True),
        ({"labelSelector": {"matchLabels": {"app": "a"}}, "matchLabelKeys": ["ver"]}, True),
    ],
    ids=str,
)
def test_pod_affinity_holds_for_a_pod_that_matches_itself(term: JSONObject, fits: bool) -> None:
    required = {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "zone", **term}]}
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default", "labels": {"team": "x"}}}
    asked = pod(affinity={"podAffinity": required}, labels={"app": "a", "ver": "1"})
    assert reasons(asked, node(labels={"zone": "z1"}), namespace) == ([] if fits else NO_COMPANY)


def test_anti_affinity_finds_nobody_to_keep_away_from() -> None:
    required = {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "rack", "labelSelector": {"matchLabels": {"app": "a"}}}]}
    assert reasons(pod(affinity={"podAntiAffinity": required}, labels={"app": "a"}), node()) == []


def test_labels_of_an_unknown_namespace_are_not_guessed() -> None:
    term = {"topologyKey": "zone", "labelSelector": {}, "namespaceSelector": {"matchLabels": {"team": "x"}}}
    asked = pod(affinity={"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}})
    placement = placed(asked, node(labels={"zone": "z1"}))
    assert placement.unchecked == ["pod affinity: the labels of namespace default aren't known"]
    assert placement.feasible == ["n"]


@pytest.mark.parametrize(
    ("action", "features", "fits"),
    [
        ("RestartAllContainers", [], False),
        ("RestartAllContainers", ["RestartAllContainersOnContainerExits"], True),
        ("Restart", [], True),
    ],
)
def test_a_restart_rule_needs_a_kubelet_that_has_it(action: str, features: list[str], fits: bool) -> None:
    rules = [{"action": action, "exitCodes": {"operator": "In", "values": [1]}}]
    asked = pod(containers=[container({}, restartPolicy="Never", restartPolicyRules=rules)])
    assert reasons(asked, node(features=features)) == ([] if fits else NO_FEATURE)


def test_the_host_s_network_and_user_namespaces_exclude_each_other() -> None:
    there = node(features=["UserNamespacesHostNetworkSupport"])
    refusal = 'Pod "p" is invalid: spec.hostNetwork: Forbidden: when `hostUsers` is false'
    assert placed(pod(hostNetwork=True, hostUsers=False), there).message == refusal
    assert placed(pod(hostNetwork=True, hostUsers=True), there).feasible == ["n"]
