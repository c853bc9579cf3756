"""The Job that OME creates for a BenchmarkJob.

Source: OME v0.1.5, pkg/controller/v1beta1/benchmark/controller.go and reconcilers/job/job.go; recorded with v0.1.5.
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.predictions.benchmark.benchmark import Benchmark
from weighbridge.policies.families.ome.predictions.benchmark.output import output_arguments
from weighbridge.policies.families.ome.predictions.merge.strategic import merged
from weighbridge.policies.families.ome.subject.ready_labels import READY, ready_label
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.fields import amounts, part, text, whole
from weighbridge.policies.ground.objects import JSONObject

_CONTAINER: Final = "genai-bench"
_OUTPUT: Final = "benchmark-output-storage"
_TOLERATION: Final[JSONObject] = {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}
_TOKEN: Final = "HUGGINGFACE_API_KEY"  # noqa: S105  # the name of a key, not its value
_ANNOTATIONS: Final[JSONObject] = {"logging-forward": "true"}
_METADATA: Final = (("engine", "--server-engine"), ("gpuType", "--server-gpu-type"), ("version", "--server-version"))
#: The fields of an override that go into the container, and those that go into the pod.
_OF_CONTAINER: Final = ("image", "env", "envFrom", "volumeMounts", "resources")
_OF_POD: Final = ("volumes", "affinity", "nodeSelector", "tolerations")
#: An image that Kubernetes pulls each time: with the tag `latest`, or without tag and digest.
_LATEST: Final = expression(r"(?:[^@]*/)?[^/:@]*(?::latest(?:@.*)?)?")


def job_of(benchmark: Benchmark) -> JSONObject:
    """The whole Job."""
    name, namespace = benchmark.name, benchmark.namespace

    def metadata() -> JSONObject:
        return {"name": name, "namespace": namespace, "labels": {"benchmark": name}, "annotations": {**_ANNOTATIONS}}

    template: JSONObject = {"metadata": metadata(), "spec": _pod_spec(benchmark)}
    spec: JSONObject = {"backoffLimit": 0, "completions": 1, "parallelism": 1, "template": template}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata(), "spec": spec}


def _pod_spec(benchmark: Benchmark) -> JSONObject:
    container, volumes = _container(benchmark), _volumes(benchmark)
    pod: JSONObject = {"restartPolicy": "Never", "tolerations": [{**_TOLERATION}], "volumes": [*volumes]}
    if (model := benchmark.target.model) is not None:
        pod["nodeSelector"] = {ready_label(model.namespace, model.name): READY}
    override = part(benchmark.spec, "podOverride")
    own: JSONObject = {"name": _CONTAINER} if isinstance(benchmark.spec.get("podOverride"), dict) else {}
    container = merged(container, own | {key: value for key, value in override.items() if key in _OF_CONTAINER})
    pod = merged(pod, {key: value for key, value in override.items() if key in _OF_POD})
    resources = part(container, "resources")
    container["resources"] = {**resources, **{kind: _printed(resources, kind) for kind in ("limits", "requests")}}
    container["imagePullPolicy"] = "Always" if _LATEST.fullmatch(text(container, "image")) else "IfNotPresent"
    return {**pod, "containers": [container]}


def _printed(resources: JSONObject, kind: str) -> JSONObject:
    """Requests or limits as Go prints them."""
    return {name: str(found) for name, found in amounts(resources, kind).items()}


def _container(benchmark: Benchmark) -> JSONObject:
    """The container without the job's overrides."""
    spec, target, settings = benchmark.spec, benchmark.target, benchmark.settings
    env: list[JSONObject] = [{"name": "ENABLE_UI", "value": "false"}]
    secret = text(part(spec, "huggingFaceSecretReference"), "name")
    if secret:
        env.append({"name": _TOKEN, "valueFrom": {"secretKeyRef": {"name": secret, "key": _TOKEN}}})
    mounts: list[JSONObject] = []
    if (model := target.model) is not None:
        mounts.append({"name": model.name, "mountPath": target.path, "readOnly": True})
        env.append({"name": "MODEL_PATH", "value": target.path})
    output = benchmark.output
    if output.is_of("pvc"):
        mounts.append({"name": _OUTPUT, "mountPath": f"/{output.parts['path']}", "subPath": output.parts["path"]})
    return {
        "name": benchmark.name,
        "image": settings.image,
        "command": [_CONTAINER],
        "args": [*_arguments(benchmark)],
        "env": [*env],
        "resources": settings.resources,
        "volumeMounts": [*mounts],
    }


def _volumes(benchmark: Benchmark) -> list[JSONObject]:
    out: list[JSONObject] = []
    target, output = benchmark.target, benchmark.output
    if (model := target.model) is not None:
        out.append({"name": model.name, "hostPath": {"path": target.path}})
    if output.is_of("pvc"):
        out.append({"name": _OUTPUT, "persistentVolumeClaim": {"claimName": output.parts["claim"]}})
    return out


def _arguments(benchmark: Benchmark) -> list[str]:
    """The arguments: the target and the load, the description of the server, and the place of the results."""
    spec, target = benchmark.spec, benchmark.target
    out = ["benchmark", *target.arguments, "--task", benchmark.task]
    out += ["--max-time-per-run", str(whole(spec, "maxTimePerIteration"))]
    out += ["--max-requests-per-run", str(whole(spec, "maxRequestsPerIteration")), *target.credentials]
    for scenario in benchmark.scenarios:
        out += ["--traffic-scenario", scenario]
    for number in _numbers(spec):
        out += ["--num-concurrency", str(number)]
    if isinstance(folder := spec.get("resultFolderName"), str):
        out += ["--experiment-folder-name", folder]
    metadata = spec.get("serviceMetadata")
    if isinstance(metadata, dict):
        for key, argument in _METADATA:
            out += [argument, text(metadata, key)]
        out += ["--server-gpu-count", str(whole(metadata, "gpuCount"))]
    return [*out, *(output_arguments(benchmark.obj) or ())]


def _numbers(spec: JSONObject) -> list[int]:
    """The levels of concurrency."""
    found = spec.get("numConcurrency")
    return [number for number in found if type(number) is int] if isinstance(found, list) else []
