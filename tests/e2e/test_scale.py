"""Scaling a service is judged like a change of its replicas, with the facts of a live cluster."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import pytest

from tests.e2e.cluster import Cluster
from tests.e2e.process import WebhookProcess
from tests.e2e.reviews import eventually, ready
from tests.e2e.test_live_facts import put_node
from weighbridge.policies.ground.objects import JSONObject

pytestmark = pytest.mark.control_plane

_CONFIGURATION: Final = "apiVersion: weighbridge.dev/v1alpha1\nkind: Configuration\nllmkube: {operator: {quotaWebhook: true}}\n"
_SERVICE: Final = "inferenceservices.inference.llmkube.dev/s"


@pytest.fixture(scope="module")
def following(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebhookProcess]:
    """A node with GPUs, and the webhook that follows the cluster, registered in place of the usual one."""
    directory = tmp_path_factory.mktemp("following")
    config = directory / "config.yaml"
    config.write_text(_CONFIGURATION)
    put_node(cluster.plane, "gpus", nvidia_com__gpu="8")
    cluster.plane.kubectl("taint", "node", "gpus", "node.kubernetes.io/not-ready-")
    cluster.apply({"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "llmkube-normal"}, "value": 10000})
    options = ("--live", "--kubeconfig", str(cluster.plane.kubeconfig), "--config", str(config))
    with WebhookProcess(directory, *options) as webhook:
        eventually(lambda: ready(webhook))
        cluster.register(port=webhook.port, ca_bundle=webhook.ca_bundle)
        yield webhook
        cluster.register()
    cluster.plane.kubectl("delete", "node/gpus", "priorityclass/llmkube-normal", check=True)


@pytest.fixture
def namespace(cluster: Cluster, following: WebhookProcess, request: pytest.FixtureRequest) -> str:
    """A new namespace for the test, with a Model that takes a GPU for each pod, and a quota of two GPUs, both known to the webhook."""
    name = cluster.namespace(request.node.name.removeprefix("test_").replace("_", "-")[:50].strip("-"))
    cluster.apply(manifest("Model", name, "m", source="https://example.com/m.gguf", hardware={"gpu": {"count": 1}}))
    cluster.apply(manifest("GPUQuota", name, "q", gpuCount=2, namespaceRef=name))
    probe = manifest("InferenceService", name, "probe", modelRef="m", replicas=3, endpoint={"port": 8080})
    eventually(lambda: "would exceed gpuCount 2" in cluster.create(probe, dry_run=True).stderr)
    return name


def manifest(kind: str, namespace: str, name: str, **spec: Any) -> JSONObject:
    """An object of the family."""
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec}


def serve(cluster: Cluster, namespace: str, **spec: Any) -> None:
    """Store a service, and wait until the webhook knows it."""
    done = cluster.create(manifest("InferenceService", namespace, "s", modelRef="m", endpoint={"port": 8080}, **spec))
    assert done.returncode == 0, done.stderr
    seen = manifest("InferenceService", namespace, "probe", modelRef="m", replicas=2, endpoint={"port": 8080})
    eventually(lambda: "(current 0 " not in (said := cluster.create(seen, dry_run=True).stderr) and "current" in said)


def scale(cluster: Cluster, namespace: str, replicas: int, *options: str) -> Any:
    """`kubectl scale`."""
    return cluster.plane.kubectl("scale", "-n", namespace, _SERVICE, f"--replicas={replicas}", *options)


def replicas(cluster: Cluster, namespace: str) -> int:
    """The replicas of the stored service."""
    return int(cluster.plane.kubectl("get", "-n", namespace, _SERVICE, "-o", "jsonpath={.spec.replicas}", check=True).stdout)


def test_a_scale_within_a_quota_is_stored_and_one_beyond_is_refused(cluster: Cluster, namespace: str) -> None:
    serve(cluster, namespace, replicas=1)
    refused = scale(cluster, namespace, 3)
    assert refused.returncode == 1
    assert 'admission webhook "validate.llmkube.weighbridge.dev" denied the request' in refused.stderr
    assert "would exceed gpuCount 2 (current 0 + requested 3)" in refused.stderr
    assert replicas(cluster, namespace) == 1
    allowed = scale(cluster, namespace, 2)
    # The server has no StorageClass, so the claim of the cache waits; that is reported, and refuses nothing.
    assert allowed.returncode == 0
    assert "exceed" not in allowed.stderr
    assert replicas(cluster, namespace) == 2


def test_a_service_above_its_quota_may_be_scaled_down(cluster: Cluster, namespace: str) -> None:
    serve(cluster, namespace, replicas=2)
    cluster.apply(manifest("GPUQuota", namespace, "q", gpuCount=0, namespaceRef=namespace))
    eventually(lambda: "would exceed gpuCount 0" in scale(cluster, namespace, 3, "--dry-run=server").stderr)
    down = scale(cluster, namespace, 1)
    assert down.returncode == 0, down.stderr
    assert "Warning: LLMKUBE-124 " in down.stderr
    assert scale(cluster, namespace, 0).returncode == 0
    assert replicas(cluster, namespace) == 0


def test_what_was_wrong_already_does_not_hold_back_a_scale(cluster: Cluster, namespace: str, following: WebhookProcess) -> None:
    wrong = {"vllmConfig": {"tensorParallelSize": 4}, "replicas": 1}
    refused = cluster.create(manifest("InferenceService", namespace, "s", modelRef="m", endpoint={"port": 8080}, **wrong))
    assert "LLMKUBE-045" in refused.stderr
    cluster.unregister()
    serving = manifest("InferenceService", namespace, "s", modelRef="m", endpoint={"port": 8080}, **wrong)
    assert cluster.create(serving).returncode == 0
    cluster.register(port=following.port, ca_bundle=following.ca_bundle)
    eventually(lambda: "LLMKUBE-045" in scale(cluster, namespace, 2, "--dry-run=server").stderr)
    done = scale(cluster, namespace, 2)
    assert done.returncode == 0, done.stderr
    assert "Warning: LLMKUBE-045 " in done.stderr
    assert replicas(cluster, namespace) == 2


def test_bookkeeping_of_a_service_that_is_wrong_is_never_held_back(cluster: Cluster, namespace: str, following: WebhookProcess) -> None:
    cluster.unregister()
    wrong = manifest("InferenceService", namespace, "s", modelRef="m", vllmConfig={"tensorParallelSize": 4})
    assert cluster.create(wrong).returncode == 0
    cluster.register(port=following.port, ca_bundle=following.ca_bundle)
    kubectl = cluster.plane.kubectl
    patch = ("patch", "-n", namespace, _SERVICE, "--type=merge", "-p")
    kubectl("label", "-n", namespace, _SERVICE, "team=research", check=True)
    kubectl("annotate", "-n", namespace, _SERVICE, "note=kept", check=True)
    kubectl(*patch, json.dumps({"status": {"phase": "Failed", "replicas": 1}}), "--subresource=status", check=True)
    kubectl(*patch, json.dumps({"metadata": {"finalizers": ["example.com/hold"]}}), check=True)
    found = json.loads(kubectl("get", "-n", namespace, _SERVICE, "-o", "json", check=True).stdout)
    assert found["metadata"]["labels"] == {"team": "research"}
    assert found["status"]["phase"] == "Failed"
    assert "endpoint" not in found["spec"]
    kubectl("delete", "-n", namespace, _SERVICE, "--wait=false", check=True)
    kubectl(*patch, json.dumps({"metadata": {"finalizers": None}}), check=True)
    assert kubectl("get", "-n", namespace, _SERVICE).returncode == 1
