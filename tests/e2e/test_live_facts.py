"""The webhook follows a live cluster: its facts change with the cluster, and it keeps them while the API server is away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.e2e.conftest import crd_files
from tests.e2e.network import Condition, Network
from tests.e2e.process import WebhookProcess
from tests.e2e.reviews import answer, eventually, ready
from tests.programs.control_plane.crds import install_crds
from tests.programs.control_plane.credentials import User
from tests.programs.control_plane.fixtures import StartControlPlane
from tests.programs.control_plane.plane import ControlPlane
from weighbridge.policies.facts.autoscaling.status import NodeGroup, status_text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.webhook.cluster.permissions import cluster_roles

pytestmark = pytest.mark.control_plane

_VIEWER = User("viewer")


@pytest.fixture
def plane(start_control_plane: StartControlPlane) -> ControlPlane:
    """A control plane that a test may restart, with a user who may read nothing."""
    return start_control_plane(users=[_VIEWER])


@pytest.fixture
def following(plane: ControlPlane, tmp_path: Path) -> Iterator[WebhookProcess]:
    """The webhook, which follows the control plane."""
    with WebhookProcess(tmp_path, "--live", "--kubeconfig", str(plane.kubeconfig)) as webhook:
        eventually(lambda: ready(webhook))
        yield webhook


def verdict(webhook: WebhookProcess, resource: str = "amd.com/gpu", count: int = 4) -> JSONObject:
    """The validating webhook's answer to a Model that requests GPUs."""
    gpu = {"count": count, "vendor": "amd", "resourceName": resource}
    model = {
        "apiVersion": "inference.llmkube.dev/v1alpha1",
        "kind": "Model",
        "metadata": {"name": "m", "namespace": "default"},
        "spec": {"source": "https://example.com/m.gguf", "hardware": {"accelerator": "rocm", "gpu": gpu}},
    }
    return answer(webhook, model, "models")


def is_stale(webhook: WebhookProcess) -> bool:
    """Whether a verdict warns that it uses old facts."""
    return any("facts are" in warning for warning in verdict(webhook).get("warnings", []))


def age_of_nodes(webhook: WebhookProcess) -> float:
    """The age of the facts on nodes, by the metrics."""
    line = next(
        line for line in webhook.page("/metrics").splitlines() if line.startswith('weighbridge_facts_age_seconds{resource="nodes"}')
    )
    return float(line.rpartition(" ")[2])


def put_node(plane: ControlPlane, name: str, **allocatable: str) -> None:
    """A node with these resources; its taints don't matter here."""
    amounts = {"cpu": "8", "memory": "32Gi", "pods": "110"} | {
        key.replace("__", "/").replace("_", "."): text for key, text in allocatable.items()
    }
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": amounts, "capacity": amounts}}
    plane.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", input=json.dumps(node), check=True)
    status = json.dumps({"status": node["status"]})
    plane.kubectl("patch", "node", name, "--subresource=status", "--type=merge", "-p", status, check=True)


def test_nodes_that_come_change_and_go_are_seen(plane: ControlPlane, following: WebhookProcess) -> None:
    assert not verdict(following)["allowed"]
    put_node(plane, "a", amd_com__gpu="2")
    eventually(lambda: "the largest node has 2" in json.dumps(verdict(following)))
    put_node(plane, "a", amd_com__gpu="8")
    eventually(lambda: verdict(following)["allowed"])
    plane.kubectl("cordon", "a", check=True)
    eventually(lambda: "take no pods now" in json.dumps(verdict(following).get("warnings", [])))
    plane.kubectl("delete", "node", "a", check=True)
    eventually(lambda: not verdict(following)["allowed"])


def test_an_api_server_that_goes_away_and_comes_back_loses_nothing(plane: ControlPlane, following: WebhookProcess) -> None:
    put_node(plane, "a", amd_com__gpu="4")
    eventually(lambda: verdict(following)["allowed"])
    plane.restart_apiserver()
    assert verdict(following)["allowed"]
    put_node(plane, "b", amd_com__gpu="8")
    eventually(lambda: "facts are" not in json.dumps(verdict(following, count=8)) and verdict(following, count=8)["allowed"])
    plane.kubectl("delete", "node", "a", "b", check=True)
    eventually(lambda: not verdict(following)["allowed"])
    assert ready(following)


@pytest.mark.parametrize("failure", [Condition.CUT, Condition.SWALLOWING])
def test_a_network_that_fails_makes_facts_age_and_loses_nothing(plane: ControlPlane, tmp_path: Path, failure: Condition) -> None:
    put_node(plane, "a", amd_com__gpu="4")
    with Network(urlsplit(plane.server).port or 443) as network:
        kubeconfig = tmp_path / "kubeconfig"
        kubeconfig.write_text(plane.kubeconfig.read_text().replace(plane.server, f"https://127.0.0.1:{network.port}"))
        with WebhookProcess(tmp_path, "--live", "--kubeconfig", str(kubeconfig)) as webhook:
            eventually(lambda: ready(webhook) and verdict(webhook, count=4)["allowed"])
            network.become(failure)
            plane.kubectl("delete", "node", "a", check=True)
            put_node(plane, "b", amd_com__gpu="8")
            eventually(lambda: is_stale(webhook))
            assert verdict(webhook, count=4)["allowed"]
            assert age_of_nodes(webhook) > 0
            network.become(Condition.WHOLE)
            eventually(lambda: verdict(webhook, count=8)["allowed"] and not is_stale(webhook))
            eventually(lambda: age_of_nodes(webhook) == 0)
            plane.kubectl("delete", "node", "b", check=True)
            eventually(lambda: not verdict(webhook, count=4)["allowed"])


def test_crds_that_are_installed_later_are_followed(plane: ControlPlane, following: WebhookProcess, tmp_path: Path) -> None:
    known = 'weighbridge_facts_known{resource="models.inference.llmkube.dev"} 1.0'
    eventually(lambda: known in following.page("/metrics"))
    install_crds(plane, *crd_files(tmp_path, "inference.llmkube.dev", "inference.networking.x-k8s.io"))
    model = {
        "apiVersion": "inference.llmkube.dev/v1alpha1",
        "kind": "Model",
        "metadata": {"name": "stored", "namespace": "default"},
        "spec": {"source": "https://example.com/m.gguf"},
    }
    plane.kubectl("apply", "-f", "-", input=json.dumps(model), check=True)
    eventually(lambda: "models.inference.llmkube.dev: following" in [line.get("message") for line in following.lines()])


def test_what_may_not_be_read_is_not_known_and_no_reason_to_refuse(plane: ControlPlane, tmp_path: Path) -> None:
    with WebhookProcess(tmp_path, "--live", "--kubeconfig", str(plane.kubeconfig), "--context", "viewer") as webhook:
        eventually(lambda: ready(webhook))
        assert verdict(webhook)["allowed"]
        assert 'weighbridge_facts_known{resource="nodes"} 0.0' in webhook.page("/metrics")
        assert any(line.get("message") == "nodes: forbidden" for line in webhook.lines())


def test_without_a_cluster_the_server_waits_and_says_for_what(tmp_path: Path) -> None:
    kubeconfig = tmp_path / "kubeconfig"
    nowhere = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1"}}],
        "users": [{"name": "u", "user": {"token": "t"}}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
        "current-context": "x",
    }
    kubeconfig.write_text(json.dumps(nowhere))
    with WebhookProcess(tmp_path, "--live", "--kubeconfig", str(kubeconfig)) as webhook:
        with pytest.raises(OSError, match="503"):
            webhook.page("/readyz")
        with pytest.raises(OSError, match="503"):
            verdict(webhook)


def test_cluster_autoscaler_is_seen_with_the_permissions_that_are_given_out(plane: ControlPlane, tmp_path: Path) -> None:
    for role in cluster_roles()[:1]:
        plane.kubectl("apply", "-f", "-", input=json.dumps(role), check=True)
    plane.kubectl("create", "clusterrolebinding", "weighbridge", "--clusterrole=weighbridge", "--user=viewer", check=True)
    plane.kubectl("create", "configmap", "other", "--from-literal=a=b", "-n", "kube-system", check=True)
    put_node(plane, "cpu")
    with WebhookProcess(tmp_path, "--live", "--kubeconfig", str(plane.kubeconfig), "--context", "viewer") as webhook:
        eventually(lambda: ready(webhook))
        assert 'weighbridge_facts_known{resource="configmaps/cluster-autoscaler-status"} 1.0' in webhook.page("/metrics")
        assert not verdict(webhook)["allowed"]
        text = status_text([NodeGroup("eks-gpus-1a2b", 0, 4)])
        plane.kubectl("create", "configmap", "cluster-autoscaler-status", f"--from-literal=status={text}", "-n", "kube-system", check=True)
        eventually(lambda: "node group eks-gpus-1a2b may bring one" in json.dumps(verdict(webhook).get("warnings", [])))
        plane.kubectl("delete", "configmap", "cluster-autoscaler-status", "-n", "kube-system", check=True)
        eventually(lambda: not verdict(webhook)["allowed"])
    assert "no" in plane.kubectl("auth", "can-i", "list", "configmaps", "-n", "kube-system", "--as=viewer").stdout
    named = ["configmaps/cluster-autoscaler-status", "-n", "kube-system", "--as=viewer"]
    assert "yes" in plane.kubectl("auth", "can-i", "watch", *named).stdout


def test_a_node_of_a_pool_is_remembered_once_it_is_gone(plane: ControlPlane, following: WebhookProcess) -> None:
    put_node(plane, "cpu")
    put_node(plane, "gpu", amd_com__gpu="4")
    plane.kubectl("label", "node", "gpu", "eks.amazonaws.com/nodegroup=gpus", check=True)
    plane.kubectl("cordon", "gpu", check=True)
    eventually(lambda: "take no pods now" in json.dumps(verdict(following).get("warnings", [])))
    plane.kubectl("delete", "node", "gpu", check=True)
    eventually(lambda: "no node has amd.com/gpu" in json.dumps(verdict(following)))
    assert verdict(following)["allowed"]
    assert not verdict(following, count=8)["allowed"]
