"""Pods next to those that already run: the room, the shortage, which pods would have to go, and which the scheduler preempts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.counted_calls import calls_of
from tests.placement.clusters import node
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.facts import from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.facts.occupancy import MOST_HOLDERS, HostPort, NodeUse, Occupancy, RunningPod, clashing
from weighbridge.policies.placement.now.request_today import today_of
from weighbridge.policies.placement.now.today import Today, today
from weighbridge.policies.placement.now.today_words import preempted, sentence
from weighbridge.policies.placement.placement import asked
from weighbridge.policies.pods.own_pods import own_pods
from weighbridge.policies.pods.running_pod import running_pod

GPU = "nvidia.com/gpu"
SIZE = {"cpu": "8", "memory": "32Gi", "pods": "10", GPU: "4"}
CLASSES = [
    {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}, "value": value, **more}
    for name, value, more in (("high", 100, {}), ("meek", 100, {"preemptionPolicy": "Never"}))
]
KNOWN = Extent(complete=frozenset({("", "Node"), ("scheduling.k8s.io", "PriorityClass")}))


def a_pod(name: str = "p", requests: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    container = {"name": "c", "image": "i", "resources": {"requests": requests or {}, "limits": requests or {}}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [container], **spec}}


def runs(name: str, on: str, gpus: int = 0, priority: int = 0, started: str = "", **requests: int) -> RunningPod:
    return RunningPod(f"lab/{name}", on, priority, {**({GPU: gpus} if gpus else {}), **requests}, started=started)


def answer(pod: dict[str, Any], *running: RunningPod, nodes: int = 2) -> Today:
    facts = from_objects([*(node(f"n{index}", SIZE) for index in range(1, nodes + 1)), *CLASSES], Definitions(), extent=KNOWN)
    question = asked(pod, facts, "default")
    assert question is not None
    found = today(question, Occupancy.of(running), whole=True)
    assert today(question, Occupancy.of(running), whole=False).fits is found.fits
    return found


def said(found: Today, wanted: int) -> str:
    return "; ".join(filter(None, (sentence(found, wanted), preempted(found.candidates))))


WANTS = a_pod(requests={GPU: "4"})


def test_nodes_with_room_are_all_named() -> None:
    assert answer(WANTS, runs("a", "n1", 1)).feasible == ["n2"]
    assert answer(WANTS).feasible == ["n1", "n2"]


def test_the_nearest_node_is_named_with_what_would_have_to_go() -> None:
    found = answer(WANTS, runs("a", "n1", 4), runs("small", "n2", 1), runs("b", "n2", 1, cpu=1000))
    assert said(found, 4) == f"no node has 4 free {GPU}: n2 has 2, and would have 4 without lab/b and lab/small"
    assert found.message.startswith(f"0/2 nodes are available: 2 Insufficient {GPU}.")


def test_one_pod_that_is_just_enough_goes_before_several_and_before_larger_ones() -> None:
    wants = a_pod(requests={GPU: "2"})
    found = answer(wants, runs("large", "n1", 2), runs("just", "n1", 1), runs("other", "n1", 1), nodes=1)
    assert said(found, 2) == f"no node has 2 free {GPU}: n1 has 0, and would have 2 without lab/large"


def test_what_is_short_besides_devices_is_named() -> None:
    cpu = answer(a_pod(requests={"cpu": "4"}), runs("a", "n1", cpu=7000), nodes=1)
    assert said(cpu, 4000) == "no node has 4 free cpu: n1 has 1"
    mixed = answer(a_pod(requests={GPU: "1", "cpu": "4"}), runs("a", "n1", 1, cpu=7000), nodes=1)
    assert said(mixed, 0) == "no node has room: n1 has 1 of the 4 cpu, and would fit without lab/a"


def test_the_number_of_pods_and_ports_count() -> None:
    crowd = [runs(f"p{index}", "n1") for index in range(10)]
    found = answer(a_pod(), *crowd, nodes=1)
    assert (said(found, 0), found.message) == (
        "no node has room: n1 already has as many pods as it may have",
        "0/1 nodes are available: 1 Too many pods. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
    )
    with_port = a_pod()
    with_port["spec"]["containers"][0]["ports"] = [{"containerPort": 80, "hostPort": 8080}]
    holder = running_pod({**with_port, "spec": {**with_port["spec"], "nodeName": "n1"}})
    assert holder is not None
    assert said(answer(with_port, holder, nodes=1), 0) == "no node has room: n1 has port 8080/TCP taken"
    with_port["spec"]["containers"][0]["ports"][0]["protocol"] = "UDP"
    assert answer(with_port, holder, nodes=1).fits


@pytest.mark.parametrize(
    ("mine", "theirs", "excludes"), [("", "10.0.0.1", True), ("10.0.0.1", "10.0.0.1", True), ("10.0.0.1", "10.0.0.2", False)]
)
def test_a_port_is_taken_on_an_address_or_on_all(mine: str, theirs: str, excludes: bool) -> None:
    def listening(address: str, **spec: Any) -> dict[str, Any]:
        pod = a_pod(**spec)
        pod["spec"]["containers"][0]["ports"] = [{"containerPort": 80, "hostPort": 80, **({"hostIP": address} if address else {})}]
        return pod

    held = running_pod(listening(theirs, nodeName="n1"))
    assert held is not None
    assert answer(listening(mine), held, nodes=1).fits is not excludes


def test_less_important_pods_go_and_as_few_as_will_do() -> None:
    high = a_pod(requests={GPU: "2"}, priorityClassName="high")
    old, new = runs("old", "n1", 2, started="2026-01-01T00:00:00Z"), runs("new", "n1", 2, started="2026-01-02T00:00:00Z")
    assert preempted(answer(high, old, new, nodes=1).candidates) == "kube-scheduler would preempt lab/new on n1"
    important = runs("important", "n1", 4, priority=100)
    found = answer(high, important, nodes=1)
    assert (list(found.candidates), "No preemption victims found" in found.message) == ([], True)
    meek = a_pod(requests={GPU: "2"}, priorityClassName="meek")
    found = answer(meek, old, new, nodes=1)
    assert (list(found.candidates), "not eligible due to preemptionPolicy=Never" in found.message) == ([], True)


def test_the_node_with_the_least_important_pods_is_chosen_or_one_of_equals() -> None:
    high = a_pod(requests={GPU: "4"}, priorityClassName="high")
    chosen = answer(high, runs("a", "n1", 4, priority=10), runs("b", "n2", 4, priority=5))
    assert preempted(chosen.candidates) == "kube-scheduler would preempt lab/b on n2"
    equals = answer(high, runs("a", "n1", 4), runs("b", "n2", 4))
    assert preempted(equals.candidates) == "kube-scheduler would preempt lab/a on n1 or lab/b on n2"


def test_pods_that_are_not_known_one_by_one_are_not_named() -> None:
    high = a_pod(requests={"cpu": "8"}, priorityClassName="high")
    found = answer(high, runs("a", "n1", cpu=1000), runs("b", "n1", cpu=1000), nodes=1)
    assert preempted(found.candidates) == "kube-scheduler would preempt pods of lower priority on n1"
    many = NodeUse.of(runs(f"p{index}", "n1", 1) for index in range(MOST_HOLDERS + 1))
    assert (len(many.holders), many.is_every_holder, many.pods) == (MOST_HOLDERS, False, MOST_HOLDERS + 1)


@pytest.mark.parametrize(
    ("kind", "name", "is_own"),
    [
        ("Deployment", "chat-7d4b9c5f6d-x2x4z", True),
        ("Deployment", "chat-large-7d4b9c5f6d-x2x4z", False),
        ("Deployment", "chat-0", False),
        ("StatefulSet", "chat-11", True),
        ("StatefulSet", "chat-11-x2x4z", False),
        ("LeaderWorkerSet", "chat-0-1", True),
        ("Job", "chat-x2x4z", True),
        ("Pod", "chat", True),
        ("Pod", "chat-0", False),
        ("InferenceThing", "chat-predictor-00001-deployment-66d8", True),
    ],
)
def test_own_pods_are_known_by_their_names(kind: str, name: str, is_own: bool) -> None:
    own = own_pods([{"kind": kind, "metadata": {"name": "chat"}}], "prod")
    assert own is not None
    use = NodeUse.of([RunningPod(f"prod/{name}", "n1", 0, {GPU: 1})])
    assert bool(own.among(use)) is is_own
    assert not own.among(NodeUse.of([RunningPod(f"other/{name}", "n1", 0, {GPU: 1})]))


def test_a_workload_takes_the_place_of_its_own_pods() -> None:
    workload = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "chat", "namespace": "prod"},
        "spec": {"template": {"spec": WANTS["spec"]}},
    }
    own = RunningPod("prod/chat-7d4b9c5f6d-x2x4z", "n1", 0, {GPU: 4})
    facts = from_objects([node("n1", SIZE), *CLASSES], Definitions(), extent=Extent(KNOWN.complete, occupancy=Occupancy.of([own])))
    for whole in (True, False):
        found = today_of([workload], facts, "prod", whole=whole)
        assert found is not None
        assert found.today.feasible
    renamed = today_of([{**workload, "metadata": {"name": "other", "namespace": "prod"}}], facts, "prod", whole=False)
    assert renamed is not None
    assert not renamed.today.fits


def test_workloads_that_differ_in_a_port_of_the_node_have_their_own_answers() -> None:
    def on_port(number: int, name: str) -> dict[str, Any]:
        spec = a_pod(hostNetwork=True)["spec"]
        spec["containers"][0]["ports"] = [{"containerPort": number}]
        return {"kind": "Deployment", "metadata": {"name": name}, "spec": {"template": {"spec": spec}}}

    holder = running_pod({**a_pod("other"), "spec": {**on_port(8080, "")["spec"]["template"]["spec"], "nodeName": "n1"}})
    assert holder is not None
    facts = from_objects([node("n1", SIZE), *CLASSES], Definitions(), extent=Extent(KNOWN.complete, occupancy=Occupancy.of([holder])))
    for number, fits in ((8081, True), (8080, False), (8081, True)):
        found = today_of([on_port(number, f"on-{number}")], facts, "prod", whole=True)
        assert found is not None
        assert found.today.fits is fits


def test_nothing_is_said_without_pods_or_of_what_never_fits() -> None:
    workload = {"kind": "Deployment", "metadata": {"name": "a"}, "spec": {"template": {"spec": a_pod(requests={GPU: "5"})["spec"]}}}
    bare = from_objects([node("n1", SIZE), *CLASSES], Definitions(), extent=KNOWN)
    known = from_objects([node("n1", SIZE), *CLASSES], Definitions(), extent=Extent(KNOWN.complete, occupancy=Occupancy({})))
    assert today_of([workload], known, "default", whole=True) is None
    assert today_of([{**workload, "spec": {"template": {"spec": WANTS["spec"]}}}], bare, "default", whole=True) is None


def test_a_resized_pod_takes_the_most_of_what_it_has_and_what_it_asks_for() -> None:
    pod = a_pod(requests={"cpu": "1", "memory": "4Gi"}, nodeName="n1")
    pod["status"] = {"containerStatuses": [{"name": "c", "allocatedResources": {"cpu": "3", "memory": "1Gi"}}]}
    held = running_pod(pod)
    assert held is not None
    assert held.requests == {"cpu": 3000, "memory": 4 * 2**30}
    pod["status"]["conditions"] = [{"type": "PodResizePending", "reason": "Infeasible"}]
    held = running_pod(pod)
    assert held is not None
    assert held.requests == {"cpu": 3000, "memory": 2**30}
    for ended in ("Succeeded", "Failed"):
        assert running_pod({**pod, "status": {"phase": ended}}) is None
    assert running_pod(a_pod()) is None


def test_many_ports_are_each_looked_at_once() -> None:
    few, many = ([HostPort(number) for number in range(1, count)] for count in (1_000, 2_000))
    others = [HostPort(port.port, "UDP") for port in many]
    counts = [calls_of(lambda ports=ports: list(clashing(ports, others[: len(ports)]))) for ports in (few, many)]  # type: ignore[misc]
    assert counts[1] < 2.2 * counts[0]
