"""Models, runtimes and services of OME for the measurements."""

from __future__ import annotations

from typing import Final

from weighbridge.policies.ground.objects import JSONObject

_ARCHITECTURES: Final = 40
_API: Final = "ome.io/v1beta1"


def _object(kind: str, name: str, spec: JSONObject, namespace: str = "") -> JSONObject:
    metadata = {"name": name, "uid": f"{kind}-{name}", "creationTimestamp": "2026-01-01T00:00:00Z"}
    return {"apiVersion": _API, "kind": kind, "metadata": metadata | ({"namespace": namespace} if namespace else {}), "spec": spec}


def _format(index: int) -> JSONObject:
    return {
        "modelFormat": {"name": "safetensors", "version": "1.0.0", "operator": "Equal", "weight": 1},
        "modelFramework": {"name": "transformers", "version": f"4.{30 + index % 3}.0", "operator": "GreaterThanOrEqual", "weight": 1},
        "modelArchitecture": f"Architecture{index % _ARCHITECTURES}",
    }


def model(index: int) -> JSONObject:
    """A model of the cluster."""
    storage = {"storageUri": f"hf://acme/model-{index}", "path": f"/models/model-{index}"}
    return _object("ClusterBaseModel", f"model-{index}", {**_format(index), "modelParameterSize": f"{1 + index % 70}B", "storage": storage})


def runtime(index: int) -> JSONObject:
    """A runtime of the cluster for models of one architecture and some sizes."""
    resources = {"limits": {"amd.com/gpu": "1"}, "requests": {"amd.com/gpu": "1"}}
    runner = {"name": "ome-container", "image": "docker.io/lmsysorg/sglang:v0.5.5", "args": ["--tp-size", "1"], "resources": resources}
    spec = {
        "supportedModelFormats": [{**_format(index), "autoSelect": True, "priority": 1}],
        "modelSizeRange": {"min": f"{1 + index % 60}B", "max": f"{20 + index % 60}B"},
        "engineConfig": {"runner": runner, "tolerations": [{"operator": "Exists"}]},
    }
    return _object("ClusterServingRuntime", f"runtime-{index}", spec)


def service(index: int) -> JSONObject:
    """A service of one of the models, whose runtime is selected."""
    return _object("InferenceService", f"service-{index}", {"model": {"name": f"model-{index}"}, "engine": {"minReplicas": 1}}, "serving")
