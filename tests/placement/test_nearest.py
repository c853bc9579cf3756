"""Nearest misses, which a person reads in addition to the scheduler's message."""

from __future__ import annotations

import pytest

from tests.placement.clusters import affine, facts, labelled, node, placed, pod
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.placement.placement import place

GPU = "amd.com/gpu"
TOLERATION = f"(toleration: {{key: {GPU}, operator: Exists, effect: NoSchedule}})"
TAINT = [{"key": GPU, "value": "present", "effect": "NoSchedule"}]


@pytest.mark.parametrize(
    ("asked", "nodes", "lines"),
    [
        pytest.param(
            pod({GPU: "8"}),
            [node("node-6", {GPU: "2"}), node("node-7", {GPU: "4"}), node("node-8")],
            ["node-7 has 4 of the 8 requested amd.com/gpu", "node-6 has 2 of the 8 requested amd.com/gpu"],
            id="most of a resource",
        ),
        pytest.param(
            pod({"nvidia.com/gpu": "1"}),
            [node("a", {GPU: "8"}), node("b")],
            ["no node has nvidia.com/gpu; a has 8 amd.com/gpu", "apart from that, a and 1 more would fit"],
            id="another vendor's resource",
        ),
        pytest.param(
            pod(nodeSelector={"gpu.vendor": "amd"}),
            [*(node(f"n{at}", labels={"gpu.vendor": "AMD"}) for at in range(3)), node("x", labels={"gpu.vendor": "NVIDIA"})],
            ["3 nodes have the label gpu.vendor=AMD, none has gpu.vendor=amd", "apart from that, n0 and 3 more would fit"],
            id="case of a value",
        ),
        pytest.param(
            pod(nodeSelector={"gpu.vender": "AMD"}),
            [node("a", labels={"gpu.vendor": "AMD"})],
            ["no node has the label gpu.vender; 1 node has gpu.vendor", "apart from that, a would fit"],
            id="spelling of a key",
        ),
        pytest.param(
            labelled("amd.com/gpu.family", "In", "MI300"),
            [node("a", labels={"beta.amd.com/gpu.family": "MI300"})],
            ["no node has the label amd.com/gpu.family; 1 node has beta.amd.com/gpu.family", "apart from that, a would fit"],
            id="prefix of a key",
        ),
        pytest.param(
            labelled("mem", "Gt", "100"),
            [node("a", labels={"mem": "64"}), node("b", labels={"mem": "96"})],
            ["1 node has the label mem=64, 1 node has mem=96, none has mem above 100", "apart from that, a and 1 more would fit"],
            id="a number",
        ),
        pytest.param(
            pod({GPU: "1"}),
            [node("a", {GPU: "8"}, taints=TAINT), node("b", {GPU: "8"}, taints=TAINT)],
            [f"a and 1 more would fit, but the pod doesn't tolerate the taint {GPU}=present:NoSchedule {TOLERATION}"],
            id="taint",
        ),
        pytest.param(
            pod({GPU: "8"}),
            [node("a", {GPU: "8"}, unschedulable=True), node("b", {GPU: "4"})],
            ["a would fit, but it is cordoned"],
            id="cordon",
        ),
        pytest.param(
            pod({GPU: "8"}, nodeSelector={"zone": "z1"}),
            [node("a", {GPU: "8"}, labels={"zone": "z2"}), node("b", {GPU: "4"}, labels={"zone": "z1"})],
            ["a would fit, but it has zone=z2 instead of z1"],
            id="label of another node",
        ),
        pytest.param(
            pod({GPU: "8", "cpu": "65"}),
            [node("a", {GPU: "8"}), node("b", {GPU: "4", "cpu": "96"})],
            ["a has 64 of the 65 requested cpu", "b has 4 of the 8 requested amd.com/gpu"],
            id="each has another",
        ),
        pytest.param(
            pod(topologySpreadConstraints=[{"maxSkew": 1, "topologyKey": "rack", "whenUnsatisfiable": "DoNotSchedule"}]),
            [node("a")],
            ["a would fit, but it lacks the topology label rack"],
            id="topology",
        ),
        pytest.param(pod(), [node("a", {"pods": "0"})], ["a would fit, but it has no room for pods (allocatable.pods)"], id="pods"),
        pytest.param(
            affine({"matchExpressions": [{"key": "zone", "operator": "NotIn", "values": ["z1"]}]}),
            [node("a", labels={"zone": "z1"})],
            ["every node has the label zone with one of z1", "apart from that, a would fit"],
            id="not in",
        ),
    ],
)
def test_the_nearest_misses_are_told(asked: JSONObject, nodes: list[JSONObject], lines: list[str]) -> None:
    assert placed(asked, *nodes).nearest == lines


def test_at_most_five_lines_are_told() -> None:
    selector = {f"key-{at}": "x" for at in range(9)}
    assert len(placed(pod({"x.dev/a": "1"}, nodeSelector=selector), node("a"), node("b", unschedulable=True)).nearest) == 5


def test_memory_is_told_in_binary_units() -> None:
    assert placed(pod({"memory": "300Gi"}), node("a")).nearest == ["a has 256Gi of the 300Gi requested memory"]


@pytest.mark.parametrize(("operator", "value"), [("Gt", "101"), ("Lt", "99")])
def test_the_node_that_would_do_has_a_label_beyond_the_bound(operator: str, value: str) -> None:
    found = place(labelled("mem", operator, "100"), facts(node("a", labels={"mem": "100"})))
    assert found.wish is not None
    assert found.wish.labels == {"mem": value}
