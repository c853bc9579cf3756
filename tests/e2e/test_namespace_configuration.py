"""The namespaces of a live cluster narrow the configuration with ConfigMaps, which are created, changed and deleted while the webhook
serves.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.command_line import run
from tests.configuration.objects import HEAD, config_map
from tests.e2e.conftest import crd_files
from tests.e2e.process import WebhookProcess
from tests.e2e.reviews import answer, eventually, ready
from tests.programs.control_plane.credentials import User
from tests.programs.control_plane.fixtures import StartControlPlane
from tests.programs.control_plane.plane import ControlPlane
from tests.yaml_documents import read
from weighbridge.policies.ground.objects import JSONObject

pytestmark = pytest.mark.control_plane

_BLIND: Final = User("blind")
_WARN: Final = HEAD + "rules: {LLMKUBE-001: warn}\n"
_UNUSED: Final = "ConfigMap team-a/weighbridge is not used"


@pytest.fixture
def plane(start_control_plane: StartControlPlane, tmp_path: Path) -> ControlPlane:
    """A control plane with two namespaces, and a user who may read nothing."""
    plane = start_control_plane(*crd_files(tmp_path, "inference.llmkube.dev", "inference.networking.x-k8s.io"), users=[_BLIND])
    for namespace in ("team-a", "team-b"):
        plane.kubectl("create", "namespace", namespace, check=True)
    return plane


@pytest.fixture
def following(plane: ControlPlane, tmp_path: Path) -> Iterator[WebhookProcess]:
    """The webhook, which follows the control plane, with a rule that only warns cluster-wide."""
    config = tmp_path / "config.yaml"
    config.write_text(_WARN)
    options = ("--live", "--kubeconfig", str(plane.kubeconfig), "--config", str(config), "--reload-seconds", "0.2")
    with WebhookProcess(tmp_path, *options) as webhook:
        eventually(lambda: ready(webhook))
        yield webhook


def verdict(webhook: WebhookProcess, namespace: str = "team-a") -> JSONObject:
    """The validating webhook's answer to a Model for which LLMKUBE-001 has a finding."""
    hardware = {"accelerator": "rocm", "gpu": {"count": 1, "vendor": "nvidia"}}
    spec = {"source": "https://example.com/m.gguf", "hardware": hardware}
    metadata = {"name": "m", "namespace": namespace}
    return answer(webhook, {"apiVersion": "inference.llmkube.dev/v1alpha1", "kind": "Model", "metadata": metadata, "spec": spec}, "models")


def refuses(webhook: WebhookProcess, namespace: str = "team-a") -> bool:
    """Whether the verdict is a refusal by that rule."""
    found = verdict(webhook, namespace)
    return not found["allowed"] and "LLMKUBE-001" in found["status"]["message"]


def put(plane: ControlPlane, text: str, label: str = "true") -> None:
    """Apply the ConfigMap of team-a with this section."""
    plane.kubectl("apply", "-f", "-", input=json.dumps(config_map(text, label=label)), check=True)


def test_a_section_holds_as_long_as_its_config_map_is_there_and_labelled(plane: ControlPlane, following: WebhookProcess) -> None:
    assert not refuses(following)
    put(plane, "rules: {LLMKUBE-001: deny}")
    eventually(lambda: refuses(following))
    assert not refuses(following, "team-b")
    put(plane, "rules: {LLMKUBE-001: off}")
    eventually(lambda: any(warning.startswith(_UNUSED) for warning in verdict(following).get("warnings", [])))
    assert not refuses(following)
    assert 'weighbridge_namespace_configurations{result="refused"} 1.0' in following.page("/metrics")
    put(plane, "rules: {LLMKUBE-001: deny}")
    eventually(lambda: refuses(following))
    put(plane, "rules: {LLMKUBE-001: deny}", label="false")
    eventually(lambda: not refuses(following))
    put(plane, "rules: {LLMKUBE-001: deny}")
    eventually(lambda: refuses(following))
    plane.kubectl("delete", "configmap", "weighbridge", "-n", "team-a", check=True)
    eventually(lambda: not refuses(following))


def test_a_section_holds_from_the_first_call_on_and_outlives_the_api_server(plane: ControlPlane, tmp_path: Path) -> None:
    put(plane, "rules: {LLMKUBE-001: deny}")
    config = tmp_path / "config.yaml"
    config.write_text(_WARN)
    with WebhookProcess(tmp_path, "--live", "--kubeconfig", str(plane.kubeconfig), "--config", str(config)) as webhook:
        eventually(lambda: ready(webhook))
        assert refuses(webhook)
        plane.restart_apiserver()
        assert refuses(webhook)
        plane.kubectl("delete", "configmap", "weighbridge", "-n", "team-a", check=True)
        eventually(lambda: not refuses(webhook))


def test_who_may_not_read_config_maps_serves_without_them(plane: ControlPlane, tmp_path: Path) -> None:
    put(plane, "rules: {LLMKUBE-001: deny}")
    config = tmp_path / "config.yaml"
    config.write_text(_WARN)
    options = ("--live", "--kubeconfig", str(plane.kubeconfig), "--context", _BLIND.name, "--config", str(config))
    with WebhookProcess(tmp_path, *options) as webhook:
        eventually(lambda: ready(webhook))
        assert not refuses(webhook)
        assert 'weighbridge_facts_known{resource="configmaps"} 0.0' in webhook.page("/metrics")


def test_a_snapshot_brings_the_sections_and_no_other_config_map(plane: ControlPlane, tmp_path: Path) -> None:
    put(plane, "rules: {LLMKUBE-001: deny}")
    plane.kubectl("create", "configmap", "other", "-n", "team-a", "--from-literal=secret=word", check=True)
    snapshot = tmp_path / "cluster.yaml"
    done = run("snapshot", "--kubeconfig", str(plane.kubeconfig), "--file", str(snapshot))
    assert done.returncode == 0
    assert "ConfigMap" in done.stderr
    document = read(snapshot.read_text())
    assert [item["metadata"]["name"] for item in document["items"] if item["kind"] == "ConfigMap"] == ["weighbridge"]
    assert {"kind": "ConfigMap"}.items() <= document["notKnown"][0].items()
    shown = json.loads(run("config", "show", "--cluster", str(snapshot), "-n", "team-a", "--effective", "-o", "json").stdout)
    rule = next(entry for entry in shown["settings"] if entry["setting"] == "rules.LLMKUBE-001")
    assert rule["value"] == "deny"
