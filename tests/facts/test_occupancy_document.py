"""The part of a snapshot with what pods take: writing, reading, redaction, and mistakes."""

from __future__ import annotations

from typing import Any

import pytest

from weighbridge.policies.facts.document import SnapshotHeader, mistakes, read_header
from weighbridge.policies.facts.occupancy import HostPort, Occupancy, RunningPod
from weighbridge.policies.facts.occupancy_document import as_json, redacted
from weighbridge.policies.ground.objects import field

PORTS = (HostPort(80), HostPort(53, "UDP", "10.0.0.1"))
PODS = (
    RunningPod("lab/a", "n2", 0, {"cpu": 1500, "memory": 2**31, "nvidia.com/gpu": 2}, PORTS, "2026-01-01T00:00:00Z"),
    RunningPod("lab/b", "n2", -5, {"cpu": 1000}, started="2026-01-02T00:00:00Z"),
    RunningPod("lab/c", "n1", 0, {"cpu": 1}),
)


def test_what_is_written_is_read_again() -> None:
    occupancy = Occupancy.of(PODS)
    document = SnapshotHeader(occupancy=occupancy).document([])
    assert list(mistakes(document)) == []
    read = read_header(document).extent.occupancy
    assert read is not None
    assert read.nodes == occupancy.nodes
    assert [entry["node"] for entry in document["pods"]] == ["n1", "n2"]
    assert document["pods"][1]["holders"] == [
        {
            "pod": "lab/a",
            "priority": 0,
            "requests": {"cpu": "1500m", "memory": "2Gi", "nvidia.com/gpu": "2"},
            "hostPorts": [{"port": 80}, {"port": 53, "protocol": "UDP", "hostIP": "10.0.0.1"}],
            "started": "2026-01-01T00:00:00Z",
        }
    ]


def test_a_snapshot_without_pods_says_nothing_of_them() -> None:
    assert "pods" not in SnapshotHeader().document([])
    assert read_header({}).occupancy is None
    empty = SnapshotHeader(occupancy=Occupancy({})).document([])
    assert empty["pods"] == []
    assert read_header(empty).occupancy is not None


def test_redacted_it_has_no_names_times_and_addresses() -> None:
    occupancy = Occupancy.of(PODS)
    found = redacted(occupancy, {"n1": "node-1", "n2": "node-2"}.__getitem__)
    text = str(as_json(found))
    assert not [secret for secret in ("lab", "n1'", "10.0.0.1", "2026") if secret in text]
    assert found.nodes["node-2"].used == occupancy.nodes["n2"].used
    assert [port.port for port in found.nodes["node-2"].ports] == [port.port for port in occupancy.nodes["n2"].ports]


@pytest.mark.parametrize(
    ("pods", "said"),
    [
        ("x", "pods: must be a list of maps with node, priorities, holders, moreHolders"),
        (["x"], "pods[0]: must be a map with node, priorities, holders, moreHolders"),
        ([{}], "pods[0].node: must be the name of a node"),
        ([{"node": "n", "names": 1}], "pods[0].names: unknown key; the keys here are node, priorities, holders, moreHolders"),
        ([{"node": "n", "priorities": [{"priority": "high"}]}], "pods[0].priorities[0].priority: must be a priority, such as 0"),
        ([{"node": "n", "priorities": [{"priority": 2**31}]}], "pods[0].priorities[0].priority: must be a priority, such as 0"),
        ([{"node": "n", "priorities": [{"priority": 0, "pods": -1}]}], "pods[0].priorities[0].pods: must be the number of pods"),
        (
            [{"node": "n", "priorities": [{"priority": 0, "requests": {"cpu": "lots"}}]}],
            "pods[0].priorities[0].requests.cpu: must be an amount, such as 500m or 16Gi",
        ),
        (
            [{"node": "n", "priorities": [{"priority": 0, "hostPorts": [{"port": 0}]}]}],
            "pods[0].priorities[0].hostPorts[0].port: must be the number of a port",
        ),
        ([{"node": "n", "holders": [{"priority": 3}]}], "pods[0].holders[0].priority: must be one of the node's priorities"),
        (
            [{"node": "n", "priorities": [{"priority": 3}], "holders": [{"priority": 3, "pod": 7}]}],
            "pods[0].holders[0].pod: must be a text",
        ),
    ],
)
def test_each_mistake_is_named_with_its_place(pods: Any, said: str) -> None:
    document = {"apiVersion": "weighbridge.dev/v1alpha1", "kind": "Snapshot", "pods": pods}
    assert [f"{field(path)}: {text}" for path, text in mistakes(document)] == [said]
