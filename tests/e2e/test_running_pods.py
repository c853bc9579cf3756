"""The running pods of a cluster, in a snapshot and in the webhook's watch."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.command_line import run
from tests.e2e.conftest import crd_files
from tests.e2e.process import WebhookProcess
from tests.e2e.reviews import answer, eventually, ready
from tests.programs.control_plane.build import Assets
from tests.programs.control_plane.credentials import User
from tests.programs.control_plane.plane import ControlPlane
from tests.programs.control_plane.prepared import plane_with_crds
from tests.yaml_documents import read
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.permissions import cluster_roles

pytestmark = pytest.mark.control_plane

_GPU = "nvidia.com/gpu"
_NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "gpu-host-17", "labels": {"kubernetes.io/hostname": "gpu-host-17"}},
    "status": {"allocatable": {"cpu": "16", "memory": "64Gi", "pods": "110", _GPU: "4"}},
}
_MODEL = {
    "apiVersion": "inference.llmkube.dev/v1alpha1",
    "kind": "Model",
    "metadata": {"name": "m", "namespace": "default"},
    "spec": {"source": "https://example.com/m.gguf", "hardware": {"accelerator": "cuda", "gpu": {"count": 3, "vendor": "nvidia"}}},
}
_SERVICE = {
    "apiVersion": "inference.llmkube.dev/v1alpha1",
    "kind": "InferenceService",
    "metadata": {"name": "chat", "namespace": "default"},
    "spec": {"modelRef": "m", "modelCache": {"persistence": "Ephemeral"}},
}
#: The priority class of the operator's chart, which its pods name.
_PRIORITY = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "llmkube-normal"}, "value": 0}
_WARNS = "apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\nrules: {PLACE-006: warn}\n"
_SAID = f"no node has 3 free {_GPU}: gpu-host-17 has 2, and would have 4 without default/notebook"


@pytest.fixture(scope="module")
def plane(control_plane_assets: Assets, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """A node with four GPUs, two of which a pod has, and two users, one of whom may watch pods."""
    crds = crd_files(tmp_path_factory.mktemp("crds"), "inference.llmkube.dev")
    with plane_with_crds(control_plane_assets, *crds, users=[User("viewer"), User("follower")]) as plane:
        reading, _, _, following = cluster_roles()
        for user, roles in {"viewer": [reading], "follower": [reading, following]}.items():
            for role in roles:
                name = role["metadata"]["name"]
                plane.kubectl("apply", "-f", "-", input=json.dumps(role), check=True)
                plane.kubectl("create", "clusterrolebinding", f"{user}-{name}", f"--clusterrole={name}", f"--user={user}", check=True)
        for obj in (_NODE, _MODEL, _PRIORITY):
            plane.kubectl("apply", "-f", "-", input=json.dumps(obj), check=True)
        # The API server adds this taint to a new node.
        plane.kubectl("taint", "node", "gpu-host-17", "node.kubernetes.io/not-ready:NoSchedule-", check=True)
        _create_pod(plane, "waits", schedulerName="none")
        _run_notebook(plane)
        yield plane


def _create_pod(plane: ControlPlane, name: str, **more: str) -> None:
    container = {"name": "c", "image": "example.invalid/none", "resources": {"limits": {_GPU: "2", "cpu": "1"}}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": {"containers": [container], **more}}
    plane.kubectl("create", "-f", "-", input=json.dumps(pod), check=True)


def _run_notebook(plane: ControlPlane) -> None:
    """Run a pod with two of the node's GPUs."""
    _create_pod(plane, "notebook", nodeName="gpu-host-17")


def _snapshot(plane: ControlPlane, path: Path, *options: str) -> JSONObject:
    result = run("snapshot", "--kubeconfig", str(plane.kubeconfig), "--file", str(path), *options)
    assert result.returncode == 0, result.stderr
    document: JSONObject = read(path.read_text())
    return document


def test_a_snapshot_has_what_pods_take_and_a_dry_run_goes_by_it(plane: ControlPlane, tmp_path: Path) -> None:
    path, objects = tmp_path / "cluster.yaml", tmp_path / "service.json"
    objects.write_text("\n---\n".join(map(json.dumps, (_MODEL, _SERVICE))))
    command = ("dry-run", "--isolated", str(objects), "--cluster", str(path), "-o", "json")
    assert "pods" not in _snapshot(plane, path)
    assert "today" not in json.loads(run(*command).stdout)["verdicts"][1]["placement"]
    document = _snapshot(plane, path, "--pods")
    taken = {"requests": {"cpu": "1", _GPU: "2"}}
    share = {"priority": 0, "pods": 1, **taken}
    assert document["pods"] == [
        {"node": "gpu-host-17", "priorities": [share], "holders": [{"pod": "default/notebook", "priority": 0, **taken}]}
    ]
    result = run(*command, "--fail-on", "capacity")
    found = json.loads(result.stdout)["verdicts"][1]
    (full,) = (finding["message"] for finding in found["findings"] if finding["rule"] == "PLACE-006")
    assert result.returncode == 1
    assert _SAID in full
    assert run(*command).returncode == 0


def test_a_redacted_snapshot_names_no_pod_and_no_node(plane: ControlPlane, tmp_path: Path) -> None:
    path = tmp_path / "cluster.yaml"
    document = _snapshot(plane, path, "--pods", "--redact")
    text = path.read_text()
    assert not [name for name in ("notebook", "gpu-host-17") if name in text]
    nodes = [item["metadata"]["name"] for item in document["items"] if item["kind"] == "Node"]
    assert [entry["node"] for entry in document["pods"]] == nodes
    objects = tmp_path / "service.json"
    objects.write_text("\n---\n".join(map(json.dumps, (_MODEL, _SERVICE))))
    text = run("lint", "--isolated", str(objects), "--cluster", str(path), "--fail-on", "capacity").stdout
    assert f"no node has 3 free {_GPU}: node-1 has 2, and would have 4 without 1 pod that runs there" in text


def test_a_snapshot_says_that_pods_may_not_be_read(plane: ControlPlane, tmp_path: Path) -> None:
    document = _snapshot(plane, tmp_path / "cluster.yaml", "--pods", "--context", "viewer")
    assert "pods" not in document
    unread = [entry["kind"] for entry in document["notKnown"]]
    # The role is that of the webhook, which doesn't evaluate the cluster's policies.
    assert [kind for kind in unread if not kind.endswith(".admissionregistration.k8s.io")] == ["Pod"]


def _warnings(webhook: WebhookProcess) -> str:
    return "; ".join(answer(webhook, _SERVICE, "inferenceservices").get("warnings", []))


def _has_room(webhook: WebhookProcess) -> bool:
    return "PLACE-006" not in _warnings(webhook)


def test_the_webhook_follows_pods_where_it_is_told_to_and_may(plane: ControlPlane, tmp_path: Path) -> None:
    config = tmp_path / "configuration.yaml"
    config.write_text(_WARNS)
    known = ("--live", "--kubeconfig", str(plane.kubeconfig), "--config", str(config))
    for options, follows in (
        (["--context", "follower", "--watch-pods"], True),
        (["--context", "viewer", "--watch-pods"], False),
        (["--context", "follower"], False),
    ):
        folder = tmp_path / "-".join(options)
        with WebhookProcess(folder, *known, *options) as webhook:
            eventually(partial(ready, webhook))
            assert (_SAID in _warnings(webhook)) is follows, options
            if follows:
                plane.kubectl("delete", "pod", "notebook", "--grace-period=0", "--force", check=True)
                eventually(partial(_has_room, webhook))
                _run_notebook(plane)
