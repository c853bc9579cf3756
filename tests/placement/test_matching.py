"""Selectors, affinity, taints and topologies: which node a pod matches."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import affine, labelled, named, node, placed, pod, reasons
from weighbridge.policies.ground.objects import JSONObject

MISMATCH = ["node(s) didn't match Pod's node affinity/selector"]
TAINTED = ["node(s) had untolerated taint(s)"]
CORDONED = ["node(s) were unschedulable"]
NOT_READY, UNREACHABLE = "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"


@pytest.mark.parametrize(
    ("labels", "asked", "fits"),
    [
        ({"a": "1"}, labelled("a", "In", "1", "2"), True),
        ({"a": "3"}, labelled("a", "In", "1", "2"), False),
        ({}, labelled("a", "In", "1"), False),
        ({"a": ""}, labelled("a", "In", ""), True),
        ({}, labelled("a", "In", ""), False),
        ({"a": "1"}, labelled("a", "NotIn", "1"), False),
        ({}, labelled("a", "NotIn", "1"), True),
        ({"a": "1"}, labelled("a", "Exists"), True),
        ({}, labelled("a", "Exists"), False),
        ({}, labelled("a", "DoesNotExist"), True),
        ({"a": "1"}, labelled("a", "DoesNotExist"), False),
        ({"a": "05"}, labelled("a", "Gt", "4"), True),
        ({"a": "010"}, labelled("a", "Lt", "9"), False),
        ({"a": "5"}, labelled("a", "Gt", "5"), False),
        *(({"a": odd}, labelled("a", "Gt", "0"), False) for odd in ("x", "1.5", "0x10", "1e3", "9223372036854775808")),
        ({}, labelled("a", "Lt", "5"), False),
        ({"a": "5"}, labelled("a", "Gt", "x"), False),
        ({"a": "5"}, labelled("a", "Lt", "9223372036854775808"), False),
    ],
    ids=str,
)
def test_an_expression_matches_labels(labels: dict[str, str], asked: JSONObject, fits: bool) -> None:
    assert reasons(asked, node(labels=labels)) == ([] if fits else MISMATCH)


@pytest.mark.parametrize(
    ("asked", "fits"),
    [
        (pod(nodeSelector={"a": "1"}), True),
        (pod(nodeSelector={"a": "1", "b": "1"}), False),
        (pod(nodeSelector={"e": ""}), True),
        (pod(nodeSelector={"missing": ""}), False),
        (affine({}), False),
        (affine({}, {"matchExpressions": [{"key": "a", "operator": "Exists"}]}), True),
        (affine({"matchExpressions": [{"key": "a", "operator": "Exists"}, {"key": "b", "operator": "Exists"}]}), False),
        (affine({"matchExpressions": [{"key": "a", "operator": "Exists"}]}, nodeSelector={"a": "2"}), False),
        (affine({"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["x"]}, {"key": "a", "operator": "Exists"}]}), False),
        (
            affine(
                {"matchExpressions": [{"key": "a", "operator": "Gt", "values": ["x"]}]},
                {"matchExpressions": [{"key": "a", "operator": "Exists"}]},
            ),
            True,
        ),
        (affine(named("n")), True),
        (affine(named("n", operator="NotIn")), False),
        (affine(named("other", operator="NotIn")), True),
        (affine({**named("n"), "matchExpressions": [{"key": "b", "operator": "Exists"}]}), False),
    ],
    ids=str,
)
def test_selector_and_terms_match_a_node(asked: JSONObject, fits: bool) -> None:
    assert reasons(asked, node(labels={"a": "1", "e": ""})) == ([] if fits else MISMATCH)


@pytest.mark.parametrize(
    ("terms", "feasible", "message"),
    [
        ([named("a")], ["a"], ""),
        ([named("a"), named("b")], ["a", "b"], ""),
        ([named("a", "b")], [], "pod affinity terms conflict. not found"),
        ([named("ghost")], [], "3 node(s) didn't satisfy plugin(s) [NodeAffinity]. "),
        ([named("tainted")], [], "1 node(s) had untolerated taint(s), 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. "),
        ([named("a"), {}], ["a"], ""),
        ([named("a"), {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["b"]}]}], ["a", "b"], ""),
        ([named("a", operator="NotIn")], ["b"], ""),
    ],
    ids=str,
)
def test_names_in_every_term_narrow_the_nodes(terms: list[JSONObject], feasible: list[str], message: str) -> None:
    taints = [{"key": "t", "effect": "NoSchedule"}]
    placement = placed(affine(*terms), node("a"), node("b"), node("tainted", taints=taints))
    assert placement.feasible == feasible
    assert message in placement.message
    if feasible and len(terms) == 1 and "NotIn" not in str(terms):
        assert placement.rejected["tainted"] == ["node(s) didn't satisfy plugin(s) [NodeAffinity]"]


def test_an_empty_term_switches_narrowing_off() -> None:
    placement = placed(affine(named("a"), {}), node("a"), node("b", unschedulable=True))
    assert placement.rejected == {"b": CORDONED}


@pytest.mark.parametrize(
    ("taint", "toleration", "fits"),
    [
        ("k=v:NoSchedule", None, False),
        ("k=v:NoExecute", None, False),
        ("k=v:PreferNoSchedule", None, True),
        ("k=v:NoSchedule", {"key": "k", "operator": "Exists"}, True),
        ("k=v:NoSchedule", {"key": "k", "operator": "Equal", "value": "v"}, True),
        ("k=v:NoSchedule", {"key": "k", "value": "v"}, True),
        ("k=v:NoSchedule", {"key": "k", "value": "w"}, False),
        ("k=v:NoSchedule", {"key": "k"}, False),
        ("k=:NoSchedule", {"key": "k"}, True),
        ("k=v:NoSchedule", {"operator": "Exists"}, True),
        ("k=v:NoSchedule", {"operator": "Exists", "effect": "NoExecute"}, False),
        ("k=v:NoSchedule", {"key": "k", "operator": "Exists", "effect": "NoSchedule"}, True),
        ("k=v:NoExecute", {"key": "k", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": -1}, True),
        (f"{NOT_READY}=:NoExecute", None, True),
        (f"{UNREACHABLE}=:NoExecute", None, True),
        (f"{NOT_READY}=:NoSchedule", None, False),
        (f"{NOT_READY}=:NoExecute", {"key": NOT_READY, "operator": "Equal", "value": "v"}, False),
        (f"{NOT_READY}=:NoExecute", {"key": NOT_READY, "operator": "Exists", "effect": "NoSchedule"}, True),
        (f"{UNREACHABLE}=:NoExecute", {"key": NOT_READY, "operator": "Equal", "value": "v"}, True),
        ("amd.com/gpu=:NoSchedule", None, False),
    ],
    ids=str,
)
def test_a_taint_is_tolerated(taint: str, toleration: JSONObject | None, fits: bool) -> None:
    key, _, rest = taint.partition("=")
    value, _, effect = rest.partition(":")
    asked = pod({"amd.com/gpu": "1"}, tolerations=[toleration] if toleration else [])
    there = node(allocatable={"amd.com/gpu": "1"}, taints=[{"key": key, "value": value, "effect": effect}])
    assert reasons(asked, there) == ([] if fits else TAINTED)


@pytest.mark.parametrize(
    ("toleration", "fits"),
    [
        ({"key": "node.kubernetes.io/unschedulable", "operator": "Exists"}, True),
        ({"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}, True),
        ({"operator": "Exists"}, True),
        ({"key": "node.kubernetes.io/unschedulable", "operator": "Exists", "effect": "NoExecute"}, False),
        ({"key": "node.kubernetes.io/unschedulable", "value": "true"}, False),
    ],
    ids=str,
)
def test_a_cordon_is_tolerated_as_the_taint_that_stands_for_it(toleration: JSONObject, fits: bool) -> None:
    assert reasons(pod(tolerations=[toleration]), node(unschedulable=True)) == ([] if fits else CORDONED)


def test_a_cordoned_and_tainted_node_says_that_it_is_cordoned() -> None:
    assert reasons(pod(), node(unschedulable=True, taints=[{"key": "k", "effect": "NoSchedule"}])) == CORDONED


def test_readiness_is_only_seen_through_taints() -> None:
    unready = node()
    unready["status"]["conditions"] = [{"type": "Ready", "status": "False"}]
    assert reasons(pod(), unready) == []


@pytest.mark.parametrize(
    ("spec", "fits"),
    [
        ({"priorityClassName": "system-node-critical"}, False),
        ({"os": {"name": "windows"}}, True),
        ({"hostNetwork": True}, True),
        ({"volumes": [{"name": "e", "emptyDir": {"medium": "Memory", "sizeLimit": "100Ti"}}]}, True),
        ({"containers": [{"name": "c", "image": "x", "ports": [{"containerPort": 1, "hostPort": 1}]}]}, True),
        (
            {
                "affinity": {
                    "nodeAffinity": {
                        "preferredDuringSchedulingIgnoredDuringExecution": [
                            {"weight": 1, "preference": {"matchExpressions": [{"key": "a", "operator": "Exists"}]}}
                        ]
                    }
                }
            },
            True,
        ),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_what_only_ranks_nodes_or_concerns_them_otherwise_keeps_nobody_away(spec: dict[str, Any], fits: bool) -> None:
    taints = [] if fits else [{"key": "k", "effect": "NoSchedule"}]
    assert reasons(pod(**spec), node(taints=taints)) == ([] if fits else TAINTED)
