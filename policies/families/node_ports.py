"""The node ports of a cluster. The API server allocates each one once.

Source: Kubernetes v1.36, pkg/registry/core/service/portallocator and pkg/registry/core/service/storage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from weighbridge.policies.facts import Facts
from weighbridge.policies.facts.store import itself
from weighbridge.policies.ground.field_errors import ErrorType, FieldError, invalid_message
from weighbridge.policies.ground.fields import items, whole
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of


def taken_node_ports(facts: Facts, service: JSONObject) -> Iterator[int]:
    """The node ports of a Service that other Services already have."""
    own = namespace_of(service), name_of(service)
    for port in _node_ports(service):
        holders = facts.objects.readings_where("", "Service", itself, _node_ports, port)
        if any(place != own for place, _ in holders):
            yield port


def _node_ports(service: JSONObject) -> list[int]:
    return [port for each in items(service, "spec", "ports") if (port := whole(each, "nodePort"))]


def node_port_refusal(service: JSONObject, taken: Iterable[int]) -> str:
    """The API server's refusal of a Service with a node port that is taken; empty if all are free."""
    asked = [(index, whole(port, "nodePort")) for index, port in enumerate(items(service, "spec", "ports"))]
    wanted = [(index, port) for index, port in asked if port]
    if not wanted:
        return ""
    known = set(taken)
    errors = [
        FieldError(ErrorType.INVALID, f"spec.ports[{index}].nodePort", port, "provided port is already allocated")
        for index, port in wanted
        if port in known
    ]
    return invalid_message("Service", "", name_of(service), errors) if errors else ""
