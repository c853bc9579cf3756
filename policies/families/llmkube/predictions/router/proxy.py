"""The objects that the operator creates for a router's proxy: a ConfigMap, a Deployment that reads it, and a Service.

The proxy always listens on 8080. The Service sends to the port in `endpoint`, so with any other port no request arrives.
Source: LLMKube v0.9.19, internal/controller/router_deployment_builder.go and router_service_builder.go; measured.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.operator import KnownOperator
from weighbridge.policies.families.llmkube.predictions.router.pools import activation
from weighbridge.policies.families.llmkube.predictions.service.address import PORT, service_name, service_port
from weighbridge.policies.families.prediction import PredictedValue
from weighbridge.policies.ground.durations import duration_text, nanoseconds
from weighbridge.policies.ground.field_errors import FieldError
from weighbridge.policies.ground.fields import items, part, text, text_map, whole
from weighbridge.policies.ground.objects import JSONObject, name_of
from weighbridge.policies.pods.validation.deployment import deployment_errors
from weighbridge.policies.pods.validation.service import service_errors

IMAGE: Final = "ghcr.io/defilantech/llmkube-router-proxy:dev"
_METRICS_PORT: Final = 9090
_FOLDER: Final = "/etc/llmkube/router"
_FILE: Final = "config.json"
_USER: Final = 65532
_HASH: Final = "inference.llmkube.dev/router-config-hash"
_VOLUME: Final = "router-config"
_RESOURCES: Final = {"requests": {"cpu": "50m", "memory": "64Mi"}, "limits": {"cpu": "500m", "memory": "256Mi"}}
#: The proxy's arguments that a router sets, by the fields of the router.
_DURATIONS: Final = {"quarantineDuration": "--quarantine-duration", "responseHeaderTimeout": "--response-header-timeout"}
_LABELS: Final = {
    "app.kubernetes.io/name": "llmkube",
    "app.kubernetes.io/component": "router-proxy",
    "app.kubernetes.io/managed-by": "llmkube-controller",
}


def proxy_name(name: str) -> str:
    """The name of all objects that the operator creates for a router's proxy."""
    return f"{service_name(name)}-router-proxy"


def objects(
    router: JSONObject, namespace: str, config: str | None, operator: KnownOperator, *, has_pools: bool = False
) -> list[JSONObject]:
    """The manifests.

    `config` is the compiled configuration; without it there is no ConfigMap, and the pods have no hash. `has_pools` is whether the proxy
    starts members of a ModelPool, which only one proxy may do, so it has one replica.
    """
    name, spec = proxy_name(name_of(router)), spec_of(router)
    selector = {"app": name, "inference.llmkube.dev/model-router": name_of(router)}
    hashed = {_HASH: hashlib.sha256(config.encode()).hexdigest()} if config is not None else {}
    metadata: JSONObject = {"name": name, "namespace": namespace, "labels": {**selector, **_LABELS}}
    deployment = _deployment(spec, metadata, selector, hashed, operator)
    if has_pools:
        _starts_members(deployment, name_of(router))
    made = [*(activation(metadata) if has_pools else ()), deployment, _service(spec, metadata, selector)]
    if config is not None:
        held = {"metadata": {**metadata, "annotations": hashed}, "data": {_FILE: config}}
        made.insert(0, {"apiVersion": "v1", "kind": "ConfigMap", **held})
    return made


def refusal_of(made: Sequence[JSONObject]) -> tuple[str, list[FieldError]]:
    """The kind of the first object that the API server refuses, and its errors; both empty if there is none."""
    checks = {"Deployment": deployment_errors, "Service": service_errors}
    # The server gives a name to an object without one.
    named = (obj for obj in made if not name_of(obj).startswith("-"))
    for obj in named:
        if obj["kind"] in checks and (errors := list(checks[obj["kind"]](obj))):
            return obj["kind"], errors
    return "", []


def _starts_members(deployment: JSONObject, router: str) -> None:
    """Give the proxy what it needs to start members of a pool."""
    pod = deployment["spec"]["template"]["spec"]
    deployment["spec"]["replicas"] = 1
    pod["serviceAccountName"] = deployment["metadata"]["name"]
    container = pod["containers"][0]
    container["env"] = [{"name": "ROUTER_NAME", "value": router}]
    container["args"].append("--enable-activation")


def values(router: JSONObject, operator: KnownOperator) -> list[PredictedValue]:
    """The values of the proxy that `explain` shows, with their sources."""
    name, spec = name_of(router), spec_of(router)
    proxy, deployment = part(spec, "proxy"), f"Deployment/{proxy_name(name)}"
    if text(proxy, "image"):
        source, reason = f"ModelRouter {name} spec.proxy.image", "the author's image"
    elif operator.router_proxy_image:
        source, reason = f"operator --router-proxy-image ({operator.origin('router_proxy_image')})", "the cluster's image"
    else:
        source, reason = operator.name, "the proxy's own image"
    found = [
        PredictedValue(deployment, "spec.template.spec.containers[0].image", image(proxy, operator), source, reason),
        PredictedValue(deployment, "spec.template.spec.containers[0].ports[0].containerPort", PORT, operator.name, "the proxy's own port"),
    ]
    asked = "endpoint" in spec
    found.append(
        PredictedValue(
            f"Service/{proxy_name(name)}",
            "spec.ports[0].port",
            service_port(spec),
            f"ModelRouter {name} spec.endpoint.port" if asked else operator.name,
            "the Service listens there and sends to the same port" if asked else "no endpoint is written",
        )
    )
    return found


def image(proxy: JSONObject, operator: KnownOperator) -> str:
    """The image of the proxy."""
    return text(proxy, "image") or operator.router_proxy_image or IMAGE


def _deployment(
    spec: JSONObject, metadata: JSONObject, selector: dict[str, str], hashed: dict[str, str], operator: KnownOperator
) -> JSONObject:
    proxy = part(spec, "proxy")
    pod: JSONObject = {
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": _USER,
            "fsGroup": _USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [_container(spec, proxy, operator)],
        "volumes": [{"name": _VOLUME, "configMap": {"name": metadata["name"]}}],
    }
    if text_map(proxy, "nodeSelector"):
        pod["nodeSelector"] = text_map(proxy, "nodeSelector")
    if items(proxy, "imagePullSecrets"):
        pod["imagePullSecrets"] = items(proxy, "imagePullSecrets")
    made: JSONObject = {
        "replicas": whole(proxy, "replicas", 1),
        "selector": {"matchLabels": selector},
        "strategy": {"type": "RollingUpdate"},
        "template": {"metadata": {"labels": selector, "annotations": hashed}, "spec": pod},
    }
    if proxy.get("revisionHistoryLimit") is not None:
        made["revisionHistoryLimit"] = whole(proxy, "revisionHistoryLimit")
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": made}


def _container(spec: JSONObject, proxy: JSONObject, operator: KnownOperator) -> JSONObject:
    args = ["--config", f"{_FOLDER}/{_FILE}", "--listen", f":{PORT}", "--metrics-bind-address", f":{_METRICS_PORT}", "--log-format", "json"]
    for field, argument in _DURATIONS.items():
        length = nanoseconds(proxy.get(field))
        if length is not None:
            args += [argument, duration_text(length)]
    asked = part(proxy, "resources")
    container: JSONObject = {
        "name": "router-proxy",
        "image": image(proxy, operator),
        "imagePullPolicy": "IfNotPresent",
        "args": args,
        "ports": [_port("http", PORT), _port("metrics", _METRICS_PORT)],
        "volumeMounts": [{"name": _VOLUME, "mountPath": _FOLDER, "readOnly": True}],
        "resources": asked if asked.get("requests") is not None or asked.get("limits") is not None else _RESOURCES,
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "runAsNonRoot": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "livenessProbe": _probe(20, 10),
        "readinessProbe": _probe(5, 5),
    }
    secrets = dict.fromkeys(
        text(part(backend, "external", "credentialsSecretRef"), "name")
        for backend in items(spec, "backends")
        if part(backend, "external").get("credentialsSecretRef") is not None
    )
    if secrets:
        container["envFrom"] = [{"secretRef": {"name": name, "optional": True}} for name in secrets]
    return container


def _port(name: str, number: int) -> JSONObject:
    return {"name": name, "containerPort": number, "protocol": "TCP"}


def _probe(delay: int, period: int) -> JSONObject:
    return {
        "httpGet": {"path": "/health", "port": PORT},
        "initialDelaySeconds": delay,
        "periodSeconds": period,
        "timeoutSeconds": 2,
        "failureThreshold": 3,
    }


def _service(spec: JSONObject, metadata: JSONObject, selector: dict[str, str]) -> JSONObject:
    port, kind = service_port(spec), text(part(spec, "endpoint"), "type")
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata,
        "spec": {
            "type": kind if kind in ("NodePort", "LoadBalancer") else "ClusterIP",
            "selector": selector,
            "ports": [{"name": "http", "port": port, "targetPort": port, "protocol": "TCP"}],
        },
    }
