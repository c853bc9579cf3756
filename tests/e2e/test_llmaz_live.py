"""llmaz on a live control plane: a verdict follows the models, the runtimes, the nodes and the settings of the controllers."""

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

pytestmark = pytest.mark.control_plane


@pytest.fixture
def plane(start_control_plane: StartControlPlane, tmp_path: Path) -> ControlPlane:
    """A control plane with llmaz's CRDs."""
    return start_control_plane(*crd_files(tmp_path, "llmaz.io", "inference.llmaz.io"))


@pytest.fixture
def following(plane: ControlPlane, tmp_path: Path) -> Iterator[WebhookProcess]:
    """The webhook, which follows the control plane."""
    with WebhookProcess(tmp_path, "--live", "--kubeconfig", str(plane.kubeconfig)) as webhook:
        eventually(lambda: ready(webhook))
        yield webhook


def put(plane: ControlPlane, api_version: str, kind: str, name: str, **parts: Any) -> None:
    obj = {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, **parts.pop("metadata", {})}, **parts}
    plane.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", input=json.dumps(obj), check=True)


def model(plane: ControlPlane, resource: str) -> None:
    """An OpenModel with one flavor."""
    flavors = [{"name": "gpu", "limits": {resource: "1"}}]
    spec = {"familyName": "opt", "source": {"modelHub": {"modelID": "facebook/opt-125m"}}, "inferenceConfig": {"flavors": flavors}}
    put(plane, "llmaz.io/v1alpha1", "OpenModel", "opt", spec=spec)


def runtime(plane: ControlPlane, config: str) -> None:
    """A BackendRuntime with one recommended configuration."""
    recommended = [{"name": config, "args": ["--model", "{{ .ModelPath }}"]}]
    spec = {"image": "vllm/vllm-openai", "version": "v0.7.3", "recommendedConfigs": recommended}
    put(plane, "inference.llmaz.io/v1alpha1", "BackendRuntime", "vllm", spec=spec)


def verdict(webhook: WebhookProcess) -> JSONObject:
    """The validating webhook's answer to a Playground of the model."""
    playground = {
        "apiVersion": "inference.llmaz.io/v1alpha1",
        "kind": "Playground",
        "metadata": {"name": "pg", "namespace": "default"},
        "spec": {"replicas": 1, "modelClaim": {"modelName": "opt"}},
    }
    return answer(webhook, playground, "playgrounds")


def says(webhook: WebhookProcess, rule: str) -> bool:
    return rule in json.dumps(verdict(webhook))


def test_a_verdict_follows_models_runtimes_and_nodes(plane: ControlPlane, following: WebhookProcess) -> None:
    put_node(plane, "a", nvidia_com__gpu="2")
    eventually(lambda: says(following, "LLMAZ-024") and says(following, "LLMAZ-028"))
    model(plane, "nvidia.com/gpu")
    eventually(lambda: not says(following, "LLMAZ-024"))
    runtime(plane, "fast")
    eventually(lambda: says(following, "LLMAZ-029") and not verdict(following)["allowed"])
    runtime(plane, "default")
    eventually(lambda: verdict(following)["allowed"] and not says(following, "LLMAZ-029"))
    model(plane, "amd.com/gpu")
    eventually(lambda: says(following, "LLMAZ-071") and not verdict(following)["allowed"])
    put_node(plane, "b", amd_com__gpu="1")
    eventually(lambda: verdict(following)["allowed"])
    plane.kubectl("delete", "openmodel", "opt", check=True)
    eventually(lambda: says(following, "LLMAZ-024"))


def test_the_settings_of_the_controllers_are_followed(plane: ControlPlane, following: WebhookProcess) -> None:
    known = 'weighbridge_facts_known{resource="configmaps/llmaz-global-config"} 1.0'
    eventually(lambda: known in following.page("/metrics"))
    put_node(plane, "a", nvidia_com__gpu="2")
    model(plane, "nvidia.com/gpu")
    runtime(plane, "default")
    plane.kubectl("create", "namespace", "llmaz-system", check=True)

    # The node isn't ready, and it is known only of the default scheduler that it skips such nodes.
    for scheduler, is_told in (("default-scheduler", True), ("batch", False), ("default-scheduler", True)):
        data = {"config.data": f"scheduler-name: {scheduler}\ninit-container-image: inftyai/model-loader:v0.0.10\n"}
        put(plane, "v1", "ConfigMap", "llmaz-global-config", metadata={"namespace": "llmaz-system"}, data=data)
        eventually(lambda is_told=is_told: says(following, "PLACE-001") is is_told)  # type: ignore[misc]
