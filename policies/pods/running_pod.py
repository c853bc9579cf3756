"""The amounts and ports of its node that a running pod takes.

Source: Kubernetes v1.37, pkg/scheduler/framework (`PodInfo.CalculateResource`), component-helpers/resource (`PodRequests` with the amounts
in the status, which a resize may leave above those of the spec), pkg/scheduler/util (`GetHostPorts`).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from weighbridge.policies.facts.occupancy import EVERY_ADDRESS, USUAL_PROTOCOL, Amounts, HostPort, RunningPod
from weighbridge.policies.ground.fields import flag, items, part, text, whole
from weighbridge.policies.ground.objects import JSONObject, name_of, namespace_of
from weighbridge.policies.ground.quantity import Quantity
from weighbridge.policies.pods.requests import counts, effective, is_sidecar

#: Phases in which a pod takes nothing of its node.
_ENDED: Final = frozenset({"Succeeded", "Failed"})


def running_pod(pod: JSONObject) -> RunningPod | None:
    """What a pod takes of its node; `None` for a pod without a node, and for one that has ended."""
    spec, status = part(pod, "spec"), part(pod, "status")
    node = text(spec, "nodeName")
    if not node or text(status, "phase") in _ENDED:
        return None
    name = f"{namespace_of(pod) or 'default'}/{name_of(pod)}"
    return RunningPod(name, node, whole(spec, "priority"), taken(spec, status), host_ports(spec), text(status, "startTime"))


def taken(spec: JSONObject, status: JSONObject) -> Amounts:
    """The amounts that count for a pod: for each resource the most that it requests, its node has reserved for it, or it has."""
    asked = effective(spec)
    if not any("allocatedResources" in held or "resources" in held for held in _statuses(status)):
        return _shared(tuple(counts(asked).items()))
    found = [effective(_with_status(spec, status, by)) for by in ("allocatedResources", "resources")]
    most: dict[str, Quantity] = {}
    for amounts in found if _is_infeasible(status) else (asked, *found):
        for resource, amount in amounts.items():
            if resource not in most or most[resource].compare(amount) < 0:
                most[resource] = amount
    return _shared(tuple(counts(most).items()))


@lru_cache(maxsize=4096)
def _shared(amounts: tuple[tuple[str, int], ...]) -> Amounts:
    """The amounts, as one map for all pods with the same ones."""
    return dict(amounts)


def _statuses(status: JSONObject) -> list[JSONObject]:
    return [*items(status, "containerStatuses"), *items(status, "initContainerStatuses")]


def _with_status(spec: JSONObject, status: JSONObject, by: str) -> JSONObject:
    """The spec with the requests that the status has of its containers."""
    held = {text(entry, "name"): entry for entry in _statuses(status)}

    def with_own(container: JSONObject) -> JSONObject:
        own = held.get(text(container, "name"), {})
        given = part(own, "resources").get("requests") if by == "resources" else None
        given = given if isinstance(given, dict) else own.get("allocatedResources")
        if not isinstance(given, dict):
            return {**container, "resources": {}} if _is_infeasible(status) else container
        return {**container, "resources": {"requests": given}}

    return {**spec, **{kind: list(map(with_own, items(spec, kind))) for kind in ("initContainers", "containers") if kind in spec}}


def _is_infeasible(status: JSONObject) -> bool:
    """Whether the node can't give the changed requests of the pod's spec."""
    return any(entry.get("type") == "PodResizePending" and entry.get("reason") == "Infeasible" for entry in items(status, "conditions"))


def host_ports(spec: JSONObject) -> tuple[HostPort, ...]:
    """The ports of its node that a pod takes. If it uses the node's network, these are all ports of its containers."""
    return tuple(dict.fromkeys(_host_ports(spec)))


def _host_ports(spec: JSONObject) -> Iterator[HostPort]:
    has_network = flag(spec, "hostNetwork")
    for container in (*filter(is_sidecar, items(spec, "initContainers")), *items(spec, "containers")):
        for port in items(container, "ports"):
            number = whole(port, "hostPort") or (whole(port, "containerPort") if has_network else 0)
            if number > 0:
                yield HostPort(number, text(port, "protocol") or USUAL_PROTOCOL, text(port, "hostIP") or EVERY_ADDRESS)
