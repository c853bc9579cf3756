"""OME on a live control plane: a verdict follows the runtimes, models and accelerator classes that are added, changed and deleted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import crd_files
from tests.e2e.process import WebhookProcess
from tests.e2e.reviews import answer, eventually, ready
from tests.e2e.test_live_facts import put_node
from tests.programs.control_plane.fixtures import StartControlPlane
from tests.programs.control_plane.plane import ControlPlane
from weighbridge.policies.ground.objects import JSONObject

# A server needs some time to take in OME's CRDs, three of which have more than 11,000 fields.
pytestmark = [pytest.mark.control_plane, pytest.mark.timeout(300)]

API = "ome.io/v1beta1"
MODEL: JSONObject = {
    "modelFormat": {"name": "safetensors"},
    "modelFramework": {"name": "transformers"},
    "modelParameterSize": "8B",
    "storage": {"storageUri": "hf://acme/llama", "path": "/models/llama"},
}
LABEL = "nvidia.com/gpu.product=NVIDIA-H100-80GB-HBM3"


@pytest.fixture
def plane(start_control_plane: StartControlPlane, tmp_path: Path) -> ControlPlane:
    """A control plane with OME's CRDs, a node with GPUs that has the model's files, and the model."""
    started = start_control_plane(*crd_files(tmp_path, "ome.io"))
    put_node(started, "a", nvidia_com__gpu="8")
    started.kubectl("label", "node", "a", LABEL, "models.ome.io/clusterbasemodel.llama=Ready", check=True)
    put(started, "ClusterBaseModel", "llama", MODEL)
    return started


@pytest.fixture
def following(plane: ControlPlane, tmp_path: Path) -> Iterator[WebhookProcess]:
    """The webhook, which follows the control plane."""
    with WebhookProcess(tmp_path, "--live", "--kubeconfig", str(plane.kubeconfig)) as webhook:
        eventually(lambda: ready(webhook))
        yield webhook


def put(plane: ControlPlane, kind: str, name: str, spec: JSONObject) -> None:
    obj = {"apiVersion": API, "kind": kind, "metadata": {"name": name}, "spec": spec}
    # kubectl would read the schemas of all kinds first.
    plane.kubectl("apply", "--server-side", "--force-conflicts", "--validate=false", "-f", "-", input=json.dumps(obj), check=True)


def delete(plane: ControlPlane, kind: str, name: str) -> None:
    plane.kubectl("delete", f"{kind.lower()}.ome.io", name, check=True)


def runtime(**spec: Any) -> JSONObject:
    """A runtime that serves the model."""
    item = {"modelFormat": {"name": "safetensors"}, "modelFramework": {"name": "transformers"}, "autoSelect": True}
    engine = {"runner": {"name": "ome-container", "image": "sglang:1"}}
    return {"supportedModelFormats": [item], "modelSizeRange": {"min": "1B", "max": "9B"}, "engineConfig": engine, **spec}


def verdict(webhook: WebhookProcess, **spec: Any) -> JSONObject:
    """The validating webhook's answer to a service of the model."""
    metadata = {"name": "chat", "namespace": "default"}
    model = {"name": "llama", "kind": "ClusterBaseModel"}
    service = {"apiVersion": API, "kind": "InferenceService", "metadata": metadata, "spec": {"model": model, "engine": {}, **spec}}
    return answer(webhook, service, "inferenceservices")


def speaks_of(webhook: WebhookProcess, rule: str, **spec: Any) -> bool:
    """Whether a rule has a finding on the service."""
    return rule in json.dumps(verdict(webhook, **spec))


def is_refused(webhook: WebhookProcess, rule: str, **spec: Any) -> bool:
    """Whether the service is refused for a rule."""
    said = verdict(webhook, **spec)
    return not said["allowed"] and rule in json.dumps(said)


def is_silent(webhook: WebhookProcess, **spec: Any) -> bool:
    """Whether the service is accepted, without findings on its model or runtime."""
    said = verdict(webhook, **spec)
    return bool(said["allowed"]) and "OME-" not in json.dumps(said)


def follows_the_runtimes(plane: ControlPlane, following: WebhookProcess) -> None:
    """A runtime of the cluster is added, disabled, changed and deleted; one of the namespace is added and deleted."""
    eventually(lambda: speaks_of(following, "OME-004"))
    put(plane, "ClusterServingRuntime", "srt", runtime())
    eventually(lambda: is_silent(following))
    put(plane, "ClusterServingRuntime", "srt", runtime(disabled=True))
    eventually(lambda: speaks_of(following, "OME-004"))
    put(plane, "ClusterServingRuntime", "srt", runtime())
    eventually(lambda: is_silent(following))
    put(plane, "ClusterServingRuntime", "srt", runtime(modelSizeRange={"min": "20B", "max": "80B"}))
    eventually(lambda: speaks_of(following, "OME-004"))
    put(plane, "ServingRuntime", "own", runtime())
    eventually(lambda: is_silent(following))
    delete(plane, "ServingRuntime", "own")
    eventually(lambda: speaks_of(following, "OME-004"))
    put(plane, "ClusterServingRuntime", "srt", runtime())
    eventually(lambda: is_silent(following))
    delete(plane, "ClusterServingRuntime", "srt")
    eventually(lambda: speaks_of(following, "OME-004"))


def follows_a_broken_runtime(plane: ControlPlane, following: WebhookProcess) -> None:
    """A broken runtime stops the selection until it is corrected, but it doesn't affect a service that names another runtime."""
    put(plane, "ClusterServingRuntime", "srt", runtime())
    eventually(lambda: is_silent(following))
    put(plane, "ClusterServingRuntime", "broken", runtime(modelSizeRange={"min": "1B"}))
    eventually(lambda: is_refused(following, "OME-007"))
    assert is_silent(following, runtime={"name": "srt"})
    put(plane, "ClusterServingRuntime", "broken", runtime(modelSizeRange={"min": "20B", "max": "80B"}))
    eventually(lambda: is_silent(following))
    delete(plane, "ClusterServingRuntime", "broken")
    delete(plane, "ClusterServingRuntime", "srt")


def follows_a_runtime_that_is_named(plane: ControlPlane, following: WebhookProcess) -> None:
    """The named runtime is added, is changed so that it fits, and loses its model."""
    named = {"runtime": {"name": "srt", "kind": "ClusterServingRuntime"}}
    eventually(lambda: speaks_of(following, "OME-002", **named))
    put(plane, "ClusterServingRuntime", "srt", runtime(modelSizeRange={"min": "20B", "max": "80B"}))
    eventually(lambda: is_refused(following, "OME-003", **named))
    put(plane, "ClusterServingRuntime", "srt", runtime())
    eventually(lambda: is_silent(following, **named))
    delete(plane, "ClusterBaseModel", "llama")
    eventually(lambda: speaks_of(following, "OME-001", **named))


def follows_the_accelerator_classes(plane: ControlPlane, following: WebhookProcess) -> None:
    """The first class in a runtime's list is chosen, whether a node has it or not; none is chosen if one in the list was deleted."""
    labels = dict([LABEL.split("=")])
    there: JSONObject = {"discovery": {"nodeSelector": labels}, "capabilities": {"memoryGB": "80Gi"}}
    put(plane, "AcceleratorClass", "h100", there)
    put(plane, "ClusterServingRuntime", "srt", runtime(acceleratorRequirements={"acceleratorClasses": ["a100", "h100"]}))
    by_policy = {"acceleratorSelector": {"policy": "FirstAvailable"}}
    eventually(lambda: speaks_of(following, "OME-014", **by_policy))
    put(plane, "AcceleratorClass", "a100", {**there, "discovery": {"nodeSelector": {"nvidia.com/gpu.product": "A100"}}})
    eventually(lambda: speaks_of(following, "OME-029", **by_policy))
    put(plane, "ClusterServingRuntime", "srt", runtime(acceleratorRequirements={"acceleratorClasses": ["h100", "a100"]}))
    eventually(lambda: is_silent(following, **by_policy))
    delete(plane, "AcceleratorClass", "h100")
    eventually(lambda: speaks_of(following, "OME-014", **by_policy))
    delete(plane, "ClusterServingRuntime", "srt")


def test_a_verdict_follows_what_the_cluster_has(plane: ControlPlane, following: WebhookProcess) -> None:
    # All of these run on one control plane, since its start takes long.
    follows_the_runtimes(plane, following)
    follows_a_broken_runtime(plane, following)
    follows_the_accelerator_classes(plane, following)
    follows_a_runtime_that_is_named(plane, following)
