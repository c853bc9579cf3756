"""A snapshot of a live control plane, and a dry run that uses it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command_line import run
from tests.e2e.conftest import crd_files
from tests.e2e.process import WebhookProcess
from tests.e2e.reviews import answer, eventually, ready
from tests.programs.control_plane.build import Assets
from tests.programs.control_plane.crds import install_crds
from tests.programs.control_plane.credentials import User
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.control_plane.prepared import plane_with_crds
from tests.yaml_documents import read, read_all
from weighbridge.policies.facts.autoscaling.status import NodeGroup, status_text

pytestmark = pytest.mark.control_plane

_POOL = {
    "apiVersion": "inference.networking.x-k8s.io/v1alpha2",
    "kind": "InferencePool",
    "metadata": {"name": "pool", "namespace": "default", "annotations": {"team": "secret-team"}},
    "spec": {"selector": {"app": "vllm"}, "targetPortNumber": 8000, "extensionRef": {"name": "picker"}},
}
_NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "gpu-host-17", "labels": {"kubernetes.io/hostname": "gpu-host-17", "gpu": "mi300x"}},
    "status": {"allocatable": {"amd.com/gpu": "4", "cpu": "8", "pods": "10"}},
}
_MODEL = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: Model
metadata: {name: m}
spec:
  source: https://example.com/m.gguf
  hardware: {accelerator: rocm, gpu: {count: 8, vendor: amd, runtime: rocm, resourceName: amd.com/gpu}}
---
apiVersion: inference.networking.x-k8s.io/v1alpha2
kind: InferenceModel
metadata: {name: i}
spec: {modelName: x, poolRef: {name: pol}}
"""
_CONFIG_MAPS = ("cluster-autoscaler-status", "other")
_OBJECTIVE = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: s}
spec: {modelRef: m, slo: {objective: '99'}}
"""
_PYRRA = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: servicelevelobjectives.pyrra.dev}
spec:
  group: pyrra.dev
  names: {kind: ServiceLevelObjective, plural: servicelevelobjectives}
  scope: Namespaced
  versions: [{name: v1alpha1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
"""


@pytest.fixture(scope="module")
def plane(control_plane_assets: Assets, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """A control plane with a pool and the families' CRDs, and a user who may not read nodes."""
    crds = crd_files(tmp_path_factory.mktemp("crds"), "inference.llmkube.dev", "inference.networking.x-k8s.io")
    with plane_with_crds(control_plane_assets, *crds, users=[User("viewer")]) as plane:
        plane.kubectl("apply", "-f", "-", input=json.dumps(_POOL), check=True)
        resource = "--resource=inferencepools.inference.networking.x-k8s.io"
        plane.kubectl("create", "clusterrole", "pools", "--verb=get,list", resource, check=True)
        plane.kubectl("create", "clusterrolebinding", "pools", "--clusterrole=pools", "--user=viewer", check=True)
        yield plane


@pytest.fixture
def populated(plane: ControlPlane) -> Iterator[ControlPlane]:
    """The same with a node; the objects that a test adds are removed with it."""
    plane.kubectl("apply", "-f", "-", input=json.dumps(_NODE), check=True)
    status = json.dumps({"status": _NODE["status"]})
    plane.kubectl("patch", "node", "gpu-host-17", "--subresource=status", "--type=merge", "-p", status, check=True)
    yield plane
    plane.kubectl("delete", "node", "--all", check=True)
    plane.kubectl("delete", "deployments,inferenceservices.inference.llmkube.dev", "--all", check=True)
    plane.kubectl("delete", "configmaps", *_CONFIG_MAPS, "-n", "kube-system", "--ignore-not-found", check=True)
    plane.kubectl("delete", "crd", "servicelevelobjectives.pyrra.dev", "--ignore-not-found", check=True)


def test_a_dry_run_goes_by_a_snapshot_of_the_live_cluster(populated: ControlPlane, tmp_path: Path) -> None:
    snapshot = tmp_path / "cluster.yaml"
    done = run("snapshot", "--kubeconfig", str(populated.kubeconfig), "--file", str(snapshot))
    assert (done.returncode, done.stdout) == (0, "")
    assert re.fullmatch(r"[^ ]+: read \d+ objects of \d+ kinds \(.*\b1 Node\b.*\); not read: nothing\n", done.stderr)
    document = read(snapshot.read_text())
    assert document["kind"] == "Snapshot"
    assert document["notKnown"] == []
    assert "managedFields" not in snapshot.read_text()
    verdicts = [
        json.loads(line) for line in run("dry-run", "-", "--cluster", str(snapshot), "-o", "jsonl", text=_MODEL).stdout.splitlines()
    ]
    findings = {finding["rule"]: finding for verdict in verdicts for finding in verdict["findings"]}
    assert findings["LLMKUBE-008"]["message"] == "the pod needs 8 amd.com/gpu on one node, and the largest node has 4"
    assert findings["GIE-002"]["nearest"] == "pool"
    assert all(verdict["unchecked"] == [] for verdict in verdicts)


def test_a_snapshot_tells_which_add_ons_are_installed(populated: ControlPlane, tmp_path: Path) -> None:
    def told() -> str:
        snapshot = tmp_path / "cluster.yaml"
        assert run("snapshot", "--kubeconfig", str(populated.kubeconfig), "--file", str(snapshot)).returncode == 0
        return run("dry-run", "-", "--cluster", str(snapshot), text=_OBJECTIVE).stdout

    assert "LLMKUBE-057" in told()
    crd = tmp_path / "crd.yaml"
    crd.write_text(_PYRRA)
    install_crds(populated, crd)
    without = told()
    assert "LLMKUBE-057" not in without
    assert "1 allowed" in without


_OPERATOR = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: llmkube, namespace: default, annotations: {team: SECRET-1}}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}, annotations: {token: SECRET-2}}
    spec:
      containers:
      - name: manager
        image: ghcr.io/defilantech/llmkube-controller:0.9.19
        args: [--dri-render-gid=991, --api-key=SECRET-3, "--default-litellm-url=https://me:SECRET-4@host"]
        env: [{name: PASSWORD, value: SECRET-5}]
"""
_SERVICE = """\
apiVersion: inference.llmkube.dev/v1alpha1
kind: InferenceService
metadata: {name: chat, namespace: default, annotations: {token: SECRET-6}}
spec:
  modelRef: llama
  env: [{name: HF_TOKEN, value: SECRET-7}]
  extraArgs: [--api-key=SECRET-8, --port=8080]
"""


def test_a_redacted_snapshot_holds_no_secret_and_says_what_was_one(populated: ControlPlane, tmp_path: Path) -> None:
    populated.kubectl("apply", "-f", "-", input=f"{_OPERATOR}---\n{_SERVICE}", check=True)
    plain = run("snapshot", "--kubeconfig", str(populated.kubeconfig)).stdout
    # Only the flags that are read are kept of the operator's arguments, and no bookkeeping.
    assert not re.findall(r"SECRET-[1235]|last-applied", plain)
    redacted = run("snapshot", "--kubeconfig", str(populated.kubeconfig), "--redact").stdout
    assert "SECRET-" not in redacted
    assert "--dri-render-gid=991" in redacted
    listed = {entry["kind"]: entry["fields"] for entry in read(redacted)["redacted"]}
    assert listed["InferenceService.inference.llmkube.dev"] == ["spec.env[0].value", "spec.extraArgs[0]", "metadata.annotations"]
    assert listed["Deployment.apps"] == ["spec.template.spec.containers[0].args[1]"]
    snapshot = tmp_path / "cluster.yaml"
    snapshot.write_text(redacted)
    assert run("dry-run", "-", "--cluster", str(snapshot), text=_MODEL).returncode < 2
    unreadable = run("snapshot", "--kubeconfig", str(populated.kubeconfig), "--context", "viewer", "--redact").stdout
    assert "viewer" not in unreadable
    assert "reason: 403 Forbidden\n" in unreadable


def test_a_redacted_snapshot_leads_to_the_same_verdict_and_names_nothing(populated: ControlPlane, tmp_path: Path) -> None:
    done = run("snapshot", "--kubeconfig", str(populated.kubeconfig), "--redact", "-o", "json")
    assert done.returncode == 0
    assert "gpu-host-17" not in done.stdout
    assert "secret-team" not in done.stdout
    snapshot = tmp_path / "cluster.json"
    snapshot.write_text(done.stdout)
    assert "the largest node has 4" in run("dry-run", "-", "--cluster", str(snapshot), text=_MODEL).stdout


def test_what_may_not_be_read_is_named_and_not_guessed_at(populated: ControlPlane, tmp_path: Path) -> None:
    snapshot = tmp_path / "cluster.yaml"
    done = run("snapshot", "--kubeconfig", str(populated.kubeconfig), "--context", "viewer", "--file", str(snapshot))
    assert done.returncode == 0
    (warning,) = (line for line in done.stderr.splitlines() if line.startswith("Warning: viewer may not list "))
    assert " kinds, so these are not known: " in warning
    assert ", Node, " in warning
    assert warning.endswith("; for a role that may, run: weighbridge rules -o rbac")
    assert re.search(r"^[^ ]+cluster\.yaml: read \d+ objects? of \d+ kinds.*; not read: \d+ kinds$", done.stderr, re.MULTILINE)
    words = run("snapshot", "--kubeconfig", str(populated.kubeconfig), "--context", "viewer", "-v").stderr
    assert 'Warning: Node is not known: 403 Forbidden: nodes is forbidden: User "viewer"' in words
    told = " ".join(run("dry-run", "-", "--cluster", str(snapshot), text=_MODEL).stdout.split())
    assert "nothing is known of the cluster's nodes" in told
    assert 'has no InferencePool "pol"' in told


def test_a_workload_is_placed_alike_by_snapshot_and_by_webhook(populated: ControlPlane, shared: Path, tmp_path: Path) -> None:
    sample = shared / "corpus/gie/samples/v0.5.1/test/testdata/inferencepool-e2e.yaml"
    deployment = next(doc for doc in read_all(sample.read_text()) if doc["kind"] == "Deployment")
    deployment["metadata"]["namespace"] = "default"
    deployment["spec"]["template"]["spec"]["containers"][0]["resources"] = {"limits": {"amd.com/gpu": "8"}}
    snapshot = tmp_path / "cluster.yaml"
    run("snapshot", "--kubeconfig", str(populated.kubeconfig), "--file", str(snapshot))
    record = json.loads(run("dry-run", "-", "--cluster", str(snapshot), "-o", "jsonl", text=json.dumps(deployment)).stdout)
    placement = record["placement"]
    assert placement["feasible"] == []
    # No controller has removed the taint of a new node.
    assert placement["rejected"] == {"gpu-host-17": ["node(s) had untolerated taint(s)"]}
    assert placement["message"].startswith("0/1 nodes are available: 1 node(s) had untolerated taint(s). ")
    assert "4 of the 8 requested amd.com/gpu" in " ".join(placement["nearest"])
    with WebhookProcess(tmp_path / "webhook", "--live", "--kubeconfig", str(populated.kubeconfig)) as webhook:
        eventually(lambda: ready(webhook))
        response = answer(webhook, deployment, "deployments")
    assert response["allowed"]
    assert response["warnings"] == record["warnings"]
    assert record["warnings"][0].startswith("PLACE-001 0/1 nodes are available")


@pytest.mark.parametrize("content", [None, "a: [", "- 1", "kind: Config\n", ""])
def test_a_kubeconfig_that_is_none_is_one_error(tmp_path: Path, content: str | None) -> None:
    kubeconfig = tmp_path / "kubeconfig"
    if content is not None:
        kubeconfig.write_text(content)
    done = run("snapshot", "--kubeconfig", str(kubeconfig))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"Error: {kubeconfig}: no ")


def test_a_snapshot_remembers_the_nodes_of_the_one_that_it_replaces(populated: ControlPlane, tmp_path: Path) -> None:
    snapshot = tmp_path / "cluster.yaml"
    take = ("snapshot", "--kubeconfig", str(populated.kubeconfig), "--file", str(snapshot))
    populated.kubectl("label", "node", "gpu-host-17", "eks.amazonaws.com/nodegroup=gpus", check=True)
    assert run(*take).returncode == 0
    populated.kubectl("delete", "node", "gpu-host-17", check=True)
    for _ in range(2):
        assert run(*take).returncode == 0
        document = read(snapshot.read_text())
        assert [node["metadata"]["name"] for node in document["formerNodes"]] == ["gpu-host-17"]
    told = run("dry-run", "-", "--cluster", str(snapshot), text=_MODEL.replace("count: 8", "count: 4")).stdout
    assert "a node such as gpu-host-17, which was there before" in " ".join(told.split())
    snapshot.write_text(snapshot.read_text().replace(f"cluster: {document['cluster']}", "cluster: another"))
    assert run(*take).returncode == 0
    assert "formerNodes" not in read(snapshot.read_text())
    snapshot.write_text("a: [")
    done = run(*take)
    assert done.returncode == 0
    assert done.stderr.startswith(f"Warning: {snapshot} isn't a snapshot")
    assert "formerNodes" not in read(snapshot.read_text())


def test_a_snapshot_has_the_status_of_cluster_autoscaler_and_no_other_config_map(populated: ControlPlane, tmp_path: Path) -> None:
    snapshot = tmp_path / "cluster.yaml"
    text = status_text([NodeGroup("gke-secret-project-gpus", 0, 4)])
    for name in _CONFIG_MAPS:
        populated.kubectl("create", "configmap", name, f"--from-literal=status={text}", "-n", "kube-system", check=True)
    for redact, group in (((), "node group gke-secret-project-gpus may bring one"), (("--redact",), "node group group-1 may bring one")):
        snapshot.unlink(missing_ok=True)
        done = run("snapshot", "--kubeconfig", str(populated.kubeconfig), "--file", str(snapshot), *redact)
        assert (done.returncode, done.stderr.count("\n"), done.stderr[-18:]) == (0, 1, "not read: nothing\n")
        document = read(snapshot.read_text())
        maps = [item["metadata"]["name"] for item in document["items"] if item["kind"] == "ConfigMap"]
        assert maps == ["cluster-autoscaler-status"]
        assert "ConfigMap/cluster-autoscaler-status" in document["complete"]
        told = run("dry-run", "-", "--cluster", str(snapshot), text=_MODEL).stdout
        assert group in " ".join(told.split())
        assert ("secret-project" in snapshot.read_text()) is not bool(redact)
