"""The InferenceService that the operator creates, and the Deployment that KServe creates for it, whose pods are placed on nodes.

Source: kaiwo dbca1b55, internal/controller/aim/shared/kserve.go; aim-engine v0.2.1, internal/aimservice/kserve.go; KServe v0.16,
pkg/controller/v1beta1/inferenceservice/reconcilers/deployment (the standard mode).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from weighbridge.policies.families.aim.predictions.caches.kv_cache import volume_and_mount
from weighbridge.policies.families.aim.predictions.caches.volumes import DSHM, DSHM_MOUNT, Mount
from weighbridge.policies.families.aim.predictions.labels import kaiwo_label, label_value, labels_of_child
from weighbridge.policies.families.aim.predictions.workload import (
    PORT,
    Work,
    environment,
    gpus_of,
    layers,
    node_affinity,
    replicas,
    resources,
    scaling_annotations,
    sources_of,
)
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.prediction import PredictedValue
from weighbridge.policies.ground.fields import amount, items, part, text, text_map, texts, whole
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of

#: The labels that kaiwo gives to every InferenceService.
_KAIWO: Final = {
    "app.kubernetes.io/component": "inference-service",
    "app.kubernetes.io/managed-by": "aim-controller",
    "app.kubernetes.io/name": "aim-service",
}


def inference_service(work: Work, mounts: Sequence[Mount] = (), given: JSONObject | None = None) -> JSONObject:
    """The InferenceService with the claims of its weights; for kaiwo the shared memory comes from the ServingRuntime. `given` is the result
    of `container_of`.
    """
    metadata: JSONObject = {"name": work.name, "namespace": namespace_of(work.service)}
    if labels := _labels(work):
        metadata["labels"] = labels
    if found := _annotations(work):
        metadata["annotations"] = found
    container = {**(given or container_of(work))}
    predictor: JSONObject = {**replicas(work)}
    volumes, inner = ([DSHM], [DSHM_MOUNT]) if work.dialect.is_aim_engine else volume_and_mount(work.service)
    volumes = [*volumes, *(mount.as_volume() for mount in mounts)]
    inner = [*inner, *(mount.as_mount() for mount in mounts)]
    container |= {"volumeMounts": inner} if inner else {}
    if work.dialect.is_aim_engine:
        predictor["containers"] = [container]
    else:
        predictor["model"] = {"modelFormat": {"name": "aim", "version": "1"}, "runtime": name_of(work.template), **container}
        del predictor["model"]["name"]
    predictor |= _pod_fields(work) | ({"volumes": volumes} if volumes else {})
    if isinstance(scaling := work.spec.get("autoScaling"), dict):
        predictor["autoScaling"] = _scaling(scaling)
    return {
        "apiVersion": "serving.kserve.io/v1beta1",
        "kind": "InferenceService",
        "metadata": metadata,
        "spec": {"predictor": predictor},
    }


def predictor(work: Work, mounts: Sequence[Mount] = (), given: JSONObject | None = None) -> JSONObject:
    """The Deployment of the InferenceService."""
    name = f"{work.name}-predictor"
    found = given or container_of(work)
    image = text(found, "image") or text(spec_of(work.model), "image")
    container = {**found, "name": "kserve-container"} | ({"image": image} if image else {})
    volumes, inner = ([], []) if work.dialect.is_aim_engine else volume_and_mount(work.service)
    container["volumeMounts"] = [DSHM_MOUNT, *inner, *(mount.as_mount() for mount in mounts)]
    pod = {"containers": [container], "volumes": [DSHM, *volumes, *(mount.as_volume() for mount in mounts)], **_pod_fields(work)}
    labels = {"app": f"isvc.{name}"}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": namespace_of(work.service)},
        "spec": {
            "replicas": whole(replicas(work), "minReplicas", 1),
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": pod},
        },
    }


def values(work: Work) -> Iterator[PredictedValue]:
    """The main values of the InferenceService, with their sources."""
    shown = f"InferenceService/{work.name}"
    template = f"{text(work.template, 'kind')} {name_of(work.template)}"
    resource, count = gpus_of(work)
    if count:
        yield PredictedValue(shown, f"spec.predictor.containers[0].resources.limits[{resource}]", str(count), template, "its GPUs")
    affinity = node_affinity(work)
    if affinity is not None:
        required = part(affinity, "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
        asked = [one for term in items(required, "nodeSelectorTerms") for one in items(term, "matchExpressions")]
        ids = ", ".join(value for one in asked for value in texts(one, "values"))
        yield PredictedValue(shown, "spec.predictor.affinity", ids, template, "the device ids of its GPU")
    sources = {text(entry, "name"): source for source, entries in layers(work) for entry in entries}
    for entry in environment(work):
        name = text(entry, "name")
        shown_value = "(from a reference)" if "valueFrom" in entry else text(entry, "value")
        yield PredictedValue(shown, f"env {name}", shown_value, sources[name], "")


def _scaling(asked: JSONObject) -> JSONObject:
    """The metrics as KServe gets them: amounts that can't be read are left out, and so is a list without a metric."""
    metrics = []
    for metric in items(asked, "metrics"):
        target = part(metric, "podmetric", "target")
        amounts = ("value", "averageValue")
        kept = {key: value for key, value in target.items() if key not in amounts or amount(value) is not None}
        metrics.append({**metric, "podmetric": {**part(metric, "podmetric"), "target": kept}} if "podmetric" in metric else metric)
    rest = {key: value for key, value in asked.items() if key != "metrics"}
    return {**rest, "metrics": metrics} if metrics else rest


def container_of(work: Work) -> JSONObject:
    """The container of the engine, without mounts."""
    out: JSONObject = {"name": "kserve-container", "env": environment(work), "resources": resources(work)}
    if work.dialect.is_aim_engine:
        ports = [{"containerPort": PORT, "name": "http", "protocol": "TCP"}]
        out |= {"image": text(spec_of(work.model), "image"), "ports": ports}
    return out


def _pod_fields(work: Work) -> JSONObject:
    """Affinity, pull secrets and service account: kaiwo takes the template's account, aim-engine the service's."""
    owner = work.spec if work.dialect.is_aim_engine else work.template_spec
    secrets = items(work.spec, "imagePullSecrets")
    fields: JSONObject = {
        "affinity": node_affinity(work),
        "imagePullSecrets": secrets,
        "serviceAccountName": text(owner, "serviceAccountName"),
    }
    return {key: value for key, value in fields.items() if value}


def _annotations(work: Work) -> JSONObject:
    """KServe's annotations for scaling; kaiwo copies the service's annotations over them."""
    found = scaling_annotations(work)
    return found if work.dialect.is_aim_engine else {**found, **text_map(work.service, "metadata", "annotations")}


def _labels(work: Work) -> dict[str, str]:
    """The propagated labels, and those that the operator adds about the service; kaiwo copies all labels, whatever the config says."""
    group, name, template = work.dialect.group, name_of(work.service), name_of(work.template)
    found = part(work.profile, "metadata")
    if not work.dialect.is_aim_engine:
        own = {f"template.{key}": text(found, key) for key in ("metric", "precision") if text(found, key)}
        labels = text_map(work.service, "metadata", "labels") | {f"{group}/{key}": value for key, value in own.items()}
        return labels | kaiwo_labels(work)
    model = text(work.template_spec, "modelName") or name_of(work.model)
    own = {"model": model, "service": name, "template": template}
    # Before discovery the template's fields are what its profile will have.
    source = found if found or work.is_as_written else work.template_spec
    own |= {key: value for key in ("metric", "precision") if (value := text(source, key))}
    standard = {"app.kubernetes.io/component": "inference", "app.kubernetes.io/managed-by": "aim-engine"}
    given = {f"{group}/{key}": label_value(value) for key, value in own.items()} | standard
    return labels_of_child(work.service, work.config, work.dialect, given, {f"{group}/service.name": name})


def kaiwo_labels(work: Work) -> dict[str, str]:
    """The labels that kaiwo gives to the InferenceService and to the route of a service."""
    model, first = text(work.template_spec, "modelName"), text(next(iter(sources_of(work)), {}), "name")
    own = {
        "service-name": kaiwo_label(name_of(work.service)),
        "template": name_of(work.template),
        "model-id": kaiwo_label(first or model),
        "aim-image": kaiwo_label(model),
    }
    return {f"{work.dialect.group}/{key}": value for key, value in own.items()} | _KAIWO
