"""OME's webhook for pods: what it adds to the pods of a service, and which pods it refuses.

It reads annotations, and settings in the ConfigMap of OME's manager. If the ConfigMap isn't known, the settings are those of OME's own
installation. That has none for fine-tuned adapters, and those for the sidecar only in the Helm chart.

Source: OME v0.1.5, pkg/webhook/admission/pod; config/configmap/inferenceservice.yaml and charts/ome-resources.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.families.ome.predictions.merge.rdma import PROFILE, is_asked_for, profile_of, with_rdma
from weighbridge.policies.families.ome.subject.storage_uris import read_uri
from weighbridge.policies.ground.fields import items, part, text, text_map
from weighbridge.policies.ground.objects import JSONObject, Path
from weighbridge.policies.ground.records import dataclass

#: The annotations about metrics, each with the setting that counts if a pod doesn't have the annotation.
_METRICS: Final = {"enable-metric-aggregation": "enableMetricAggregation", "enable-prometheus-scraping": "enablePrometheusScraping"}
#: The ports from which a pod's metrics are read: the one for all its containers together, and the one for a single container.
_AGGREGATED_PORT: Final = "9088"
_PORT: Final = "9091"
#: The fields that the settings of a container must have.
_REQUIRED: Final = ("image", "compartmentId", "authType")
_MAIN: Final = ("ome-container", "trainer")
#: The webhook's message if there is no container for which to fetch a model.
NO_CONTAINER: Final = f"no main container {' or '.join(_MAIN)} specified"
#: The webhook's panic if there are no GPUs for which to fetch an engine of TensorRT.
NO_GPU: Final = "NVIDIA GPU resource not set for main container"
_TENSORRT: Final = "tensorrtllm"
_NO_DASHES: Final = str.maketrans("", "", "-_")
_NVIDIA: Final = "nvidia.com/gpu"
MODEL_INIT: Final = f"{PREFIX}inject-model-init"
_ADAPTER: Final = f"{PREFIX}inject-fine-tuned-adapter"
SIDECAR: Final = f"{PREFIX}inject-serving-sidecar"
STRATEGY: Final = f"{PREFIX}fine-tuned-weight-ft-strategy"
NO_STRATEGY: Final = "failed to get the fine-tuned weight FT strategy for the serving sidecar"

#: The webhook's panic at a weight whose URI it can't read.
NOT_ON_OCI: Final = "panic: runtime error: invalid memory address or nil pointer dereference"


@dataclass(frozen=True, slots=True)
class Admitted:
    """A pod's template as its pods are stored, or why they are refused; `is_missing` names a missing setting, which upstream doesn't
    ship.
    """

    template: JSONObject
    refusal: str = ""
    is_missing: str = ""


def goes_by_settings(template: JSONObject) -> bool:
    """Whether the pods of a template depend on the webhook's settings."""
    found = annotations_of(template)
    return any(found.get(name) for name in (_ADAPTER, SIDECAR)) or found.get(MODEL_INIT) == "true"


def admitted(template: JSONObject, settings: Mapping[str, JSONObject], weight_uri: str = "") -> Admitted:
    """The pods of a template as the webhook changes them, with metadata and spec.

    `settings` are by their keys in the ConfigMap. `weight_uri` is the URI of the fine-tuned weight that the pods name, as far as it is
    known.
    """
    found = annotations_of(template)
    annotations = _with_metrics(found, settings.get("metricsAggregator", {}))
    out = {**template, "metadata": {**part(template, "metadata"), "annotations": annotations}}
    if found.get(MODEL_INIT) == "true":
        if not any(text(container, "name") in _MAIN for container in items(template, "spec", "containers")):
            return Admitted(template, NO_CONTAINER)
        if _is_tensorrt(found) and not _has_gpu(template):
            return Admitted(template, NO_GPU)
        if "modelInit" not in settings:
            return Admitted(template, "failed to validate ModelInitInjector", "modelInit")
        out = _with_container(out, "model-init", settings["modelInit"])
    for annotation, setting, injector, container in _NEEDING:
        if not found.get(annotation) or (annotation == SIDECAR and found[annotation] != "true"):
            continue
        if not all(text(settings.get(setting), field) for field in _REQUIRED):
            return Admitted(template, f"failed to validate {injector}", setting)
        if annotation == SIDECAR and STRATEGY not in found:
            return Admitted(template, NO_STRATEGY)
        if annotation == _ADAPTER and weight_uri and not read_uri(weight_uri).is_of("oci"):
            return Admitted(template, NOT_ON_OCI)
        out = _with_container(out, container, settings[setting], "containers" if annotation == SIDECAR else "initContainers")
    if is_asked_for(found):
        if profile_of(found) != PROFILE:
            return Admitted(template, f"unknown RDMA profile: {profile_of(found)}")
        out = {**out, "spec": with_rdma(part(out, "spec"), found)}
    return Admitted(out)


def _with_metrics(annotations: Mapping[str, str], settings: JSONObject) -> dict[str, str]:
    """The annotations of a pod with those about metrics."""
    out = {**{PREFIX + name: text(settings, setting) for name, setting in _METRICS.items()}, **annotations}
    is_aggregated, is_scraped = (out[PREFIX + name] == "true" for name in _METRICS)
    if is_scraped:
        out |= {"prometheus.io/port": _AGGREGATED_PORT if is_aggregated else _PORT, "prometheus.io/path": "/metrics"}
    return out


_NEEDING: Final = (
    (_ADAPTER, "fineTunedAdapter", "FineTunedAdapterInjector", "fine-tuned-adapter"),
    (SIDECAR, "servingSidecar", "ServingSidecarInjector", "serving-sidecar"),
)


def templates_of(obj: JSONObject) -> Iterator[tuple[str, JSONObject]]:
    """The templates of a workload, each with its role in a group; the role is empty if there is no group."""
    spec = part(obj, "spec")
    if obj["kind"] == "LeaderWorkerSet":
        group = part(spec, "leaderWorkerTemplate")
        yield "leader", part(group, "leaderTemplate")
        yield "worker", part(group, "workerTemplate")
    elif obj["kind"] == "Deployment":
        yield "", part(spec, "template")


def refused_pods(objects: Iterable[JSONObject], settings: Mapping[str, JSONObject], weight_uri: str = "") -> Iterator[tuple[str, Admitted]]:
    """The templates whose pods are refused, each with its component."""
    for obj in objects:
        for _, template in templates_of(obj):
            found = admitted(template, settings, weight_uri)
            if found.refusal:
                yield text(part(obj, "metadata", "labels"), "component"), found


def annotation_path(service: JSONObject | None, component: str, name: str) -> Path:
    """The field of a service that gives an annotation to the pods of a component."""
    is_own = name in text_map(service, "spec", component, "annotations")
    return ("spec", component, "annotations", name) if is_own else ("metadata", "annotations", name)


def as_admitted(obj: JSONObject, settings: Mapping[str, JSONObject]) -> JSONObject:
    """A workload with its pods as they are stored."""
    spec = part(obj, "spec")
    if obj["kind"] == "Deployment":
        return {**obj, "spec": {**spec, "template": admitted(part(spec, "template"), settings).template}}
    if obj["kind"] == "LeaderWorkerSet":
        group = part(spec, "leaderWorkerTemplate")
        pods = {f"{role}Template": admitted(template, settings).template for role, template in templates_of(obj)}
        return {**obj, "spec": {**spec, "leaderWorkerTemplate": {**group, **pods}}}
    return obj


def annotations_of(template: JSONObject) -> dict[str, str]:
    """The annotations of a template."""
    return text_map(template, "metadata", "annotations")


def _is_tensorrt(annotations: Mapping[str, str]) -> bool:
    """Whether the model is an engine of TensorRT, which is built for a certain number of GPUs."""
    return annotations.get(f"{PREFIX}base-model-format", "").translate(_NO_DASHES).lower() == _TENSORRT


def _has_gpu(template: JSONObject) -> bool:
    main = (found for found in items(template, "spec", "containers") if text(found, "name") == _MAIN[0])
    return any(_NVIDIA in part(found, "resources", "limits") for found in main)


def _with_container(template: JSONObject, name: str, setting: JSONObject, where: str = "initContainers") -> JSONObject:
    sides = {"requests": "Request", "limits": "Limit"}
    amounts = {side: {key: setting[key + end] for key in ("cpu", "memory") if key + end in setting} for side, end in sides.items()}
    container = {"name": name, "resources": amounts}
    spec = part(template, "spec")
    return {**template, "spec": {**spec, where: [*items(spec, where), container]}}
