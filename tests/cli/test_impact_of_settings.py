"""The output of `weighbridge impact` for settings, weights and claims, which predictions read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_impact import _object, _written
from tests.command_line import run
from weighbridge.policies.families.ome.operator import SHIPPED

_OME = "ome.io/v1beta1"


def _of_ome(kind: str, name: str, spec: dict[str, Any], namespace: str = "") -> dict[str, Any]:
    return {**_object(kind, name, spec, namespace), "apiVersion": _OME}


def _settings(mode: str) -> dict[str, Any]:
    data = {key: json.dumps(value) for key, value in {**SHIPPED, "deploy": {"defaultDeploymentMode": mode}}.items()}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "inferenceservice-config", "namespace": "ome"}, "data": data}


def _weight(**spec: Any) -> dict[str, Any]:
    base = {"baseModelRef": {"name": "llama"}, "modelType": "LoRA", "hyperParameters": {"strategy": "lora"}}
    return _of_ome("FineTunedWeight", "ft", {**base, "storage": {"storageUri": "oci://n/n/b/b/o/w"}, **spec})


@pytest.fixture
def ome(tmp_path: Path) -> str:
    model = {"modelFormat": {"name": "safetensors"}, "modelParameterSize": "8B", "storage": {"storageUri": "hf://a/b", "path": "/m"}}
    formats = [{"modelFormat": {"name": "safetensors"}, "autoSelect": True}]
    objects = [
        _of_ome("ClusterBaseModel", "llama", model),
        _of_ome(
            "ClusterServingRuntime",
            "srt",
            {"supportedModelFormats": formats, "engineConfig": {"runner": {"name": "ome-container", "image": "sglang:1"}}},
        ),
        _of_ome("BaseModel", "other", model, "lab"),
        _of_ome("ServingRuntime", "other", {"supportedModelFormats": []}, "lab"),
        _weight(configuration={}),
        _of_ome("InferenceService", "chat", {"model": {"name": "llama", "fineTunedWeights": ["ft"]}, "engine": {}}, "shop"),
        _settings("RawDeployment"),
    ]
    return _written(tmp_path / "ome.json", objects)


def test_a_fine_tuned_weight_breaks_the_services_that_name_it(ome: str, tmp_path: Path) -> None:
    changed = _written(tmp_path / "changed.json", [_weight()])
    done = run("impact", "-f", changed, "--cluster", ome)
    assert (done.returncode, done.stdout.splitlines()[1]) == (1, "InferenceService shop/chat: breaks")
    assert "WB-002" in run("lint", changed, "--cluster", ome).stdout
    gone = run("impact", "--delete", "FineTunedWeight/ft", "--cluster", ome)
    assert (gone.returncode, gone.stdout.splitlines()[1]) == (1, "InferenceService shop/chat: breaks")


def test_the_settings_of_an_operator_lead_to_all_that_goes_by_them(ome: str, tmp_path: Path) -> None:
    changed = _written(tmp_path / "changed.json", [_settings("Serverless")])
    done = run("impact", "-f", changed, "--cluster", ome)
    assert (done.returncode, done.stdout.splitlines()[1]) == (0, "InferenceService shop/chat: resolves differently")
    assert "deploymentMode" in done.stdout
    broken = _settings("RawDeployment")
    broken["data"]["deploy"] = "{"
    wrong = _written(tmp_path / "wrong.json", [broken])
    assert run("impact", "-f", wrong, "--cluster", ome).returncode == 1
    told = run("lint", wrong, "--cluster", ome).stdout
    assert "WB-002" in told
    assert "this change breaks InferenceService shop/chat" in told


def test_a_config_map_of_another_name_or_namespace_leads_to_nothing(ome: str, tmp_path: Path) -> None:
    for metadata in ({"name": "inferenceservice-config", "namespace": "shop"}, {"name": "other", "namespace": "ome"}):
        changed = _written(tmp_path / "changed.json", [{**_settings("Serverless"), "metadata": metadata}])
        done = run("impact", "-f", changed, "--cluster", ome)
        assert (done.returncode, done.stdout) == (2, "")
        assert "no prediction reads ConfigMap, so the impact of this change isn't known" in done.stderr


def test_a_config_map_can_be_deleted(ome: str) -> None:
    done = run("impact", "--delete", "ConfigMap/ome/inferenceservice-config", "--cluster", ome)
    assert (done.returncode, done.stderr, done.stdout.splitlines()[0]) == (0, "", "0 of 1 other objects resolve differently, 0 break")


def test_a_claim_that_is_deleted_breaks_the_service_that_names_it(tmp_path: Path) -> None:
    def of(kind: str, name: str, spec: dict[str, Any], status: dict[str, Any] | None = None) -> dict[str, Any]:
        group = "v1" if kind == "PersistentVolumeClaim" else "inference.llmkube.dev/v1alpha1"
        found = {"apiVersion": group, "kind": kind, "metadata": {"name": name, "namespace": "ai"}, "spec": spec}
        return found | ({"status": status} if status else {})

    model = of("Model", "m", {"source": "https://example.com/a.gguf"}, {"phase": "Ready", "cacheKey": "k", "path": "/models/k/model.gguf"})
    service = of("InferenceService", "s", {"modelRef": "m", "modelCache": {"claimName": "own"}})
    known = _written(tmp_path / "known.json", [model, service, of("PersistentVolumeClaim", "own", {"accessModes": ["ReadWriteOnce"]})])
    done = run("impact", "--delete", "PersistentVolumeClaim/ai/own", "--cluster", known)
    assert (done.returncode, done.stdout.splitlines()[1]) == (1, "InferenceService ai/s: breaks")
