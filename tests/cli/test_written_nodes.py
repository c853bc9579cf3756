"""Nodes that were written by hand: what an API server wouldn't have stored is an error, with its place and what would be right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from weighbridge.policies.ground.objects import JSONObject, field
from weighbridge.webhook.inputs.written_nodes import node_mistakes

GOOD: JSONObject = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "gpu-1", "labels": {"a": "b"}, "resourceVersion": "7"},
    "spec": {"taints": [{"key": "gpu", "value": "x", "effect": "NoSchedule"}], "unschedulable": True, "podCIDR": "10.0.0.0/24"},
    "status": {"allocatable": {"cpu": 8, "memory": "64Gi", "nvidia.com/gpu": "4", "pods": 110}, "nodeInfo": {}, "somethingNew": 1},
}


def node(*path: Any, value: Any) -> JSONObject:
    """The good node with another value in one place."""

    def put(obj: Any, at: tuple[Any, ...]) -> Any:
        if not at:
            return value
        if isinstance(obj, list):
            return [put(item, at[1:]) if index == at[0] else item for index, item in enumerate(obj)]
        return {**obj, at[0]: put(obj.get(at[0]), at[1:])}

    made: JSONObject = put(GOOD, path)
    return made


def test_a_node_of_a_cluster_has_no_mistake() -> None:
    assert list(node_mistakes(GOOD)) == []
    assert list(node_mistakes({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}})) == []


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("metadata", "name"), False, "false isn't a text; put the name in quotes"),
        (("metadata", "name"), None, "a node needs a name"),
        (("metadata", "labels"), 5, "must be a map of labels to their values"),
        (("metadata",), [], "must be a map with name, labels, annotations"),
        (("status",), 4, "must be a map with allocatable, capacity, conditions"),
        (("status", "allocatable"), 4, "must be a map of resources to amounts, such as {cpu: '8', nvidia.com/gpu: '4'}"),
        (("status", "allocatable", "nvidia.com/gpu"), "4x", "'4x' isn't an amount; write one such as 8, 500m or 64Gi"),
        (("status", "allocatable", "cpu"), True, "true isn't an amount; write one such as 8, 500m or 64Gi"),
        (("status", "capacity"), {"cpu": "abc"}, "'abc' isn't an amount; write one such as 8, 500m or 64Gi"),
        (("status", "allocatable", "cpu"), -4, "must be 0 or more, not -4"),
        (("spec", "taints"), 7, "must be a list of taints, each with key and effect"),
        (("spec", "taints", 0), 7, "must be a map with key and effect"),
        (("spec", "taints", 0, "key"), "", "a taint needs a key"),
        (("spec", "taints", 0, "effect"), "NoSchedul", "'NoSchedul' isn't an effect; did you mean NoSchedule?"),
        (("spec", "taints", 0, "effect"), 1, "1 isn't an effect; write NoSchedule, PreferNoSchedule or NoExecute"),
        (("spec", "unschedulable"), "false", "must be true or false, not 'false'"),
    ],
)
def test_a_wrong_value_is_named_with_what_would_be_right(path: tuple[Any, ...], value: Any, said: str) -> None:
    (found,) = node_mistakes(node(*path, value=value))
    assert found[1] == said
    assert field(found[0]).startswith(field(path))


@pytest.mark.parametrize(
    ("path", "wrong", "near"),
    [
        (("status",), "alocatable", "allocatable"),
        (("spec",), "taint", "taints"),
        ((), "staus", "status"),
        (("metadata",), "label", "labels"),
    ],
)
def test_a_misspelt_field_is_named(path: tuple[str, ...], wrong: str, near: str) -> None:
    part: Any = GOOD
    for step in path:
        part = part[step]
    value = {wrong if key == near else key: inner for key, inner in part.items()}
    assert list(node_mistakes(node(*path, value=value))) == [((*path, wrong), f"unknown field; did you mean {near}?")]


def test_the_command_line_names_file_line_and_field(tmp_path: Path) -> None:
    (tmp_path / "cluster.yaml").write_text(
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata: {name: gpu-1}\n  status:\n    allocatable:\n"
        "      nvidia.com/gpu: 4x\n      cpu: -1\n"
    )
    (tmp_path / "a.yaml").write_text("a: b\n")
    done = run("lint", "a.yaml", "--cluster", "cluster.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "Error: cluster.yaml:9: Node gpu-1: status.allocatable.nvidia.com/gpu: '4x' isn't an amount; write one such as 8, 500m or 64Gi",
        "cluster.yaml:10: Node gpu-1: status.allocatable.cpu: must be 0 or more, not -1",
    ]
