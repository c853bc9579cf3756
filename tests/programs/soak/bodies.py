"""The objects of the soak, with open fields, the values that must be filled in, and sizes from 1 KB to the API server's limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from weighbridge.policies.ground.objects import JSONObject, JSONValue

NAMESPACE: Final = "soak"
LLMKUBE: Final = "inference.llmkube.dev/v1alpha1"
INFERENCE_EXTENSION: Final = "inference.networking.x-k8s.io/v1alpha2"
#: The resources of a Node with which Models are filled in as in `FILLED_MODEL`.
ALLOCATABLE: Final[Mapping[str, str]] = {"cpu": "64", "memory": "512Gi", "pods": "110", "amd.com/gpu": "8"}

_KIB: Final = 1024
#: The limit on an object's annotations together, keys and values (k8s.io/apimachinery, pkg/api/validation).
MOST_ANNOTATIONS: Final = 256 * _KIB
#: The API server reads at most 3 MiB of a request; the rest of that is for metadata.
MOST_SPEC: Final = 3 * 1024 * _KIB - 16 * _KIB
_PAD: Final = "soak.example.com/pad"
#: The sizes of bodies: share of all bodies, least and most bytes. Most bodies are small, as real manifests are.
_SIZES: Final = (
    (0.9300, 1 * _KIB, 2 * _KIB),
    (0.0500, 2 * _KIB, 16 * _KIB),
    (0.0150, 16 * _KIB, 140 * _KIB),
    (0.0040, 140 * _KIB, MOST_ANNOTATIONS),
    (0.0008, MOST_ANNOTATIONS, 1024 * _KIB),
    (0.0002, 1024 * _KIB, MOST_SPEC),
)

Path = tuple[str, ...]
#: The values that the answer must have at these paths.
Values = Mapping[Path, JSONValue]

#: The values that the CRD and the webhook fill into `model`.
FILLED_MODEL: Final[Values] = {
    ("spec", "format"): "gguf",
    ("spec", "refreshPolicy"): "IfNotPresent",
    ("spec", "hardware", "gpu", "resourceName"): "amd.com/gpu",
}


@dataclass(frozen=True, slots=True)
class Sized:
    """An object, and the values that the answer must have for the parts that make it large."""

    obj: JSONObject
    values: Values


def size(random: Random) -> int:
    """The approximate number of bytes of an object."""
    _, least, most = random.choices(_SIZES, [share for share, _, _ in _SIZES])[0]
    return random.randint(least, most)


def model(name: str, **spec: JSONValue) -> JSONObject:
    """A Model on an AMD GPU, whose author left the resource open."""
    gpu: JSONObject = {"count": 1, "vendor": "amd", "runtime": "rocm"}
    return _object(LLMKUBE, "Model", name, {"source": "https://models.example.com/m.gguf", "hardware": {"gpu": gpu}, **spec})


def service(name: str, **spec: JSONValue) -> JSONObject:
    """An InferenceService of the Model `m`."""
    return _object(LLMKUBE, "InferenceService", name, {"modelRef": "m", "replicas": 1, **spec})


def inference_model(name: str, model_name: str) -> JSONObject:
    """An InferenceModel; whether its pool is there doesn't matter."""
    return _object(INFERENCE_EXTENSION, "InferenceModel", name, {"modelName": model_name, "poolRef": {"name": "pool"}})


def node() -> JSONObject:
    """A Node with GPUs."""
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "soak-gpus"}, "status": {"allocatable": dict(ALLOCATABLE)}}


def annotated(obj: JSONObject, count: int) -> Sized:
    """The object with annotations of that many bytes, up to the limit."""
    text = "x" * (min(count, MOST_ANNOTATIONS) - len(_PAD))
    metadata = {**obj["metadata"], "annotations": {_PAD: text}}
    return Sized({**obj, "metadata": metadata}, {("metadata", "annotations", _PAD): text})


def sized(obj: JSONObject, count: int) -> Sized:
    """The object with that many bytes: in annotations, or in many arguments of an InferenceService if annotations can't have so many."""
    if count <= MOST_ANNOTATIONS or obj["kind"] != "InferenceService":
        return annotated(obj, count)
    pair = ["--override-kv", "soak.argument.of.some.length=int:000000"]
    arguments = pair * (min(count, MOST_SPEC) // sum(len(item) + len('"",') for item in pair))
    return Sized({**obj, "spec": {**obj["spec"], "extraArgs": arguments}}, {("spec", "extraArgs"): arguments})


def at(obj: JSONValue, path: Path) -> JSONValue:
    """The value at the path; `None` if there is none."""
    for key in path:
        obj = obj.get(key) if isinstance(obj, dict) else None
    return obj


def _object(api_version: str, kind: str, name: str, spec: JSONObject) -> JSONObject:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": NAMESPACE}, "spec": spec}
