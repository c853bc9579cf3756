"""The Deployment that the operator creates for a service, composed of the parts that other modules predict.

It is the object that the operator sends to the API server: it has a strategy, but not the server's own defaults (probe timeouts,
termination).
Source: LLMKube v0.9.19, internal/controller/deployment_builder.go (constructDeployment).
"""

from __future__ import annotations

from weighbridge.policies.families.llmkube.predictions.engines import Launch
from weighbridge.policies.families.llmkube.predictions.service.image import image
from weighbridge.policies.families.llmkube.predictions.service.labels import labels, pod_annotations, pod_labels, selector
from weighbridge.policies.families.llmkube.predictions.service.resources import resources
from weighbridge.policies.families.llmkube.predictions.service.scheduling import (
    node_selector,
    passed_through,
    priority_class,
    strategy,
    tolerations,
)
from weighbridge.policies.families.llmkube.predictions.service.security import container_security_context, pod_security_context
from weighbridge.policies.families.llmkube.predictions.service.status import is_suspended
from weighbridge.policies.families.llmkube.predictions.service.workload import Workload
from weighbridge.policies.families.llmkube.predictions.storage.download import diagnosed
from weighbridge.policies.families.llmkube.predictions.storage.pod_storage import Storage
from weighbridge.policies.ground.fields import items, whole
from weighbridge.policies.ground.objects import JSONObject


def manifest(workload: Workload, storage: Storage, launch: Launch, replicas: int, pool: str = "") -> JSONObject:
    """The Deployment, with provenance in the workload; `pool` is the ModelPool that sets the replicas."""
    own = labels(workload)
    workload.first += (storage.values, launch.values)
    _tell_replicas(workload, replicas, pool)
    spec: JSONObject = {
        "replicas": replicas,
        "selector": {"matchLabels": selector(workload.name)},
        "template": {
            "metadata": {"labels": pod_labels(workload, own), "annotations": pod_annotations(workload, launch.port)},
            "spec": _pod(workload, storage, launch),
        },
        "strategy": strategy(workload),
    }
    kept = workload.spec.get("revisionHistoryLimit")
    if isinstance(kept, int):
        spec["revisionHistoryLimit"] = kept
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": workload.name, "namespace": workload.namespace, "labels": own},
        "spec": spec,
    }


def _pod(workload: Workload, storage: Storage, launch: Launch) -> JSONObject:
    pod: JSONObject = {
        "containers": [_container(workload, storage, launch)],
        "securityContext": pod_security_context(workload),
        "priorityClassName": priority_class(workload),
        **passed_through(workload),
    }
    for field, value in (
        ("initContainers", list(storage.init_containers)),
        ("volumes", [*storage.volumes, *items(workload.spec, "extraVolumes")]),
        ("tolerations", tolerations(workload)),
        ("nodeSelector", node_selector(workload)),
        ("resourceClaims", list(workload.gpus.claims)),
    ):
        if value:
            pod[field] = value
    if workload.runtime == "vllm":
        pod["enableServiceLinks"] = False
        reason = "vLLM takes the environment variables of service links for its own"
        workload.record("spec.template.spec.enableServiceLinks", False, workload.operator.name, reason)
    return pod


def _container(workload: Workload, storage: Storage, launch: Launch) -> JSONObject:
    container: JSONObject = {
        "name": launch.container,
        "image": image(workload),
        "ports": [{"name": "http", "containerPort": launch.port, "protocol": "TCP"}],
        "securityContext": container_security_context(workload),
    }
    for field, value in (
        ("command", list(launch.command)),
        ("args", list(launch.args)),
        ("env", list(launch.env)),
        ("volumeMounts", [*storage.mounts, *items(workload.spec, "extraVolumeMounts")]),
        ("resources", resources(workload)),
        ("startupProbe", launch.startup),
        ("livenessProbe", launch.liveness),
        ("readinessProbe", launch.readiness),
    ):
        if value:
            container[field] = value
    return diagnosed(container, workload.operator)


def _tell_replicas(workload: Workload, replicas: int, pool: str) -> None:
    if is_suspended(workload.spec, workload.operator):
        workload.record("spec.replicas", replicas, workload.of_service("spec.suspend"), "the service is suspended")
        return
    if pool:
        reason = "the service owns the pool's GPU slot" if replicas else "another member owns the pool's GPU slot, or none does"
        workload.record("spec.replicas", replicas, f"ModelPool {pool}", reason)
        return
    asked = whole(workload.spec, "replicas", 1)
    reason = "until the autoscaler takes over" if isinstance(workload.spec.get("autoscaling"), dict) else f"the service requests {asked}"
    workload.record("spec.replicas", replicas, workload.of_service("spec.replicas"), reason)
