"""A deletion that breaks other objects is reported; it is refused only if the configuration says so."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.cluster import Cluster

pytestmark = pytest.mark.control_plane

GROUP = "aim.eai.amd.com"
NAMESPACE_CONTROLLER = "system:serviceaccount:kube-system:namespace-controller"
BREAKS = "this deletion breaks AIMService deletions/chat"


def _object(kind: str, name: str, spec: dict[str, Any], namespace: str = "deletions", **more: Any) -> dict[str, Any]:
    metadata = {"name": name} if "Cluster" in kind else {"name": name, "namespace": namespace}
    return {"apiVersion": f"{GROUP}/v1alpha1", "kind": kind, "metadata": metadata, "spec": spec, **more}


def _template(name: str) -> dict[str, Any]:
    source = {"modelId": "acme/llama", "sourceUri": "hf://acme/llama", "size": "16Gi"}
    spec = {"modelName": "llama", "metric": "latency", "hardware": {"gpu": {"requests": 1, "model": "MI300X"}}, "modelSources": [source]}
    return _object("AIMServiceTemplate", name, spec)


TEMPLATE = _template("fast")
PROFILE = {"metadata": {"type": "optimized", "metric": "latency", "gpu": "MI300X", "gpuCount": 1}}
NODE = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "a", "labels": {"amd.com/gpu.device-id": "74a1"}},
    "status": {"allocatable": {"cpu": "64", "memory": "1Ti", "pods": "110", "amd.com/gpu": "8"}},
}
KNOWN = [
    NODE,
    _object("AIMClusterRuntimeConfig", "default", {}),
    _object("AIMRuntimeConfig", "other", {}, "lab"),
    _object("AIMModel", "llama", {"image": "ghcr.io/acme/llama:1"}, status={"status": "Ready"}),
    _object("AIMClusterModel", "shared", {"image": "ghcr.io/acme/shared:1"}, status={"status": "Ready"}),
    _object("AIMClusterServiceTemplate", "shared", {"modelName": "shared"}),
    {**TEMPLATE, "status": {"status": "Ready", "profile": PROFILE}},
    _object("AIMService", "chat", {"model": {"name": "llama"}, "template": {"name": "fast"}}),
]


@pytest.fixture
def serving(cluster: Cluster, tmp_path: Path) -> Iterator[Cluster]:
    """The webhook, which knows of a service and its template; the template is stored."""
    cluster.serve(_options(tmp_path))
    cluster.namespace("deletions")
    cluster.apply(TEMPLATE)
    yield cluster
    cluster.webhook.send(signal.SIGCONT)
    cluster.serve([])
    cluster.register()


def _options(folder: Path, **rules: str) -> list[str]:
    folder.mkdir(exist_ok=True)
    (folder / "cluster.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": KNOWN}))
    configuration = {"apiVersion": "weighbridge.dev/v1alpha1", "kind": "Configuration", "rules": rules}
    (folder / "config.yaml").write_text(json.dumps(configuration))
    return ["--cluster", str(folder / "cluster.json"), "--config", str(folder / "config.yaml")]


def _delete(cluster: Cluster, *options: str) -> tuple[int, str]:
    done = cluster.plane.kubectl("delete", f"aimservicetemplate.{GROUP}", "fast", "-n", "deletions", *options)
    return done.returncode, done.stderr


def test_a_deletion_that_breaks_a_service_is_warned_of(serving: Cluster) -> None:
    code, said = _delete(serving)
    assert (code, BREAKS in said) == (0, True)
    assert said.startswith("Warning: WB-002 ")


def test_the_configuration_refuses_it_but_never_to_who_cleans_up(serving: Cluster, tmp_path: Path) -> None:
    serving.serve(_options(tmp_path / "denying", **{"WB-002": "deny"}))
    code, said = _delete(serving)
    assert code == 1
    assert f'admission webhook "delete.aim.weighbridge.dev" denied the request: {BREAKS}' in said
    code, said = _delete(serving, "--as", NAMESPACE_CONTROLLER, "--as-group", "system:masters")
    assert (code, said) == (0, "")


def test_an_outage_holds_no_deletion_back(serving: Cluster) -> None:
    serving.webhook.send(signal.SIGSTOP)
    assert _delete(serving)[0] == 0


def test_what_nobody_needs_goes_without_a_word(serving: Cluster) -> None:
    serving.apply(_template("spare"))
    done = serving.plane.kubectl("delete", f"aimservicetemplate.{GROUP}", "spare", "-n", "deletions")
    assert (done.returncode, done.stderr) == (0, "")
