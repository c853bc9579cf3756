"""Why the nearest nodes don't take the pod: the message of each cause, how near a node must be to be named, and which nodes come first."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import affine, container, labelled, named, node, placed, pod
from tests.placement.test_devices import claim as device_claim
from tests.placement.test_devices import claiming, gpu_class, gpus, known
from tests.placement.test_volume_limits import capacity, csi_node, driver
from tests.placement.test_volumes import HOST, claim, storage_class, using, volume
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.placement import place

GPU = "amd.com/gpu"
TAINT = {"key": "k", "effect": "NoSchedule"}
TOLERATED = "the pod doesn't tolerate the taint k:NoSchedule (toleration: {key: k, operator: Exists, effect: NoSchedule})"


def company(*keys: str, label: str = "a") -> JSONObject:
    """A pod with the label `a` that must be with pods that have `label`, in topologies of these keys."""
    terms = [{"topologyKey": key, "labelSelector": {"matchExpressions": [{"key": label, "operator": "Exists"}]}} for key in keys]
    return pod(labels={"a": "1"}, affinity={"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}})


def spread(*keys: str, **more: Any) -> JSONObject:
    constraints = [{"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "DoNotSchedule"} for key in keys]
    return pod(topologySpreadConstraints=constraints, **more)


@pytest.mark.parametrize(
    ("asked", "there", "causes"),
    [
        (pod(), {"unschedulable": True}, "it is cordoned"),
        (pod(), {"taints": [TAINT]}, TOLERATED),
        (pod(), {"taints": [TAINT, {**TAINT, "effect": "PreferNoSchedule"}]}, TOLERATED),
        (affine(named("b", operator="In")), {}, "it is not b"),
        (affine(named("a", operator="NotIn")), {}, "it is excluded by name"),
        (spread("rack", HOST), {}, "it lacks the topology label rack"),
        (company(HOST, label="b"), {}, "it lacks the pods that the pod's affinity requires"),
        (company("rack", label="b"), {}, "it lacks the pods that the pod's affinity requires"),
        (pod(), {"allocatable": {"pods": "0"}}, "it has no room for pods (allocatable.pods)"),
        (pod(), {"taints": [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}], "unschedulable": True}, "it is cordoned"),
    ],
)
def test_what_keeps_one_node_away_is_told(asked: JSONObject, there: dict[str, Any], causes: str) -> None:
    assert placed(asked, node("a", **there)).nearest == [f"a would fit, but {causes}"]


RACK_AND_ROW = "it lacks the topology label rack; it lacks the topology label row"


@pytest.mark.parametrize(
    ("asked", "there", "causes"),
    [
        (pod(), {"taints": [TAINT], "unschedulable": True}, f"it is cordoned; {TOLERATED}"),
        (spread("rack", "row"), {}, RACK_AND_ROW),
        (company("rack", HOST, "row", "rack"), {}, RACK_AND_ROW),
        (pod({"cpu": "65"}), {"unschedulable": True}, "it has 64 of the 65 requested cpu, and no node has 65; it is cordoned"),
        (pod({"cpu": "65"}), {"allocatable": {"pods": "0"}}, (
            "it has 64 of the 65 requested cpu, and no node has 65; it has no room for pods (allocatable.pods)"
        )),
    ],
)  # fmt: skip
def test_of_two_things_neither_is_told_as_if_it_were_all(asked: JSONObject, there: dict[str, Any], causes: str) -> None:
    """A resource of which no node has enough is named first: changing the rest wouldn't help."""
    assert placed(asked, node("a", **there)).nearest == [f"a doesn't fit for 2 reasons: {causes}"]


def test_what_another_node_has_enough_of_comes_last() -> None:
    there = node("a", {GPU: "1"}, labels={"zone": "y"})
    roomy = node("b", {GPU: "2"}, labels={"zone": "x"}, taints=[{**TAINT, "key": f"k{at}"} for at in range(4)])
    assert placed(pod({GPU: "2"}, nodeSelector={"zone": "x"}), there, roomy).nearest == [
        "a doesn't fit for 2 reasons: it has zone=y instead of x; it has 1 of the 2 requested amd.com/gpu"
    ]


def test_nodes_with_the_same_two_things_are_told_together() -> None:
    nodes = [node(name, {GPU: "4"}, taints=[TAINT]) for name in "abc"]
    assert placed(pod({GPU: "8"}), *nodes).nearest == [
        f"a and 2 more don't fit for 2 reasons: they have 4 of the 8 requested amd.com/gpu, and no node has 8; {TOLERATED}"
    ]


def test_what_keeps_all_nodes_off_is_kept_apart_from_what_keeps_off_one() -> None:
    asked = pod(nodeSelector={"rack": "r"})
    assert placed(asked, node("a", taints=[TAINT])).nearest == [
        "no node has the label rack",
        f"apart from that, a would fit, but {TOLERATED}",
    ]
    assert placed(asked, node("a", taints=[TAINT], unschedulable=True)).nearest[1] == (
        f"apart from that, a doesn't fit for 2 reasons: it is cordoned; {TOLERATED}"
    )


@pytest.mark.parametrize(
    ("asked", "cause"),
    [
        (labelled("mem", "Gt", "100"), "it has mem=64, which isn't above 100"),
        (labelled("mem", "Lt", "64"), "it has mem=64, which isn't below 64"),
        (labelled("mem", "DoesNotExist"), "it has mem=64, which the pod excludes"),
        (labelled("mem", "NotIn", "64", "65"), "it has mem=64, which the pod excludes"),
        (labelled("mem", "In", "101", "102"), "it has mem=64 instead of 101 or 102"),
        (labelled("only-b", "Exists"), "it lacks the label only-b"),
        (pod(nodeSelector={"only-b": "1"}), "it lacks the label only-b"),
    ],
)
def test_a_label_is_told_by_what_is_asked_of_it(asked: JSONObject, cause: str) -> None:
    others = [node(f"b{mem}", labels={"only-b": "1", "mem": mem}, unschedulable=True, taints=[TAINT]) for mem in ("5", "101")]
    bare = node("bare", labels={"mem-of": "1"}, unschedulable=True, taints=[TAINT])
    assert placed(asked, node("a", labels={"mem": "64"}), *others, bare).nearest == [f"a would fit, but {cause}"]


def test_the_nearest_of_several_terms_is_told() -> None:
    far = {"matchExpressions": [{"key": key, "operator": "In", "values": ["1"]} for key in ("x", "y")]}
    near = {"matchExpressions": [{"key": "z", "operator": "In", "values": ["1"]}]}
    there = (node("a", labels={"x": "2", "y": "2", "z": "2"}), node("b", labels={"x": "1", "y": "1", "z": "1"}, unschedulable=True))
    assert placed(affine(far, near), *there).nearest == [
        "a would fit, but it has z=2 instead of 1",
        "b would fit, but it is cordoned",
    ]


def test_devices_that_a_node_lacks_are_told_in_the_schedulers_words() -> None:
    objects = (gpu_class(), gpus("a", 1), gpus("b", 1), device_claim("c", 2))
    there = known(node("a"), node("b"), *objects)
    assert place(claiming("c"), there).nearest == ['a and 1 more would fit, but kube-scheduler reports "cannot allocate all claims"']
    there = known(node("a"), node("b", unschedulable=True), *objects)
    assert sorted(place(claiming("c"), there).nearest) == [
        'a would fit, but kube-scheduler reports "cannot allocate all claims"',
        "b would fit, but it is cordoned",
    ]


def test_volumes_that_a_node_can_not_have_are_told() -> None:
    out_of_reach = placed(using("c"), node("a"), csi_node("a"), claim("c", bound="v"), volume("v", host="b"))
    assert out_of_reach.nearest == ["a would fit, but it can't reach the pod's volumes"]
    made = (storage_class("made"), claim("c", "made", "5Gi"), driver(), capacity({}, "1Gi"))
    no_room = placed(using("c"), node("a"), csi_node("a"), *made)
    assert no_room.nearest == ["a would fit, but it has too little room left for the pod's volumes"]


@pytest.mark.parametrize(
    ("counts", "lines"),
    [
        (["4"], ["n0 has 4 of the 8 requested amd.com/gpu"]),
        (["4", "4", "4"], ["n0 and 2 more have 4 of the 8 requested amd.com/gpu"]),
        (["6", "3"], ["n0 has 6 of the 8 requested amd.com/gpu", "n1 has 3 of the 8 requested amd.com/gpu"]),
        (["6", "2"], ["n0 has 6 of the 8 requested amd.com/gpu"]),
        (["2", "6"], ["n1 has 6 of the 8 requested amd.com/gpu"]),
        (["4", "5", "6", "7"], [f"n{at} has {count} of the 8 requested amd.com/gpu" for at, count in ((3, 7), (2, 6), (1, 5))]),
        (["4", "5", "5"], ["n1 and 1 more have 5 of the 8 requested amd.com/gpu", "n0 has 4 of the 8 requested amd.com/gpu"]),
    ],
)
def test_nodes_that_have_the_most_are_told_of(counts: list[str], lines: list[str]) -> None:
    assert placed(pod({GPU: "8"}), *(node(f"n{at}", {GPU: count}) for at, count in enumerate(counts))).nearest == lines


def test_of_nodes_that_are_as_near_the_more_come_first() -> None:
    nodes = [node("a", unschedulable=True), node("b", taints=[TAINT]), node("c", taints=[TAINT])]
    assert placed(pod(), *nodes).nearest == [f"b and 1 more would fit, but {TOLERATED}", "a would fit, but it is cordoned"]


@pytest.mark.parametrize(("taints", "is_told"), [(1, True), (2, True), (3, True), (4, False)])
def test_a_node_that_too_much_keeps_away_is_not_near(taints: int, is_told: bool) -> None:
    there = node("a", taints=[{**TAINT, "key": f"k{at}"} for at in range(taints)])
    assert [line.count("the taint") for line in placed(pod(), there).nearest] == ([taints] if is_told else [])


def test_having_none_of_a_resource_is_further_than_a_taint_and_a_label() -> None:
    asked = pod({GPU: "8"}, nodeSelector={"zone": "z1"})
    tainted = node("a", {GPU: "8"}, taints=[TAINT], labels={"zone": "z2"})
    assert placed(asked, tainted, node("b", {GPU: "0"}, labels={"zone": "z1"})).nearest == [
        f"a doesn't fit for 2 reasons: {TOLERATED}; it has zone=z2 instead of z1"
    ]
    several = pod(containers=[container({GPU: "8", "cpu": "65", "memory": "512Gi"})])
    assert placed(several, node("a", {GPU: "4"})).nearest == [
        "a has 64 of the 65 requested cpu",
        "a has 256Gi of the 512Gi requested memory",
        "a has 4 of the 8 requested amd.com/gpu",
    ]
    assert placed(pod({GPU: "8", "cpu": "65"}), node("a", {GPU: "8"})).nearest == ["a has 64 of the 65 requested cpu"]
    assert placed(pod({"cpu": "65", "memory": "257Gi"}), node("a", unschedulable=True)).nearest == [
        "a has 64 of the 65 requested cpu",
        "a has 256Gi of the 257Gi requested memory",
    ]


def test_of_amounts_that_are_each_node_s_own_the_richest_is_told_if_it_has_too_little() -> None:
    def told(wanted: int, **more: Any) -> list[str]:
        return placed(pod({"memory": f"{wanted}Gi"}), *(node(f"n{at}", {"memory": f"{at}Gi"}, **more) for at in range(100, 120))).nearest

    richest = "n119 has 119Gi of the 120Gi requested memory"
    assert told(119) == []
    assert told(120) == ["n100 has 100Gi of the 120Gi requested memory", richest]
    assert told(100, unschedulable=True) == ["n100 and 19 more would fit, but they are cordoned"]
    assert told(119, unschedulable=True) == ["n119 would fit, but it is cordoned"]
    assert told(120, unschedulable=True) == [
        "n100 doesn't fit for 2 reasons: it has 100Gi of the 120Gi requested memory, and no node has 120Gi; it is cordoned",
        richest,
    ]
