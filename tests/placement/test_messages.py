"""Outcomes and their texts: the condition's message, its counts, and the part about preemption."""

from __future__ import annotations

import pytest

from tests.placement.clusters import NO_EFFECT, affine, container, facts, named, node, placed, pod
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import Facts, Inventory
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.outcome import Reason
from weighbridge.policies.placement.placement import place

TAINT = [{"key": "k", "effect": "NoSchedule"}]


def test_reasons_are_counted_and_sorted_as_text() -> None:
    nodes = [
        *(node(f"a{at}", {"cpu": "1"}) for at in range(11)),
        *(node(f"b{at}", taints=TAINT) for at in range(10)),
        *(node(f"c{at}", unschedulable=True) for at in range(2)),
        *(node(f"d{at}", {"cpu": "1", "memory": "1"}) for at in range(4)),
    ]
    placement = placed(pod({"cpu": "2", "memory": "1Gi"}), *nodes)
    assert placement.reason is Reason.UNSCHEDULABLE
    assert placement.message == (
        "0/27 nodes are available: 10 node(s) had untolerated taint(s), 15 Insufficient cpu, 2 node(s) were unschedulable, "
        "4 Insufficient memory. preemption: 0/27 nodes are available: "
        "27 Preemption is not helpful for scheduling."
    )
    assert placement.rejected["d0"] == ["Insufficient cpu", "Insufficient memory"]


def test_only_a_node_that_lacks_nothing_but_room_for_pods_could_be_helped_by_preemption() -> None:
    placement = placed(pod({"cpu": "2"}), node("full", {"pods": "0"}), node("small", {"cpu": "1"}), node("both", {"cpu": "1", "pods": "0"}))
    assert placement.message == (
        "0/3 nodes are available: 2 Insufficient cpu, 2 Too many pods. preemption: 0/3 nodes are available: "
        "1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling."
    )


def test_a_plugin_that_refuses_before_any_node_speaks_for_all() -> None:
    placement = placed(affine(named("a", "b")), node("a"), node("b"))
    assert placement.message == "0/2 nodes are available: pod affinity terms conflict. not found"
    assert placement.rejected == {"a": ["pod affinity terms conflict"], "b": ["pod affinity terms conflict"]}


@pytest.mark.parametrize(
    "asked", [pod(), affine(named("a", "b")), pod(volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "x"}}])]
)
def test_without_nodes_nothing_else_is_said(asked: JSONObject) -> None:
    placement = place(asked, Facts(Definitions(), inventory=Inventory(())))
    assert (placement.message, placement.reason) == ("no nodes available to schedule pods", Reason.UNSCHEDULABLE)


def test_without_an_inventory_nothing_is_known() -> None:
    placement = place(pod(), Facts(Definitions()))
    assert placement.unchecked == ["nothing is known of the cluster's nodes"]
    assert (placement.feasible, placement.reason, placement.message) == ([], Reason.NONE, "")


def test_a_gated_pod_waits() -> None:
    placement = placed(pod({"cpu": "999"}, schedulingGates=[{"name": "g"}]), node())
    assert placement.message == "Scheduling is blocked due to non-empty scheduling gates"
    assert placement.reason is Reason.SCHEDULING_GATED


def test_a_pod_of_another_scheduler_is_left_alone() -> None:
    other = placed(pod(schedulerName="other"), node())
    assert (other.reason, other.fits, other.unchecked) == (Reason.NONE, False, ["scheduler other decides about the pods"])
    for known in ("volcano", "kai-scheduler", "hami-scheduler"):
        assert placed(pod(schedulerName=known), node()).unchecked == [f"scheduler {known} decides about the pods"]
    assert placed(pod(schedulerName="default-scheduler"), node()).feasible == ["n"]


def test_a_scheduler_that_is_misspelt_takes_up_no_pod() -> None:
    slip = placed(pod(schedulerName="volcanoo"), node())
    assert slip.reason is Reason.SILENT
    assert slip.nearest == ["schedulerName volcanoo: the default scheduler ignores the pod; did you mean volcano?"]


def test_a_pod_with_a_node_name_goes_round_the_scheduler() -> None:
    assert placed(pod({"cpu": "999"}, nodeName="n"), node()).feasible == ["n"]
    ghost = placed(pod(nodeName="ghost"), node())
    assert (ghost.reason, ghost.message) == (Reason.SILENT, "")
    assert ghost.nearest == ["spec.nodeName bypasses the scheduler, but node ghost doesn't exist"]


def test_a_pod_that_fits_has_no_message_but_reasons_for_the_other_nodes() -> None:
    placement = placed(pod({"cpu": "2"}), node("a", {"cpu": "1"}), node("b"), node("c"))
    assert (placement.feasible, placement.rejected) == (["b", "c"], {"a": ["Insufficient cpu"]})
    assert (placement.reason, placement.message, placement.nearest) == (Reason.NONE, "", [])
    assert placement.fits


def test_expected_nodes_are_asked_beside_those_that_are_there() -> None:
    known = facts(node("a", {"cpu": "1"}), node("big"))
    assert known.inventory is not None
    big = known.inventory.nodes[1]
    placement = place(pod({"cpu": "2"}), Facts(Definitions(), inventory=Inventory(known.inventory.nodes[:1])), expected=[big])
    assert (placement.feasible, placement.on_expected) == ([], ["big"])
    assert placement.message.startswith("0/1 nodes are available: 1 Insufficient cpu.")


@pytest.mark.parametrize(
    ("failing", "reason"),
    [
        (("cordon", "taint"), "node(s) were unschedulable"),
        (("taint", "affinity"), "node(s) had untolerated taint(s)"),
        (("affinity", "cpu"), "node(s) didn't match Pod's node affinity/selector"),
        (("cpu", "volume"), "Insufficient cpu"),
        (("volume", "zone"), "node(s) didn't match PersistentVolume's node affinity"),
        (("zone", "spread"), "node(s) had no available volume zone"),
        (("spread", "company"), "node(s) didn't match pod topology spread constraints (missing required label)"),
        (("company", "feature"), "node(s) didn't match pod affinity rules"),
        (("feature",), "node(s) didn't match Pod's required features"),
    ],
)
def test_the_first_filter_that_refuses_is_the_only_one_that_reports(failing: tuple[str, ...], reason: str) -> None:
    """The failing filter and all later ones in the scheduler's order fail."""
    order = ("cordon", "taint", "affinity", "cpu", "volume", "zone", "spread", "company", "feature")
    failing = order[order.index(failing[0]) :]
    spec: JSONObject = {"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}] if {"volume", "zone"} & {*failing} else []}
    if "affinity" in failing:
        spec["nodeSelector"] = {"missing": "x"}
    if "spread" in failing:
        spec["topologySpreadConstraints"] = [{"maxSkew": 1, "topologyKey": "rack", "whenUnsatisfiable": "DoNotSchedule"}]
    if "company" in failing:
        spec["affinity"] = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "zone"}]}}
    rules = [{"action": "RestartAllContainers", "exitCodes": {"operator": "In", "values": [1]}}] if "feature" in failing else []
    wanted = {"cpu": "65" if "cpu" in failing else "1"}
    asked = pod(containers=[container(wanted, restartPolicy="Never", restartPolicyRules=rules)], **spec)
    there = node(
        labels={"topology.kubernetes.io/zone": "z1"}, unschedulable="cordon" in failing, taints=TAINT if "taint" in failing else []
    )
    placement = placed(asked, there, *_bound_volume(elsewhere="volume" in failing))
    assert placement.message == f"0/1 nodes are available: 1 {reason}. {NO_EFFECT}"


def _bound_volume(*, elsewhere: bool) -> list[JSONObject]:
    expression = {"key": "kubernetes.io/hostname", "operator": "In", "values": ["other" if elsewhere else "n"]}
    volume = {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "pv", "labels": {"topology.kubernetes.io/zone": "z2"}},
        "spec": {"nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}}},
    }
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "c", "namespace": "default", "annotations": {"pv.kubernetes.io/bind-completed": "yes"}},
        "spec": {"volumeName": "pv"},
        "status": {"phase": "Bound"},
    }
    return [volume, claim]


@pytest.mark.usefixtures("kubernetes_1_36")
def test_before_1_37_a_pod_without_claims_is_said_to_have_none() -> None:
    assert ". no new claims to deallocate, preemption: 0/1 nodes" in placed(pod({"cpu": "2"}), node("small", {"cpu": "1"})).message
