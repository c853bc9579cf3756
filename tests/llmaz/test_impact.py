"""The effect of a changed model or runtime on the Playgrounds and Services of llmaz, which are in another group than the model."""

from __future__ import annotations

from pathlib import Path

from tests.command_line import run
from tests.conftest import ROOT

_CLUSTER = (ROOT / "docs" / "examples" / "llmaz" / "cluster.yaml").read_text()
_STORED = """
---
apiVersion: inference.llmaz.io/v1alpha1
kind: Playground
metadata: {name: chat, namespace: serving}
spec: {replicas: 1, modelClaim: {modelName: qwen2-72b, inferenceFlavors: [a100]}}
---
apiVersion: inference.llmaz.io/v1alpha1
kind: Service
metadata: {name: own, namespace: serving}
spec:
  replicas: 1
  modelClaims: {models: [{name: qwen2-72b, role: main}]}
  workloadTemplate: {workerTemplate: {spec: {containers: [{name: model-runner, image: "acme/engine:v1"}]}}}
"""
_MODEL = """
apiVersion: llmaz.io/v1alpha1
kind: OpenModel
metadata: {name: qwen2-72b}
spec:
  familyName: qwen2
  source: {modelHub: {modelID: Qwen/Qwen2-72B-Instruct}}
  inferenceConfig: {flavors: [{name: a100, limits: {nvidia.com/gpu: 8}, nodeSelector: {gpu: a100}}]}
"""


def _cluster(tmp_path: Path) -> str:
    file = tmp_path / "cluster.yaml"
    file.write_text(_CLUSTER + _STORED)
    return str(file)


def test_another_amount_of_a_flavor_reaches_playgrounds_and_services(tmp_path: Path) -> None:
    changed = tmp_path / "model.yaml"
    changed.write_text(_MODEL)
    done = run("impact", "-f", str(changed), "--cluster", _cluster(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    # An object that is given as a manifest gets the tolerations that are filled in.
    lines = done.stdout.splitlines()
    assert lines[:2] == [
        "2 of 2 other objects resolve differently, 0 break",
        "Playground serving/chat, Service serving/own: resolves differently",
    ]
    assert sum(line.endswith('containers[model-runner].resources.limits.nvidia.com/gpu: "4" -> "8"') for line in lines) == 1
    assert "no node of the cluster could run its pods" not in done.stdout


def test_what_is_stored_without_tolerations_has_none(tmp_path: Path) -> None:
    changed, cluster = tmp_path / "model.yaml", Path(_cluster(tmp_path))
    changed.write_text(_MODEL)
    cluster.write_text(cluster.read_text().replace("metadata: {name: own,", "metadata: {name: own, uid: u,"))
    done = run("impact", "-f", str(changed), "--cluster", str(cluster))
    lines = done.stdout.splitlines()
    assert lines[1] == "Playground serving/chat: resolves differently"
    at = lines.index("Service serving/own: resolves differently")
    assert lines[at + 1].startswith(
        "  no node of the cluster could run its pods: 0/2 nodes are available: 2 node(s) had untolerated taint(s)"
    )
    changed_limits = [line for line in lines if line.endswith('containers[model-runner].resources.limits.nvidia.com/gpu: "4" -> "8"')]
    assert len(changed_limits) == 2
    assert lines[0] == "2 of 2 other objects resolve differently, 0 break"


def test_a_model_that_goes_breaks_both(tmp_path: Path) -> None:
    done = run("impact", "--delete", "OpenModel/qwen2-72b", "--cluster", _cluster(tmp_path))
    assert done.returncode == 1
    assert '  fails: OpenModel.llmaz.io "qwen2-72b" not found' in done.stdout.splitlines()
    assert done.stdout.splitlines()[0] == "2 of 2 other objects resolve differently, 2 break"


def test_a_runtime_that_goes_breaks_playgrounds_alone(tmp_path: Path) -> None:
    done = run("impact", "--delete", "BackendRuntime/vllm", "--cluster", _cluster(tmp_path))
    assert done.returncode == 1
    assert done.stdout.splitlines()[1] == "Playground serving/chat: breaks"
    assert done.stdout.splitlines()[0] == "1 of 1 other objects resolve differently, 1 break"
