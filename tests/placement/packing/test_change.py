"""Which objects of one change stay Pending, although each fits the empty cluster alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest

from tests.placement.clusters import facts, node
from tests.placement.packing.test_shortages import RECREATE, deployment, gpus, group
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Facts
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.packing.change import Left, PackedChange, Part, left_out
from weighbridge.policies.placement.packing.fit import Packing, pack
from weighbridge.policies.placement.packing.members import compact
from weighbridge.policies.placement.packing.problem import Problem
from weighbridge.policies.pods.groups import groups_of


def named(name: str, obj: JSONObject) -> JSONObject:
    return {**obj, "metadata": {**obj["metadata"], "name": name}}


def left(cluster: Facts, *workloads: JSONObject) -> dict[str, Left]:
    """The names of the objects that are left out."""
    parts = [Part(obj["metadata"]["name"], "default", [compact(one) for one in groups_of([obj])]) for obj in workloads]
    found, _ = left_out(PackedChange.of(parts, cluster), DEFAULT)
    return {parts[number].label: one for number, one in found.items()}


def told(found: dict[str, Left]) -> dict[str, tuple[int, Sequence[str]]]:
    return {name: (one.room, one.rivals) for name, one in found.items()}


def test_of_two_for_one_gpu_the_later_by_name_stays_outside_in_any_order() -> None:
    cluster = facts(gpus("n", 1))
    objects = [named("a", deployment(1)), named("b", deployment(1))]
    for order in permutations(objects):
        assert told(left(cluster, *order)) == {"b": (0, ("a",))}
    assert left(facts(gpus("n", 2)), *objects) == {}


def test_a_higher_priority_comes_first() -> None:
    high = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}, "value": 1000}
    cluster = facts(gpus("n", 1), high)
    assert list(left(cluster, named("a", deployment(1)), named("b", deployment(1, spec={"priorityClassName": "high"})))) == ["a"]


def test_some_replicas_fit_beside_the_others() -> None:
    cluster = facts(gpus("n", 8))
    assert told(left(cluster, named("a", deployment(4)), named("b", deployment(1, 6)))) == {"b": (4, ("a",))}


def test_only_what_takes_the_room_is_named() -> None:
    other = node("other", {"nvidia.com/gpu": "0", "amd.com/gpu": "8"})
    amd = deployment(1)
    amd["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"] = {"amd.com/gpu": "8"}
    small = named("c", deployment(1))
    cluster = facts(gpus("n", 9), other)
    assert told(left(cluster, named("a", amd), named("b", deployment(8)), small, named("d", group(1, 8)))) == {"d": (0, ("b",))}


def test_a_group_that_has_a_rack_for_itself_keeps_another_one_out() -> None:
    cluster = facts(gpus("n", 8, rack="r"), gpus("m", 8, rack="r"))
    one, two = (named(name, group(2, 4, 1, "rack")) for name in "ab")
    assert list(left(cluster, one, two)) == ["b"]
    assert left(facts(gpus("n", 8, rack="r"), gpus("m", 8, rack="s")), *(named(name, group(2, 4, 1, "rack")) for name in "ab")) == {}


def test_a_daemon_of_each_node_takes_its_room_first() -> None:
    daemon = {**deployment(1), "kind": "DaemonSet", "metadata": {"name": "daemon"}}
    cluster = facts(gpus("n", 8))
    found = left(cluster, daemon, named("a", deployment(8)))
    assert {name: (one.rivals, one.is_by_daemons) for name, one in found.items()} == {"a": (("daemon",), True)}
    assert left(cluster, daemon, named("a", deployment(7))) == {}


def test_looks_grow_with_the_objects_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """For twice as many objects at most twice as many packings are tried, even if half of the objects find no room."""
    tried: list[int] = []

    def counted(problem: Problem, *args: int, **more: bool) -> Packing:
        tried.append(len(problem.demands))
        return pack(problem, *args, **more)

    monkeypatch.setattr("weighbridge.policies.placement.packing.change.pack", counted)
    counts = []
    for number in (20, 40, 80):
        tried.clear()
        objects = [named(f"d{index:03}", deployment(1 + index % 4, **RECREATE)) for index in range(number)]
        found = left(facts(*(gpus(f"n{index}", 8) for index in range(number // 8))), *objects)
        assert found
        counts.append(len(tried))
    assert counts[2] <= 80
