"""The taints of GPU nodes that a pod should tolerate, with the tolerations and their reasons."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import Taint, from_objects
from weighbridge.policies.families.fill.taints import carriers, marks_gpus, missing_taints, toleration_of
from weighbridge.policies.ground.objects import JSONObject

GPU = "nvidia.com/gpu"
LIMITS = {"limits": {GPU: "1"}, "requests": {GPU: "1"}}


def pod(**selector: str) -> JSONObject:
    """A pod that requests a GPU, on nodes with these labels."""
    return {"spec": {"containers": [{"name": "c", "image": "i", "resources": LIMITS}], "nodeSelector": selector}}


POD = pod()


@pytest.mark.parametrize(
    ("key", "value", "marks"),
    [
        (GPU, "", True),
        (GPU, "present", True),
        ("example.com/gpu", "", True),
        ("example.com/gpus", "x", True),
        ("example.com/Gpu", "", False),
        ("example.com/accelerator", "", True),
        ("amd.com/anything", "", True),
        ("gpu.intel.com/i915", "", True),
        ("devic.es/dri-render", "", True),
        ("squat.ai/x", "", True),
        ("pool", "gpu", True),
        ("pool", "GPU", True),
        ("pool", "NVIDIA", True),
        ("pool", "gpus-a", False),
        ("dedicated", "gpu", True),
        ("dedicated", "a", False),
        ("nvidia.com/reserved", "", False),
        (GPU, "team-a", False),
        (GPU, "Dedicated", False),
        ("example.com/private", "x", False),
        ("example.com/disk", "", False),
    ],
)
def test_a_taint_marks_gpus_by_its_words_unless_it_reserves(key: str, value: str, marks: bool) -> None:
    assert marks_gpus(Taint(key, value, "NoSchedule"), GPU) is marks


def test_the_resource_itself_marks_its_nodes() -> None:
    assert marks_gpus(Taint("example.com/fpga", "", "NoSchedule"), "example.com/fpga")
    assert not marks_gpus(Taint("example.com/fpga", "", "NoSchedule"), GPU)


@pytest.mark.parametrize(
    ("taint", "toleration"),
    [
        (Taint("a", "b", "NoSchedule"), {"key": "a", "operator": "Equal", "value": "b", "effect": "NoSchedule"}),
        (Taint("a", "", "NoExecute"), {"key": "a", "operator": "Exists", "effect": "NoExecute"}),
    ],
)
def test_exactly_the_taint_is_tolerated(taint: Taint, toleration: JSONObject) -> None:
    assert toleration_of(taint) == toleration


@pytest.mark.parametrize(
    ("names", "words"), [(["a"], "node a"), (["a", "b"], "node a (and others)"), (["b", "a", "c"], "node b (and others)")]
)
def test_one_node_is_named_for_all(names: list[str], words: str) -> None:
    assert carriers(names) == words


def node(name: str, *taints: str, gpus: str = "8", memory: str = "64Gi", **labels: str) -> JSONObject:
    listed = [dict(zip(("key", "value", "effect"), [*taint.split("="), "NoSchedule"], strict=True)) for taint in taints]
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "spec": {"taints": listed},
        "status": {"allocatable": {"cpu": "8", "memory": memory, "pods": "110", GPU: gpus}},
    }


@pytest.mark.parametrize(
    ("nodes", "asked", "wanted"),
    [
        ([], POD, {}),
        ([node("a")], POD, {}),
        ([node("a", f"{GPU}=present")], POD, {GPU: ["a"]}),
        ([node("a", f"{GPU}=present"), node("b")], POD, {GPU: ["a"]}),
        ([node("a", "disk=x"), node("b")], POD, {}),
        ([node("a", "disk=x"), node("b", "disk=x", f"{GPU}=present")], POD, {"disk": ["a", "b"], GPU: ["b"]}),
        ([node("a", "team=x"), node("b", f"{GPU}=present")], POD, {GPU: ["b"]}),
        ([node("a", "team=x")], POD, {"team": ["a"]}),
        ([node("a", "node.kubernetes.io/unschedulable=x", f"{GPU}=present")], POD, {GPU: ["a"]}),
        ([node("a", "karpenter.sh/disrupted=x")], POD, {}),
        ([node("a", "node-role.kubernetes.io/control-plane=x")], POD, {}),
        ([node("a", "ToBeDeletedByClusterAutoscaler=x")], POD, {}),
        ([node("a", "DeletionCandidateOfClusterAutoscaler=x")], POD, {}),
        ([node("a", "node.cloudprovider.kubernetes.io/shutdown=x", "node.cilium.io/agent-not-ready=x")], POD, {}),
        # Nodes that couldn't run the pod anyway don't count, nor do those without the resource.
        ([node("a", "disk=x"), node("b", "other=x", gpus="0")], POD, {"disk": ["a"]}),
        ([node("a", "disk=x", zone="1"), node("b", "other=x", zone="2")], pod(zone="1"), {"disk": ["a"]}),
        ([node("a", f"{GPU}=present", zone="1")], pod(zone="2"), {}),
    ],
)
def test_the_taints_of_nodes_that_could_run_the_pod_are_missing(nodes: list[JSONObject], asked: JSONObject, wanted: Any) -> None:
    found = missing_taints(asked, GPU, (), from_objects(nodes, Definitions()), DEFAULT)
    assert {taint.key: names for taint, names in found.items()} == wanted
