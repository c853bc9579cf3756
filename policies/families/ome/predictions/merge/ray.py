"""A component on Ray: a RayCluster and a prober for each replica, and the Service of the heads.

Source: OME v0.1.5, pkg/controller/v1beta1/inferenceservice/reconcilers/multinodevllm and reconcilers/service/ray_service_reconciler.go;
KubeRay v1.2.2, ray-operator/controllers/ray/utils (CheckName).
"""

from __future__ import annotations

from typing import Final

from weighbridge.policies.families.ome.kinds import PREFIX
from weighbridge.policies.ground.fields import items, text, whole
from weighbridge.policies.ground.objects import JSONObject

_LONGEST: Final = 50
_PORT: Final = 8080
_PORTS: Final = {"dashboard": 8265, "metrics": 8000, "redis": 6379}
_STOP: Final[JSONObject] = {"preStop": {"exec": {"command": ["/bin/bash", "-lc", "ray stop"]}}}
_WORKER: Final[JSONObject] = {
    "command": ["/bin/bash", "-lc", "--"],
    "args": ["ulimit -n 65536; echo worker; $KUBERAY_GEN_RAY_START_CMD"],
}
_SURGE: Final[JSONObject] = {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "25%", "maxSurge": "25%"}}
#: The settings of the prober: fields of the ConfigMap's `multinodeProber`, and those of a startup probe.
_STARTUP: Final = {
    "startupFailureThreshold": "failureThreshold",
    "startupPeriodSeconds": "periodSeconds",
    "startupTimeoutSeconds": "timeoutSeconds",
    "startupInitialDelaySeconds": "initialDelaySeconds",
}


def ray_cluster(metadata: JSONObject, namespace: str, name: str, pod: JSONObject) -> JSONObject:
    """The spec of a RayCluster, whose head and worker have the same pod; the worker only starts Ray."""
    containers = [found if "lifecycle" in found else {**found, "lifecycle": _STOP} for found in items(pod, "containers")]
    head, worker = {**pod, "containers": containers}, {**pod, "containers": [{**found, **_WORKER} for found in containers]}
    named = {"name": name, **metadata}
    return {
        "headGroupSpec": {
            "headService": {"metadata": {**metadata, "name": checked_name(name), "namespace": namespace}},
            "rayStartParams": {"dashboard-host": "0.0.0.0", "metrics-export-port": "8000"},  # noqa: S104 - what upstream writes
            "serviceType": "ClusterIP",
            "template": {"metadata": named, "spec": head},
        },
        "workerGroupSpecs": [{"groupName": "wg", "rayStartParams": {}, "replicas": 1, "template": {"metadata": named, "spec": worker}}],
    }


def head_service(component: str, ports: list[JSONObject]) -> JSONObject:
    """The selector and the ports of the Service of all heads: the ports of the engine and of Ray."""
    more = [{"name": name, "port": port, "targetPort": port, "protocol": "TCP"} for name, port in _PORTS.items()]
    selector = {
        "app.kubernetes.io/created-by": "kuberay-operator",
        "app.kubernetes.io/name": "kuberay",
        "ray.io/node-type": "head",
        f"{PREFIX}inferenceservice": component,
    }
    return {"selector": selector, "ports": [*ports, *more]}


def prober(metadata: JSONObject, app: str, address: str, settings: JSONObject) -> JSONObject:
    """The spec of the Deployment that probes the head of a RayCluster at an address."""
    limits, requests = ({name: text(settings, f"{name}{side}") for name in ("cpu", "memory")} for side in ("Limit", "Request"))
    container = {
        "name": "multinode-prober",
        "image": text(settings, "image"),
        "imagePullPolicy": "IfNotPresent",
        "args": ["--vllm-endpoint", f"{address}:{_PORT}", "--addr", f"0.0.0.0:{_PORT}"],
        "ports": [{"name": "http", "containerPort": _PORT, "protocol": "TCP"}],
        "resources": {"limits": limits, "requests": requests},
        "readinessProbe": _probe("/healthz"),
        "livenessProbe": _probe("/readyz"),
        "startupProbe": {
            "httpGet": {"port": _PORT, "path": "/startupz", "scheme": "HTTP"},
            "successThreshold": 1,
            **{field: whole(settings, setting) for setting, field in _STARTUP.items()},
        },
    }
    template = {"metadata": metadata, "spec": {"containers": [container]}}
    return {"replicas": 1, "selector": {"matchLabels": {"app": app}}, "strategy": _SURGE, "template": template}


def checked_name(name: str) -> str:
    """A name as KubeRay cuts it: its last 50 characters, of which the first becomes `r` unless it is a letter."""
    end = name[-_LONGEST:]
    return end if end[0].isalpha() else f"r{end[1:]}"


def _probe(path: str) -> JSONObject:
    probe = {"timeoutSeconds": 5, "periodSeconds": 30, "successThreshold": 1, "failureThreshold": 3}
    return {"httpGet": {"port": _PORT, "path": path, "scheme": "HTTP"}, **probe}
