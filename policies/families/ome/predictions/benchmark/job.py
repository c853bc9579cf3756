"""The Job that OME makes of a BenchmarkJob.

Source: OME v0.1.5, pkg/controller/v1beta1/benchmark/controller.go and reconcilers/job/job.go; recorded with v0.1.5.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.ome.predictions.benchmark.output import output_arguments, output_of
from weighbridge.policies.families.ome.predictions.benchmark.target import Target
from weighbridge.policies.families.ome.subject.ready_labels import READY, ready_label
from weighbridge.policies.ground.fields import items, part, text, texts, whole
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

IMAGE: Final = "ghcr.io/sgl-project/genai-bench:0.1.113"
_CONTAINER: Final = "genai-bench"
_RESOURCES: Final = {"cpu": "2", "memory": "2Gi"}
_TOLERATION: Final[JSONObject] = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
_TOKEN: Final = "HUGGINGFACE_API_KEY"  # noqa: S105  # the name of a key, not its value
_METADATA: Final = (("engine", "--server-engine"), ("gpuType", "--server-gpu-type"), ("version", "--server-version"))


def job_of(job: JSONObject, target: Target) -> JSONObject:
    """The whole Job."""
    name = name_of(job)
    labels: JSONObject = {"benchmark": name}
    metadata: JSONObject = {"name": name, "namespace": namespace_of(job), "labels": labels}
    template: JSONObject = {"metadata": {"labels": dict(labels)}, "spec": _pod_spec(job, target)}
    spec: JSONObject = {"backoffLimit": 0, "completions": 1, "parallelism": 1, "template": template}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec}


def _pod_spec(job: JSONObject, target: Target) -> JSONObject:
    spec = spec_of(job)
    override = part(spec, "podOverride")
    container = _container(job, target)
    tolerations = items(override, "tolerations") or [_TOLERATION]
    pod: JSONObject = {"restartPolicy": "Never", "containers": [container], "tolerations": [*tolerations]}
    selector = part(override, "nodeSelector")
    volumes: list[JSONObject] = [*items(override, "volumes")]
    mounts: list[JSONObject] = [*items(override, "volumeMounts")]
    model = target.model.model if target.model is not None else None
    if model is not None and target.path:
        selector = {ready_label(model.namespace, model.name): READY, **selector}
        volumes.append({"name": model.name, "hostPath": {"path": target.path}})
        mounts.append({"name": model.name, "mountPath": target.path, "readOnly": True})
        container["env"] = [*items(container, "env"), {"name": "MODEL_PATH", "value": target.path}]
    output = output_of(job)
    if output.scheme == "pvc" and not output.mistake:
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


def _container(job: JSONObject, target: Target) -> JSONObject:
    spec = spec_of(job)
    is_overridden = isinstance(spec.get("podOverride"), dict)
    override = part(spec, "podOverride")
    resources = part(override, "resources")
    env: list[JSONObject] = [*items(override, "env"), {"name": "ENABLE_UI", "value": "false"}]
    secret = text(part(spec, "huggingFaceSecretReference"), "name")
    if secret:
        env.append({"name": _TOKEN, "valueFrom": {"secretKeyRef": {"name": secret, "key": _TOKEN}}})
    arguments = ["benchmark", *target.arguments, *_run_arguments(spec), *(output_arguments(job) or ())]
    return {
        "name": _CONTAINER if is_overridden else name_of(job),
        "image": text(override, "image") or IMAGE,
        "imagePullPolicy": "IfNotPresent",
        "command": [_CONTAINER],
        "args": [*arguments],
        "env": [*env],
        "resources": {kind: {**_RESOURCES, **part(resources, kind)} for kind in ("limits", "requests")},
    }


def _run_arguments(spec: JSONObject) -> list[str]:
    """What is measured, and of which server it is said to be."""
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
