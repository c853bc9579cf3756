"""The Job that OME makes for a BenchmarkJob.

Source: OME v0.1.5, pkg/controller/v1beta1/benchmark/controller.go and reconcilers/job/job.go; recorded with v0.1.5.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.predictions.benchmark.benchmark import Benchmark
from weighbridge.policies.families.ome.predictions.benchmark.output import output_arguments
from weighbridge.policies.families.ome.subject.ready_labels import READY, ready_label
from weighbridge.policies.ground.fields import items, part, text, texts, whole
from weighbridge.policies.ground.objects import JSONObject

IMAGE: Final = "ghcr.io/sgl-project/genai-bench:0.1.113"
_CONTAINER: Final = "genai-bench"
_RESOURCES: Final = {"cpu": "2", "memory": "2Gi"}
_TOLERATION: Final[JSONObject] = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
_TOKEN: Final = "HUGGINGFACE_API_KEY"  # noqa: S105  # the name of a key, not its value
_METADATA: Final = (("engine", "--server-engine"), ("gpuType", "--server-gpu-type"), ("version", "--server-version"))


def job_of(benchmark: Benchmark) -> JSONObject:
    """The whole Job."""
    name = benchmark.name
    labels: JSONObject = {"benchmark": name}
    metadata: JSONObject = {"name": name, "namespace": benchmark.namespace, "labels": labels}
    template: JSONObject = {"metadata": {"labels": dict(labels)}, "spec": _pod_spec(benchmark)}
    spec: JSONObject = {"backoffLimit": 0, "completions": 1, "parallelism": 1, "template": template}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec}


def _pod_spec(benchmark: Benchmark) -> JSONObject:
    override, target = part(benchmark.spec, "podOverride"), benchmark.target
    container = _container(benchmark)
    tolerations = items(override, "tolerations") or [_TOLERATION]
    pod: JSONObject = {"restartPolicy": "Never", "containers": [container], "tolerations": [*tolerations]}
    selector = part(override, "nodeSelector")
    volumes: list[JSONObject] = [*items(override, "volumes")]
    mounts: list[JSONObject] = [*items(override, "volumeMounts")]
    if (model := target.model) is not None and target.path:
        selector = {ready_label(model.namespace, model.name): READY, **selector}
        volumes.append({"name": model.name, "hostPath": {"path": target.path}})
        mounts.append({"name": model.name, "mountPath": target.path, "readOnly": True})
        container["env"] = [*items(container, "env"), {"name": "MODEL_PATH", "value": target.path}]
    output = benchmark.output
    if output.is_of("pvc"):
        claim = output.parts["claim"]
        volumes.append({"name": claim, "persistentVolumeClaim": {"claimName": claim}})
        mounts.append({"name": claim, "mountPath": f"/{output.parts['path']}"})
    if volumes:
        pod["volumes"] = [*volumes]
    if mounts:
        container["volumeMounts"] = [*mounts]
    if selector:
        pod["nodeSelector"] = selector
    affinity = part(override, "affinity")
    return {**pod, "affinity": affinity} if affinity else pod


def _container(benchmark: Benchmark) -> JSONObject:
    spec = benchmark.spec
    is_overridden = isinstance(spec.get("podOverride"), dict)
    override = part(spec, "podOverride")
    resources = part(override, "resources")
    env: list[JSONObject] = [*items(override, "env"), {"name": "ENABLE_UI", "value": "false"}]
    secret = text(part(spec, "huggingFaceSecretReference"), "name")
    if secret:
        env.append({"name": _TOKEN, "valueFrom": {"secretKeyRef": {"name": secret, "key": _TOKEN}}})
    arguments = ["benchmark", *benchmark.target.arguments, *_run_arguments(spec), *(output_arguments(benchmark.obj) or ())]
    return {
        "name": _CONTAINER if is_overridden else benchmark.name,
        "image": text(override, "image") or IMAGE,
        "imagePullPolicy": "IfNotPresent",
        "command": [_CONTAINER],
        "args": [*arguments],
        "env": [*env],
        "resources": {kind: {**_RESOURCES, **part(resources, kind)} for kind in ("limits", "requests")},
    }


def _run_arguments(spec: JSONObject) -> list[str]:
    """What is measured, and how the server is described."""
    out = ["--task", text(spec, "task"), "--max-time-per-run", str(whole(spec, "maxTimePerIteration"))]
    out += ["--max-requests-per-run", str(whole(spec, "maxRequestsPerIteration"))]
    for scenario in texts(spec, "trafficScenarios"):
        out += ["--traffic-scenario", scenario]
    metadata = spec.get("serviceMetadata")
    if isinstance(metadata, dict):
        for key, argument in _METADATA:
            out += [argument, text(metadata, key)]
        out += ["--server-gpu-count", str(whole(metadata, "gpuCount"))]
    return out
