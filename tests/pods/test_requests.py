"""What a pod asks of a node, and what a node has."""

from __future__ import annotations

from typing import Any

import pytest

from tests.placement.clusters import container, node, placed, pod, reasons
from weighbridge.policies.ground.objects import JSONObject

GPU = "amd.com/gpu"
LACKS_GPU = [f"Insufficient {GPU}"]


def with_init(main: dict[str, str], *init: tuple[dict[str, str], bool]) -> JSONObject:
    """A pod with init containers; those that are marked are sidecars."""
    listed = [container(wanted, f"i{at}", **({"restartPolicy": "Always"} if sidecar else {})) for at, (wanted, sidecar) in enumerate(init)]
    return pod(main, initContainers=listed)


@pytest.mark.parametrize(
    ("asked", "fits"),
    [
        (pod({GPU: "8"}), True),
        (pod({GPU: "9"}), False),
        (pod({GPU: "5"}, {GPU: "4"}), False),
        (pod({GPU: "0"}), True),
        (with_init({GPU: "1"}, ({GPU: "8"}, False)), True),
        (with_init({GPU: "1"}, ({GPU: "9"}, False)), False),
        (with_init({GPU: "4"}, ({GPU: "5"}, True)), False),
        (with_init({}, ({GPU: "1"}, True), ({GPU: "8"}, False)), False),
        (with_init({GPU: "1"}, ({GPU: "8"}, False), ({GPU: "7"}, True)), True),
    ],
)
def test_containers_sidecars_and_init_containers_ask_together(asked: JSONObject, fits: bool) -> None:
    assert reasons(asked, node(allocatable={GPU: "8"})) == ([] if fits else LACKS_GPU)


@pytest.mark.parametrize(
    ("wanted", "has", "lacks"),
    [
        ({"cpu": "16"}, {"cpu": "16"}, []),
        ({"cpu": "16001m"}, {"cpu": "16"}, ["cpu"]),
        ({"cpu": "1n"}, {"cpu": "0"}, ["cpu"]),
        ({"cpu": "1.0001"}, {"cpu": "1"}, ["cpu"]),
        ({"memory": "1073741823.5"}, {"memory": "1Gi"}, []),
        ({"memory": "1073741824.1"}, {"memory": "1Gi"}, ["memory"]),
        ({"ephemeral-storage": "1"}, {"ephemeral-storage": "0"}, ["ephemeral-storage"]),
        ({"example.com/unknown": "1"}, {}, ["example.com/unknown"]),
        ({"example.com/unknown": "0"}, {}, []),
        ({GPU: "1"}, {GPU: "0"}, [GPU]),
        ({"nvidia.com/gpu": "1"}, {"nvidia.com/gpu.shared": "8"}, ["nvidia.com/gpu"]),
        ({"cpu": "1", "hugepages-2Mi": "4Mi"}, {"hugepages-2Mi": "4Mi"}, []),
        ({"cpu": "1", "hugepages-64k": "64k"}, {}, ["hugepages-64k"]),
        ({"cpu": "99", GPU: "9"}, {"cpu": "98", GPU: "8"}, ["cpu", GPU]),
        ({GPU: "9"}, {GPU: "8", "pods": "0"}, ["Too many pods", GPU]),
        ({}, {"pods": "0"}, ["Too many pods"]),
        ({}, {"cpu": "0", "memory": "0"}, []),
        ({"memory": "8Ei"}, {}, ["memory"]),
        ({"memory": "10E"}, {}, ["memory"]),
        ({"cpu": "9223372036854775807"}, {}, ["cpu"]),
    ],
    ids=str,
)
def test_what_is_asked_is_held_against_what_is_allocatable(wanted: dict[str, str], has: dict[str, str], lacks: list[str]) -> None:
    expected = [name if name == "Too many pods" else f"Insufficient {name}" for name in lacks]
    assert reasons(pod(wanted), node(allocatable=has)) == expected


def test_fractions_of_a_thousandth_are_rounded_up_in_every_container() -> None:
    asked = pod({"cpu": "999.5m"}, {"cpu": "0.5m"})
    assert reasons(asked, node(allocatable={"cpu": "1"})) == ["Insufficient cpu"]
    assert reasons(asked, node(allocatable={"cpu": "1001m"})) == []


@pytest.mark.parametrize("asked", [pod({"cpu": "10E"}), pod({"cpu": "1e20000"}, {"cpu": "1m"})], ids=["large", "too large to add"])
def test_what_the_scheduler_cannot_count_is_said_to_be_so(asked: JSONObject) -> None:
    placement = placed(asked, node())
    assert placement.feasible == []
    assert placement.nearest[0] == "cpu: the request is larger than the scheduler can count, so it would misjudge the pod"


def test_limits_are_requested_where_there_is_no_request() -> None:
    def limited(**resources: Any) -> JSONObject:
        return pod(containers=[{"name": "c", "image": "x", "resources": resources}])

    small = node(allocatable={"cpu": "1"})
    assert reasons(limited(limits={"cpu": "2"}), small) == ["Insufficient cpu"]
    assert reasons(limited(limits={"cpu": "2"}, requests={"cpu": "1"}), small) == []
    assert reasons(limited(limits={"cpu": "2"}, requests={"memory": "1Gi"}), small) == ["Insufficient cpu"]


@pytest.mark.parametrize(
    ("resources", "containers", "lacks"),
    [
        ({"requests": {"cpu": "100"}}, [{"cpu": "1"}], ["cpu"]),
        ({"requests": {"cpu": "1"}}, [{"memory": "500Gi"}], ["memory"]),
        ({"requests": {"cpu": "1"}}, [{GPU: "9"}], [GPU]),
        ({"limits": {"cpu": "1000"}}, [{"cpu": "1"}], []),
        ({"limits": {"cpu": "1000"}}, [{}], ["cpu"]),
        ({"limits": {"memory": "300Gi"}}, [{"cpu": "1"}], ["memory"]),
        ({"limits": {"cpu": "1"}}, [{"memory": "500Gi"}], ["memory"]),
    ],
    ids=str,
)
def test_pod_level_resources_replace_the_sum_of_those_they_name(
    resources: JSONObject, containers: list[dict[str, str]], lacks: list[str]
) -> None:
    asked = pod(*containers, resources=resources)
    assert reasons(asked, node(allocatable={GPU: "8"})) == [f"Insufficient {name}" for name in lacks]


def test_an_init_container_counts_for_what_the_pod_level_does_not_name() -> None:
    asked = pod({}, initContainers=[container({"memory": "100Ti"}, "i")], resources={"requests": {"cpu": "1"}})
    assert reasons(asked, node()) == ["Insufficient memory"]


def test_overhead_comes_on_top_of_pod_level_requests() -> None:
    kata = {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": "kata"},
        "overhead": {"podFixed": {"cpu": "1", "x.dev/d": "1"}},
    }
    asked = pod({}, resources={"requests": {"cpu": "64"}}, runtimeClassName="kata")
    assert reasons(asked, node(), kata) == ["Insufficient cpu", "Insufficient x.dev/d"]
    assert reasons(pod({}, resources={"requests": {"cpu": "63"}}, runtimeClassName="kata"), node(allocatable={"x.dev/d": "1"}), kata) == []


def test_capacity_stands_in_for_missing_allocatable_and_counts_for_nothing_beside_it() -> None:
    only = node()
    only["status"] = {"capacity": {"cpu": "1", "pods": "1"}}
    assert reasons(pod({"cpu": "1"}), only) == []
    beside = node()
    beside["status"]["capacity"] = {GPU: "8"}
    assert reasons(pod({GPU: "1"}), beside) == LACKS_GPU
