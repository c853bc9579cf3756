"""AIM on a live control plane: a verdict follows the runtime configs, and the statuses that the operator writes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run
from tests.e2e.conftest import crd_files
from tests.e2e.process import WebhookProcess
from tests.e2e.reviews import answer, eventually, ready
from tests.e2e.test_live_facts import put_node
from tests.programs.control_plane.fixtures import StartControlPlane
from tests.programs.control_plane.plane import ControlPlane
from weighbridge.policies.ground.objects import JSONObject

pytestmark = pytest.mark.control_plane

GROUP = "aim.eai.amd.com"


@pytest.fixture
def plane(start_control_plane: StartControlPlane, tmp_path: Path) -> ControlPlane:
    """A control plane with AIM's newest CRDs, and a node with GPUs."""
    started = start_control_plane(*crd_files(tmp_path, GROUP))
    put_node(started, "a", amd_com__gpu="8")
    started.kubectl("label", "node", "a", "amd.com/gpu.device-id=74a1", check=True)
    return started


@pytest.fixture
def following(plane: ControlPlane, tmp_path: Path) -> Iterator[WebhookProcess]:
    """The webhook, which follows the control plane."""
    with WebhookProcess(tmp_path, "--live", "--kubeconfig", str(plane.kubeconfig)) as webhook:
        eventually(lambda: ready(webhook))
        yield webhook


def put(plane: ControlPlane, kind: str, name: str, spec: JSONObject) -> None:
    obj = {"apiVersion": f"{GROUP}/v1alpha1", "kind": kind, "metadata": {"name": name}, "spec": spec}
    plane.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", input=json.dumps(obj), check=True)


def put_status(plane: ControlPlane, kind: str, name: str, **status: Any) -> None:
    """Write a status as the operator does."""
    patch = json.dumps({"status": status})
    plane.kubectl("patch", f"{kind.lower()}.{GROUP}", name, "--subresource=status", "--type=merge", "-p", patch, check=True)


def delete(plane: ControlPlane, kind: str, name: str) -> None:
    plane.kubectl("delete", f"{kind.lower()}.{GROUP}", name, check=True)


def put_model(plane: ControlPlane) -> None:
    """A model with a template, both ready."""
    put(plane, "AIMModel", "llama", {"image": "ghcr.io/acme/llama:1.0"})
    put_status(plane, "AIMModel", "llama", status="Ready")
    sources = [{"modelId": "acme/llama", "sourceUri": "hf://acme/llama", "size": "16Gi"}]
    hardware = {"gpu": {"requests": 1, "model": "MI300X"}}
    put(plane, "AIMServiceTemplate", "fast", {"modelName": "llama", "metric": "latency", "hardware": hardware, "modelSources": sources})
    put_status(plane, "AIMServiceTemplate", "fast", status="Ready")


def verdict(webhook: WebhookProcess, **spec: Any) -> JSONObject:
    """The validating webhook's answer to a service of the model."""
    metadata = {"name": "chat", "namespace": "default"}
    service = {"apiVersion": f"{GROUP}/v1alpha1", "kind": "AIMService", "metadata": metadata, "spec": {"model": {"name": "llama"}, **spec}}
    return answer(webhook, service, "aimservices")


def is_refused(webhook: WebhookProcess, rule: str, **spec: Any) -> bool:
    """Whether the service is refused for a rule."""
    said = verdict(webhook, **spec)
    return not said["allowed"] and rule in json.dumps(said)


def test_a_verdict_follows_the_config_of_the_namespace(plane: ControlPlane, following: WebhookProcess) -> None:
    put_model(plane)
    routed = {"routing": {"enabled": True}}
    eventually(lambda: is_refused(following, "AIM-005", **routed))
    put(plane, "AIMRuntimeConfig", "default", {"routing": {"gatewayRef": {"name": "gw"}}})
    eventually(lambda: verdict(following, **routed)["allowed"])
    put(plane, "AIMRuntimeConfig", "default", {"routing": {"pathTemplate": "/chat"}})
    eventually(lambda: is_refused(following, "AIM-005", **routed))
    put(plane, "AIMClusterRuntimeConfig", "default", {"routing": {"gatewayRef": {"name": "gw"}}})
    eventually(lambda: verdict(following, **routed)["allowed"])
    delete(plane, "AIMClusterRuntimeConfig", "default")
    eventually(lambda: is_refused(following, "AIM-005", **routed))
    put(plane, "AIMRuntimeConfig", "default", {"routing": {"gatewayRef": {"name": "gw"}}})
    eventually(lambda: verdict(following, **routed)["allowed"])
    delete(plane, "AIMRuntimeConfig", "default")
    eventually(lambda: is_refused(following, "AIM-005", **routed))


def test_a_verdict_follows_the_status_of_a_template(plane: ControlPlane, following: WebhookProcess) -> None:
    put_model(plane)
    named = {"template": {"name": "fast"}}
    eventually(lambda: verdict(following, **named)["allowed"] and "AIM-" not in json.dumps(verdict(following, **named)))
    put_status(plane, "AIMServiceTemplate", "fast", status="NotAvailable")
    eventually(lambda: is_refused(following, "AIM-015", **named))
    put_status(plane, "AIMServiceTemplate", "fast", status="Ready")
    eventually(lambda: verdict(following, **named)["allowed"])
    delete(plane, "AIMServiceTemplate", "fast")
    eventually(lambda: "AIM-003" in json.dumps(verdict(following, **named)))


def test_a_config_that_a_service_names_is_waited_for(plane: ControlPlane, following: WebhookProcess) -> None:
    put_model(plane)
    eventually(lambda: "AIM-001" in json.dumps(verdict(following, runtimeConfigName="team")))
    put(plane, "AIMClusterRuntimeConfig", "team", {})
    eventually(lambda: "AIM-001" not in json.dumps(verdict(following, runtimeConfigName="team")))


def test_the_impact_of_a_deletion_is_read_from_the_live_cluster(plane: ControlPlane) -> None:
    put_model(plane)
    put(plane, "AIMService", "chat", {"model": {"name": "llama"}, "template": {"name": "fast"}})
    done = run("impact", "--delete", "AIMServiceTemplate/default/fast", "--kubeconfig", str(plane.kubeconfig))
    assert done.returncode == 1
    assert "AIMService default/chat" in done.stdout
    assert "1 of 1 other objects resolve differently, 1 break" in done.stdout.splitlines()
