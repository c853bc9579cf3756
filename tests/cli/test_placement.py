"""Where the pods of a workload could run, as a dry run reports it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.command_line import run

NODES = """\
apiVersion: v1
kind: Node
metadata: {name: big, labels: {gpu: MI300X}}
status: {allocatable: {cpu: "64", memory: 512Gi, pods: "110", amd.com/gpu: "8"}}
---
apiVersion: v1
kind: Node
metadata: {name: small, labels: {gpu: MI300X}}
spec: {taints: [{key: team, value: a, effect: NoSchedule}]}
status: {allocatable: {cpu: "8", memory: 32Gi, pods: "110", amd.com/gpu: "4"}}
"""
POD = {"containers": [{"name": "c", "image": "i", "resources": {"limits": {"amd.com/gpu": "8"}}}]}


@pytest.fixture
def cluster(tmp_path: Path) -> str:
    path = tmp_path / "nodes.yaml"
    path.write_text(NODES)
    return str(path)


def workload(kind: str, api_version: str, spec: object) -> str:
    return yaml.safe_dump({"apiVersion": api_version, "kind": kind, "metadata": {"name": "w"}, "spec": spec})


@pytest.mark.parametrize(
    "text",
    [
        workload("Pod", "v1", POD),
        workload("Deployment", "apps/v1", {"template": {"spec": POD}}),
        workload("CronJob", "batch/v1", {"jobTemplate": {"spec": {"template": {"spec": POD}}}}),
        workload("Rollout", "argoproj.io/v1alpha1", {"template": {"spec": POD}}),
    ],
    ids=["Pod", "Deployment", "CronJob", "any template"],
)
def test_whatever_makes_pods_is_placed(cluster: str, text: str) -> None:
    record = json.loads(run("dry-run", "-", "--cluster", cluster, "-o", "jsonl", text=text).stdout)
    placement = record["placement"]
    assert placement == {
        "feasible": ["big"],
        "rejected": {"small": ["node(s) had untolerated taint(s)"]},
        "message": "",
        "nearest": [],
        "outlook": "now",
    }


def test_where_no_node_fits_the_scheduler_s_words_and_the_nearest_miss_are_told(cluster: str) -> None:
    pod = {"containers": [{"name": "c", "image": "i", "resources": {"limits": {"amd.com/gpu": "16"}}}]}
    done = run("dry-run", "-", "-v", "--cluster", cluster, text=workload("Pod", "v1", pod))
    said = " ".join(done.stdout.split())
    assert done.returncode == 1
    assert "warning[PLACE-001] 0/2 nodes are available: 1 Insufficient amd.com/gpu, 1 node(s) had untolerated taint(s) nearest:" in said
    assert "8 of the 16 requested amd.com/gpu" in said
    assert "kube-scheduler: 0/2 nodes are available: 1 Insufficient amd.com/gpu, 1 node(s) had untolerated taint(s). preemption:" in said
    assert "not big: Insufficient amd.com/gpu" in said


RANGE = """\
apiVersion: v1
kind: LimitRange
metadata: {name: small, namespace: default}
spec: {limits: [{type: Container, max: {cpu: "1"}}]}
"""


@pytest.mark.parametrize(
    ("resources", "held", "told"),
    [
        ({"limits": {"cpu": "8"}}, RANGE, 'pods "w-" is forbidden: maximum cpu usage per Container is 1, but limit is 8'),
        (
            {"requests": {"cpu": "2"}, "limits": {"cpu": "1"}},
            "",
            'Pod "w-" is invalid: spec.containers[0].resources.requests: Invalid value',
        ),
    ],
    ids=["forbidden", "invalid"],
)
def test_pods_that_the_api_server_refuses_never_run(tmp_path: Path, resources: object, held: str, told: str) -> None:
    known = tmp_path / "cluster.yaml"
    known.write_text(f"{NODES}---\n{held}" if held else NODES)
    pod = {"containers": [{"name": "c", "image": "i", "resources": resources}]}
    text = workload("Deployment", "apps/v1", {"template": {"spec": pod}})
    lint = run("lint", "-", "--cluster", str(known), text=text)
    assert lint.returncode == 1
    assert f"warning[PLACE-001] {told}" in lint.stdout
    assert lint.stdout.splitlines()[-1] == "checked 1 object in 1 file: 0 failed, 1 warned, 1 whose pods are refused"
    assert run("lint", "-", "--cluster", str(known), "--fail-on", "error", text=text).returncode == 0
    dry_run = run("dry-run", "-", "--cluster", str(known), text=text)
    assert dry_run.returncode == 1
    assert "Deployment default/w (-:1): its pods are refused" in dry_run.stdout
    assert dry_run.stdout.splitlines()[-1] == "0 allowed, 0 refused, 1 whose pods are refused"
    record = json.loads(run("dry-run", "-", "--cluster", str(known), "-o", "jsonl", text=text).stdout)
    assert (record["neverRuns"], record["placement"]["outlook"]) == (True, "refused")
    (result,) = json.loads(run("lint", "-", "--cluster", str(known), "-o", "json", text=text).stdout)["results"]
    assert (result["neverRuns"], result["podsRefused"]) == (True, True)


def test_pods_that_wait_for_a_class_may_yet_be_taken(cluster: str) -> None:
    pod = {**POD, "priorityClassName": "high"}
    record = json.loads(run("dry-run", "-", "--cluster", cluster, "-o", "jsonl", text=workload("Pod", "v1", pod)).stdout)
    assert "neverRuns" not in record


def test_without_nodes_nothing_is_said_of_placement() -> None:
    record = json.loads(run("dry-run", "-", "-o", "jsonl", text=workload("Pod", "v1", POD)).stdout)
    assert "placement" not in record


@pytest.mark.parametrize(("key", "could"), [("team", True), ("other", False)], ids=["fits later", "fits never"])
def test_a_node_that_is_expected_is_told_of_where_none_fits_now(cluster: str, tmp_path: Path, key: str, could: bool) -> None:
    config = tmp_path / "config.yaml"
    node = {"labels": {"team": "a"}, "allocatable": {"amd.com/gpu": 16}}
    config.write_text(
        yaml.safe_dump({"apiVersion": "weighbridge.dev/v1alpha1", "kind": "Configuration", "expectedNodes": {"gpu-pool": node}})
    )
    pod = {
        "nodeSelector": {key: "a"},
        "containers": [{"name": "c", "image": "i", "resources": {"limits": {"amd.com/gpu": "16"}}}],
    }
    done = run("dry-run", "-", "--cluster", cluster, "--config", str(config), text=workload("Pod", "v1", pod))
    said = " ".join(done.stdout.split())
    assert ("no node can run its pods now, but gpu-pool could, once there" in said) is could
    assert ("0/2 nodes are available" in said) is not could


def test_a_pool_of_the_cluster_is_told_of_where_none_fits_now(cluster: str) -> None:
    pool = {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": "any"}, "spec": {"template": {"spec": {}}}}
    with open(cluster, "a") as nodes:
        nodes.write("---\n" + yaml.safe_dump(pool))
    pod = {"containers": [{"name": "c", "image": "i", "resources": {"limits": {"amd.com/gpu": "16"}}}]}
    done = run("dry-run", "-", "--cluster", cluster, text=workload("Pod", "v1", pod))
    assert "no node can run its pods now, but NodePool any could, once there" in " ".join(done.stdout.split())
