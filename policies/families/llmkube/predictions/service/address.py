"""The Service in front of a service's pods, its address, and why the operator may be unable to create it.

Its port is the endpoint's and not the container's, so the two can differ. Dots in the name become dashes, so two services can get the same
Service name: then the Service of the first one stays. Source: LLMKube v0.9.19, internal/controller/service_builder.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from weighbridge.policies.families.creation import is_earlier
from weighbridge.policies.families.family import spec_of
from weighbridge.policies.families.llmkube.predictions.service.labels import selector
from weighbridge.policies.families.llmkube.predictions.service.workload import Workload
from weighbridge.policies.families.llmkube.subject.references import GROUP
from weighbridge.policies.families.node_ports import node_port_refusal, taken_node_ports
from weighbridge.policies.families.prediction import PredictedValue
from weighbridge.policies.ground.field_errors import invalid_message
from weighbridge.policies.ground.fields import part, text, whole
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.pods.validation.service import service_errors

PORT: Final = 8080
PATH: Final = "/v1/chat/completions"
_TYPES: Final = frozenset({"NodePort", "LoadBalancer"})


def service_name(name: str) -> str:
    """The name of a service's Service."""
    return name.replace(".", "-")


def service_port(spec: JSONObject) -> int:
    """The port that the Service listens on and sends to."""
    port = whole(part(spec, "endpoint"), "port")
    return port if port > 0 else PORT


def endpoint(spec: JSONObject, name: str, namespace: str) -> str:
    """The address in the status."""
    path = text(part(spec, "endpoint"), "path") or PATH
    return f"http://{service_name(name)}.{namespace}.svc.cluster.local:{service_port(spec)}{path}"


def manifest(workload: Workload, container_port: int) -> JSONObject:
    """The Service, with provenance."""
    asked, name, port = part(workload.spec, "endpoint"), service_name(workload.name), service_port(workload.spec)
    kind = text(asked, "type") if text(asked, "type") in _TYPES else "ClusterIP"
    listening: JSONObject = {"name": "http", "port": port, "targetPort": port, "protocol": "TCP"}
    if kind == "NodePort" and whole(asked, "nodePort"):
        listening["nodePort"] = whole(asked, "nodePort")
    where = f"Service/{name}"
    given = whole(asked, "port") > 0
    source = workload.of_service("spec.endpoint.port") if given else workload.operator.name
    reason = "the Service's port; it sends to the same port of the pod"
    if port != container_port:
        reason = f"the Service sends to port {port}, but the container listens on {container_port}: nothing answers"
    workload.values += (
        PredictedValue(where, "spec.ports[0].port", port, source, reason),
        PredictedValue(where, "spec.type", kind, workload.of_service("spec.endpoint.type"), "how the Service is reached"),
    )
    if "nodePort" in listening:
        reason = "the port of every node that leads to the Service"
        source = workload.of_service("spec.endpoint.nodePort")
        workload.values.append(PredictedValue(where, "spec.ports[0].nodePort", listening["nodePort"], source, reason))
    labels = selector(workload.name)
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": name, "namespace": workload.namespace, "labels": labels},
        "spec": {"type": kind, "selector": labels, "ports": [listening]},
    }


def refusal(workload: Workload, service: JSONObject) -> str:
    """Why the API server refuses the Service: it isn't valid, or its node port is taken; empty if it doesn't."""
    errors = list(service_errors(service))
    if errors:
        return invalid_message("Service", "", name_of(service), errors)
    return node_port_refusal(service, chain(taken_node_ports(workload.facts, service), _earlier_ports(workload)))


def is_others(workload: Workload) -> bool:
    """Whether the Service of that name belongs to an earlier service of the namespace."""
    address = workload.namespace, service_name(workload.name)
    return any(_is_earlier(other, workload) for other in workload.facts.objects.where(GROUP, "InferenceService", _address, address))


def _earlier_ports(workload: Workload) -> Iterator[int]:
    """The node ports of this service that Services of earlier services take."""
    port = _node_port(workload.service)
    others = workload.facts.objects.where(GROUP, "InferenceService", _node_port, port) if port else ()
    if any(_is_earlier(other, workload) for other in others):
        yield port


def _node_port(service: JSONObject) -> int:
    """The node port that a service requests; 0 if it requests none."""
    asked = part(spec_of(service), "endpoint")
    return whole(asked, "nodePort") if text(asked, "type") == "NodePort" else 0


def _address(service: JSONObject) -> tuple[str, str]:
    """The namespace and the name of a service's Service."""
    return namespace_of(service), service_name(name_of(service))


def _is_earlier(other: JSONObject, workload: Workload) -> bool:
    """Whether another service was stored earlier. All stored services are earlier than one that isn't stored yet."""
    is_same = (namespace_of(other), name_of(other)) == (workload.namespace, workload.name)
    return not is_same and is_earlier(other, workload.service)
