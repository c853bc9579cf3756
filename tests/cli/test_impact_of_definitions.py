"""The effect on objects when CustomResourceDefinitions of software that they need are added or removed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_impact import _written
from tests.command_line import run
from weighbridge.policies.apiserver.definitions import Definitions
from weighbridge.policies.config import DEFAULT
from weighbridge.policies.facts import from_objects
from weighbridge.policies.facts.document import Extent
from weighbridge.policies.ground.objects import GroupVersionKind, Operation
from weighbridge.policies.ground.request import Request
from weighbridge.policies.verdict.engine import Phase, decide

_CRDS = ("apiextensions.k8s.io", "CustomResourceDefinition")


def _crd(group: str, plural: str, kind: str) -> dict[str, Any]:
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
    names = {"plural": plural, "singular": kind.lower(), "kind": kind, "listKind": f"{kind}List"}
    spec = {"group": group, "scope": "Namespaced", "names": names, "versions": [version]}
    return {"apiVersion": f"{_CRDS[0]}/v1", "kind": _CRDS[1], "metadata": {"name": f"{plural}.{group}"}, "spec": spec}


_KEDA = _crd("keda.sh", "scaledobjects", "ScaledObject")
_OTHER = _crd("example.com", "things", "Thing")


def _ome(kind: str, name: str, spec: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    return {"apiVersion": "ome.io/v1beta1", "kind": kind, "metadata": {"name": name, **metadata}, "spec": spec}


_MODEL = {"modelFormat": {"name": "safetensors"}, "modelParameterSize": "8B", "storage": {"storageUri": "hf://a/b", "path": "/m"}}
_RUNTIME = {
    "supportedModelFormats": [{"modelFormat": {"name": "safetensors"}, "autoSelect": True}],
    "engineConfig": {"runner": {"name": "ome-container", "image": "sglang:1"}},
}
_OBJECTS = [
    _ome("ClusterBaseModel", "llama", _MODEL),
    _ome("ClusterServingRuntime", "srt", _RUNTIME),
    _ome(
        "InferenceService",
        "scaled",
        {
            "model": {"name": "llama"},
            "engine": {"minReplicas": 1, "maxReplicas": 4},
            "kedaConfig": {"enableKeda": True, "promServerAddress": "http://p:9090", "customPromQuery": "sum(r{s='%s'})"},
        },
        namespace="shop",
        annotations={"ome.io/autoscalerClass": "keda"},
    ),
]


@pytest.fixture
def cluster(tmp_path: Path) -> str:
    return _written(tmp_path / "cluster.json", [*_OBJECTS, _KEDA, _OTHER])


@pytest.mark.parametrize(("name", "code", "lines"), [("scaledobjects.keda.sh", 1, "breaks"), ("things.example.com", 0, "")])
def test_services_break_where_what_they_need_is_uninstalled(cluster: str, name: str, code: int, lines: str) -> None:
    done = run("impact", "--delete", f"crd/{name}", "--cluster", cluster)
    assert done.returncode == code
    said = done.stdout.splitlines()[1:3]
    assert said == (["InferenceService shop/scaled: breaks", "  fails: KEDA isn't installed"] if lines else [])


def test_services_run_once_what_they_need_is_installed(tmp_path: Path) -> None:
    without = _written(tmp_path / "cluster.json", [*_OBJECTS, _OTHER])
    done = run("impact", "-f", _written(tmp_path / "crd.json", [_KEDA]), "--cluster", without)
    assert (done.returncode, done.stdout.splitlines()[1]) == (0, "InferenceService shop/scaled: mends")


@pytest.mark.parametrize(("gone", "broken"), [(_KEDA, ["InferenceService shop/scaled"]), (_OTHER, [])])
def test_who_uninstalls_is_warned(gone: dict[str, Any], broken: list[str]) -> None:
    objects = [*_OBJECTS, _KEDA, _OTHER]
    facts = from_objects(objects, Definitions.from_manifests([_KEDA, _OTHER]), extent=Extent(complete=frozenset({_CRDS})))
    gvk = GroupVersionKind(_CRDS[0], "v1", _CRDS[1])
    request = Request("1", Operation.DELETE, gvk, None, old_object=gone, name=gone["metadata"]["name"])
    found = [finding.message for finding in decide(request, facts, DEFAULT, Phase.VALIDATE).findings if finding.rule == "WB-002"]
    assert found == [f"this deletion breaks {name}; of the first: KEDA isn't installed" for name in broken]
