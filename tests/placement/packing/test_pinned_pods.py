"""Pods that name their nodes by host name, in clusters where a shape has many nodes: only the named ones are looked at."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import facts, placed, pod
from tests.placement.packing.test_shortages import GPU, RECREATE, deployment, found, gpus
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Node
from weighbridge.policies.facts.selectors import Requirement
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.node_affinity import is_met
from weighbridge.policies.placement.packing.cluster import _Nodes
from weighbridge.policies.placement.packing.shortages import ShortOf, Together, shortages
from weighbridge.policies.pods.groups import groups_of

HOST = "kubernetes.io/hostname"


def but(term: JSONObject) -> JSONObject:
    """The affinity for nodes that meet a term."""
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}}


def pinned(count: int, replicas: int, *names: str) -> JSONObject:
    """A Deployment whose pods go only to some nodes."""
    affinity = but({"matchExpressions": [{"key": HOST, "operator": "In", "values": list(names)}]})
    return deployment(count, replicas, spec={"affinity": affinity}, **RECREATE)


@pytest.mark.parametrize(
    ("workload", "room"),
    [
        (pinned(8, 2, "n3"), 1),
        (pinned(4, 2, "n3"), None),
        (pinned(8, 3, "n3", "n7"), 2),
        (pinned(8, 2, "n3", "n7"), None),
        (pinned(8, 2, "absent", "n9"), 1),
    ],
)
def test_only_the_named_nodes_count(workload: JSONObject, room: int | None) -> None:
    there = [*(gpus(f"n{at}", 8) for at in range(10)), gpus("small", 1)]
    expected = {} if room is None else {ShortOf.REPLICAS: (workload["spec"]["replicas"], room)}
    assert found(facts(*there), workload) == expected


def test_one_workload_is_pinned_and_the_other_is_not() -> None:
    free = {**deployment(8, 3, **RECREATE), "metadata": {"name": "free"}}
    there = [gpus(f"n{at}", 8) for at in range(4)]
    assert found(facts(*there), pinned(8, 1, "n3"), free) == {}
    assert found(facts(*there[:3]), pinned(8, 1, "n2"), free) != {}


def test_no_class_of_nodes_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """One workload names all nodes of a shape, so the shape has no others for the workload that names none."""
    classes, sizes = _Nodes.classes, list[int]()

    def noted(self: _Nodes) -> Any:
        found = classes(self)
        sizes.extend(one.size for one in found[0])
        return found

    monkeypatch.setattr(_Nodes, "classes", noted)
    free = {**deployment(8, 3, **RECREATE), "metadata": {"name": "free"}}
    found(facts(gpus("n0", 8), gpus("n1", 8), gpus("small", 1)), pinned(8, 1, "n0", "n1"), free)
    assert sizes
    assert min(sizes) > 0


def test_a_larger_cluster_takes_no_more_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0
    takes = _Nodes._takes

    def counted(self: _Nodes, name: str) -> frozenset[int]:
        nonlocal looks
        looks += 1
        return takes(self, name)

    monkeypatch.setattr(_Nodes, "_takes", counted)
    counts = []
    for size in (10, 100):
        cluster, workload, looks = facts(*(gpus(f"n{at}", 8) for at in range(size))), pinned(8, 3, "n3", "n7"), 0
        (short,) = shortages(Together.of(groups_of([workload]), [workload], cluster, "default"), DEFAULT)
        counts.append((short.room, looks))
    assert counts == [(2, 6), (2, 6)]


SPREAD: JSONObject = {
    "maxSkew": 1,
    "topologyKey": HOST,
    "whenUnsatisfiable": "DoNotSchedule",
    "labelSelector": {"matchLabels": {"app": "d"}},
}


@pytest.mark.parametrize(
    ("affinity", "room"),
    [
        ({}, 4),
        (but({"matchExpressions": [{"key": HOST, "operator": "NotIn", "values": ["n0", "n1"]}]}), 4),
        (but({"matchExpressions": [{"key": HOST, "operator": "NotIn", "values": ["small"]}]}), None),
        (but({"matchFields": [{"key": "metadata.name", "operator": "NotIn", "values": ["small"]}]}), None),
        (but({"matchExpressions": [{"key": HOST, "operator": "In", "values": ["n0", "n1"]}]}), None),
    ],
)
def test_a_spread_over_hosts_counts_the_hosts_that_the_affinity_leaves(affinity: JSONObject, room: int | None) -> None:
    """A host without GPUs has no pod, so each other host has at most one, unless the affinity excludes it."""
    there = [*(gpus(f"n{at}", 8) for at in range(4)), gpus("small", 0)]
    workload = deployment(2, 6, spec={"affinity": affinity, "topologySpreadConstraints": [SPREAD]}, **RECREATE)
    expected = {} if room is None else {ShortOf.REPLICAS: (6, min(room, 4 - 2 * ("n0" in str(affinity))))}
    assert found(facts(*there), workload) == expected


@pytest.mark.parametrize(("operator", "rooms"), [("In", (2, 2)), ("NotIn", (8, 98))])
def test_hosts_that_an_affinity_names_are_found_among_many(operator: str, rooms: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    affinity = but({"matchExpressions": [{"key": HOST, "operator": operator, "values": ["n1", "n2"]}]})
    workload, looks, free = deployment(8, 200, spec={"affinity": affinity}, **RECREATE), list[str](), _Nodes._free

    def counted(self: _Nodes, node: Node, resource: str) -> int:
        looks.append(node.name)
        return free(self, node, resource)

    monkeypatch.setattr(_Nodes, "_free", counted)
    for size, room in zip((10, 100), rooms, strict=True):
        looks.clear()
        assert found(facts(*(gpus(f"n{at}", 8) for at in range(size))), workload) == {ShortOf.REPLICAS: (200, room)}
        assert set(looks) <= {"n1", "n2"}


def test_a_value_of_a_label_that_each_node_has_for_itself_is_looked_up() -> None:
    inventory = facts(*(gpus(f"n{at}", 8, pool="a") for at in range(5))).inventory
    assert inventory is not None
    for _ in range(3):
        assert is_met(Requirement(HOST, "In", ("absent", "n4")), inventory)
        assert not is_met(Requirement(HOST, "In", ("absent",)), inventory)
        assert is_met(Requirement(HOST, "NotIn", ("n4",)), inventory)
        assert is_met(Requirement("pool", "In", ("a",)), inventory)
        assert not is_met(Requirement("pool", "In", ()), inventory)


def test_an_unknown_host_leaves_no_node() -> None:
    placement = placed(pod({GPU: "1"}, nodeSelector={HOST: "absent"}), *(gpus(f"n{at}", 8) for at in range(5)))
    assert placement.feasible == []
    assert not list(placement.nodes.fitting)
