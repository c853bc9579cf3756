"""The LeaderWorkerSet and the Kubernetes Service in front that the controller creates for a Service, and what it adds to the pods.

Source: llmaz 3c13ff3, pkg/controller/inference/service_controller.go and pkg/controller_helper/modelsource.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmaz.kinds import BALANCER_SUFFIX, FAMILY_LABEL, FLAVORS_ANNOTATION, LOADER, MODEL_LABEL, RUNNER, VOLUME
from weighbridge.policies.families.llmaz.operator import KnownOperator
from weighbridge.policies.families.llmaz.predictions.go_zeros import without_zeros
from weighbridge.policies.families.llmaz.predictions.resources import with_flavor
from weighbridge.policies.families.llmaz.subject.service import Service
from weighbridge.policies.families.llmaz.subject.sources import Source
from weighbridge.policies.ground.fields import items, part, text, text_map, whole
from weighbridge.policies.ground.objects import JSONObject, name_of

_MOUNT: Final[JSONObject] = {"name": VOLUME, "mountPath": "/workspace/models/"}
_LWS: Final = "leaderworkerset.sigs.k8s.io"
PORT: Final = 8080


def leader_worker_set(manifest: JSONObject, service: Service) -> JSONObject:
    """The workload of a Service, by its manifest; `service` has the models."""
    spec = spec_of(manifest)
    template = part(spec, "workloadTemplate")
    sources = service.sources
    made = {
        name: _pods(part(template, name), service, sources)
        for name in ("leaderTemplate", "workerTemplate")
        if isinstance(template.get(name), dict)
    }
    labelled = made.get("leaderTemplate", made.get("workerTemplate"))
    if labelled is not None and service.main is not None:
        labelled["metadata"] = _metadata(part(labelled, "metadata"), service.main, service)
    # The controller leaves out restartPolicy and subGroupPolicy of the template, so restartPolicy has its default.
    found: JSONObject = {**made, "size": whole(template, "size", 1), "restartPolicy": "RecreateGroupOnPodRestart"}
    return {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": service.name, "namespace": service.namespace},
        "spec": {
            "replicas": whole(spec, "replicas", 1),
            "startupPolicy": "LeaderReady",
            "rolloutStrategy": part(spec, "rolloutStrategy") or {"type": "RollingUpdate"},
            "leaderWorkerTemplate": found,
        },
    }


def balancer(service: Service) -> JSONObject:
    """The Kubernetes Service in front of the leaders."""
    ordered = service.claims.ordered
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": f"{service.name}{BALANCER_SUFFIX}",
            "namespace": service.namespace,
            "annotations": {"activator.llmaz.io/model-name": ordered[0].name if ordered else ""},
        },
        "spec": {
            "type": "ClusterIP",
            "ports": [{"name": "http", "port": PORT, "targetPort": PORT}],
            "selector": {f"{_LWS}/name": service.name, f"{_LWS}/worker-index": "0"},
        },
    }


def _pods(template: JSONObject, service: Service, sources: Sequence[Source]) -> dict[str, Any]:
    """One template with the loader, the model's volume, the flavor's limits and the scheduler added."""
    spec = dict(without_zeros(part(with_scheduler(template, service.operator), "spec")))
    flavor = service.flavor
    limits = flavor.limits if flavor is not None else {}
    added, containers = [] if service.skips else mounts(sources), items(spec, "containers")
    if not service.skips:
        started = map(_printed, items(spec, "initContainers"))
        spec["initContainers"] = [*started, *loaders(containers[:1], sources, service.operator)]
        spec["volumes"] = [*items(spec, "volumes"), *volumes(sources)]
    elif spec.get("initContainers"):
        spec["initContainers"] = [_printed(container) for container in items(spec, "initContainers")]
    if containers:
        spec["containers"] = [
            _with_model(container, sources, limits, added) if text(container, "name") == RUNNER else _printed(container)
            for container in containers
        ]
    kept = {name: values for name, values in spec.items() if values or name not in ("initContainers", "volumes")}
    return {**({"metadata": part(template, "metadata")} if part(template, "metadata") else {}), "spec": kept}


def _with_model(runner: JSONObject, sources: Sequence[Source], limits: JSONObject, added: Sequence[JSONObject]) -> JSONObject:
    """The model's container with the flavor's limits, and the mounts of the models or, without a loader, the variables from their
    secrets.
    """
    runner = {**runner, "volumeMounts": [*items(runner, "volumeMounts"), *added]} if added else with_secrets(runner, sources)
    return {**runner, "resources": with_flavor(part(runner, "resources"), limits)}


def _printed(container: JSONObject) -> JSONObject:
    """A container with its amounts as Go prints them."""
    asked = container.get("resources")
    return {**container, "resources": with_flavor(asked, {})} if isinstance(asked, dict) and asked else container


def with_scheduler(template: JSONObject, operator: KnownOperator) -> JSONObject:
    """A pod template with the configured scheduler if its author names none; the controller writes it into the Service as well."""
    spec = part(template, "spec")
    if text(spec, "schedulerName") or not operator.scheduler:
        return template
    return {**template, "spec": {**spec, "schedulerName": operator.scheduler}}


def loaders(first: Sequence[JSONObject], sources: Sequence[Source], operator: KnownOperator) -> list[JSONObject]:
    """The containers that fetch models, one per model; each gets the first container's variables before its own."""
    own = [variable for container in first for variable in items(container, "env")]
    return [
        {
            "name": LOADER if place == 0 else f"{LOADER}-{place}",
            "image": operator.image,
            "env": [*own, *source.loader_environment()],
            "volumeMounts": [_MOUNT],
        }
        for place, source in enumerate(sources)
        if source.has_loader
    ]


def volumes(sources: Sequence[Source]) -> list[JSONObject]:
    """The volume of the models, and before it a volume of the same name for each folder of the node."""
    return [
        *({"name": VOLUME, "hostPath": {"path": source.address}} for source in sources if source.scheme == "HOST"),
        {"name": VOLUME, "emptyDir": {}},
    ]


def mounts(sources: Sequence[Source]) -> list[JSONObject]:
    """The mounts of the models in the model's container: each folder of the node at its own path."""
    folders = [{"name": VOLUME, "mountPath": source.address, "readOnly": True} for source in sources if source.scheme == "HOST"]
    return [*folders, {**_MOUNT, "readOnly": True}]


def with_secrets(runner: JSONObject, sources: Sequence[Source]) -> JSONObject:
    """The container with the variables of its models' secrets; a variable that it has stays as it is."""
    env = items(runner, "env")
    for source in sources:
        env = [*env, *(variable for variable in source.secret_variables() if variable["name"] not in {text(one, "name") for one in env})]
    return {**runner, "env": env} if env else runner


def _metadata(metadata: JSONObject, model: JSONObject, service: Service) -> JSONObject:
    """The author's labels and annotations, with the model's labels and the claim's flavors over them."""
    labels = {MODEL_LABEL: name_of(model), FAMILY_LABEL: text(spec_of(model), "familyName")}
    out = {**metadata, "labels": {**text_map(metadata, "labels"), **labels}}
    named = ",".join(service.claims.flavors)
    return {**out, "annotations": {**text_map(metadata, "annotations"), FLAVORS_ANNOTATION: named}} if named else out
