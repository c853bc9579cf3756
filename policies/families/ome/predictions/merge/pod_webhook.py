"""OME's webhook for pods: what it adds to the pods of a service, and which it refuses.

It reads annotations, and settings in the ConfigMap inferenceservice-config. That isn't read here: the settings are those of OME's own
installation, which has none for fine-tuned adapters, and for the sidecar in its Helm chart alone.

Source: OME v0.1.5, pkg/webhook/admission/pod; config/configmap/inferenceservice.yaml and charts/ome-resources.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.ground.fields import items, part, text, text_map
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass

#: The container that fetches a model into the pod. The memory is the chart's, the least that is shipped; kustomize's is 320Gi.
SHIPPED: Final[Mapping[str, JSONObject]] = {"modelInit": {"cpu": "15", "memory": "150Gi"}}
_METRICS: Final = ("enable-metric-aggregation", "enable-prometheus-scraping")
_MAIN: Final = ("ome-container", "trainer")
#: Its words where there is no container to fetch a model for.
NO_CONTAINER: Final = f"no main container {' or '.join(_MAIN)} specified"
#: Its panic where there are no GPUs to fetch an engine of TensorRT for.
NO_GPU: Final = "NVIDIA GPU resource not set for main container"
_TENSORRT: Final = "tensorrtllm"
_NO_DASHES: Final = str.maketrans("", "", "-_")
_NVIDIA: Final = "nvidia.com/gpu"
#: The annotations for RDMA begin with this, and the only profile.
RDMA: Final = "rdma.ome.io/"
PROFILE: Final = "oci-roce"
MODEL_INIT: Final = f"{PREFIX}inject-model-init"
_ADAPTER: Final = f"{PREFIX}inject-fine-tuned-adapter"
SIDECAR: Final = f"{PREFIX}inject-serving-sidecar"


@dataclass(frozen=True, slots=True)
class Admitted:
    """A pod's template as its pods are stored, or why they are refused; `is_missing` is a setting that isn't shipped."""

    template: JSONObject
    refusal: str = ""
    is_missing: str = ""


def goes_by_settings(template: JSONObject) -> bool:
    """Whether the pods of a template depend on the webhook's settings."""
    found = annotations_of(template)
    return any(found.get(name) for name in (_ADAPTER, SIDECAR)) or found.get(MODEL_INIT) == "true"


def admitted(template: JSONObject, settings: Mapping[str, JSONObject] = SHIPPED) -> Admitted:
    """The pods of a template as the webhook changes them, with metadata and spec, under these settings by their keys in the ConfigMap."""
    found = annotations_of(template)
    out = {**template, "metadata": {**part(template, "metadata"), "annotations": {**{PREFIX + n: "false" for n in _METRICS}, **found}}}
    if found.get(MODEL_INIT) == "true":
        if not any(text(container, "name") in _MAIN for container in items(template, "spec", "containers")):
            return Admitted(template, NO_CONTAINER)
        if _is_tensorrt(found) and not _has_gpu(template):
            return Admitted(template, NO_GPU)
        out = _with_init(out, "model-init", settings["modelInit"])
    for annotation, setting, injector, container in _NEEDING:
        if not found.get(annotation) or (annotation == SIDECAR and found[annotation] != "true"):
            continue
        if setting not in settings:
            return Admitted(template, f"failed to validate {injector}", setting)
        out = _with_init(out, container, settings[setting])
    profile = found.get(f"{RDMA}profile", PROFILE)
    if found.get(f"{RDMA}auto-inject") == "true" and profile != PROFILE:
        return Admitted(template, f"unknown RDMA profile: {profile}")
    return Admitted(out)


_NEEDING: Final = (
    (_ADAPTER, "fineTunedAdapter", "FineTunedAdapterInjector", "fine-tuned-adapter"),
    (SIDECAR, "servingSidecar", "ServingSidecarInjector", "serving-sidecar"),
)


def templates_of(obj: JSONObject) -> Iterator[tuple[str, JSONObject]]:
    """The templates of a workload, each with its role in a group, which is empty for the others."""
    spec = part(obj, "spec")
    if obj["kind"] == "LeaderWorkerSet":
        group = part(spec, "leaderWorkerTemplate")
        yield "leader", part(group, "leaderTemplate")
        yield "worker", part(group, "workerTemplate")
    elif obj["kind"] == "Deployment":
        yield "", part(spec, "template")


def refused_pods(objects: Iterable[JSONObject]) -> Iterator[tuple[str, Admitted]]:
    """The pods that are refused, each with their component."""
    for obj in objects:
        for _, template in templates_of(obj):
            found = admitted(template)
            if found.refusal:
                yield text(part(obj, "metadata", "labels"), "component"), found


def annotation_path(service: JSONObject | None, component: str, name: str) -> Path:
    """The field in which a service gives the pods of a component an annotation."""
    is_own = name in text_map(service, "spec", component, "annotations")
    return ("spec", component, "annotations", name) if is_own else ("metadata", "annotations", name)


def as_admitted(obj: JSONObject) -> JSONObject:
    """A workload with its pods as they are stored."""
    spec = part(obj, "spec")
    if obj["kind"] == "Deployment":
        return {**obj, "spec": {**spec, "template": admitted(part(spec, "template")).template}}
    return obj


def annotations_of(template: JSONObject) -> dict[str, str]:
    """The annotations of a template."""
    return text_map(template, "metadata", "annotations")


def _is_tensorrt(annotations: Mapping[str, str]) -> bool:
    """Whether the model is an engine of TensorRT, which is fetched for a number of GPUs."""
    return annotations.get(f"{PREFIX}base-model-format", "").translate(_NO_DASHES).lower() == _TENSORRT


def _has_gpu(template: JSONObject) -> bool:
    main = (found for found in items(template, "spec", "containers") if text(found, "name") == _MAIN[0])
    return any(_NVIDIA in part(found, "resources", "limits") for found in main)


def _with_init(template: JSONObject, name: str, setting: JSONObject) -> JSONObject:
    amounts = {key: setting[key] for key in ("cpu", "memory") if key in setting}
    container = {"name": name, "resources": {"requests": amounts, "limits": amounts}}
    spec = part(template, "spec")
    return {**template, "spec": {**spec, "initContainers": [*items(spec, "initContainers"), container]}}
