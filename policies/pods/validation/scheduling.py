"""The API server's checks of where a pod may go: claims of devices, selectors, affinity, tolerations, gates, ports.

Source: Kubernetes v1.36, pkg/apis/core/validation (`ValidateTolerations`, `ValidateNodeSelectorTerm`, `validateSchedulingGates`).
"""

from __future__ import annotations

from collections.abc import Iterator

from weighbridge.policies.ground.field_errors import ErrorType, FieldError, unsupported, value_errors
from weighbridge.policies.ground.fields import items, part, repeats, text, text_map
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.pods.requests import containers
from weighbridge.policies.pods.validation.affinity import affinity_errors, spread_errors
from weighbridge.policies.pods.validation.claims import pod_claim_errors
from weighbridge.policies.pods.validation.ports import host_port_errors
from weighbridge.policies.pods.validation.restarts import restart_errors
from weighbridge.policies.pods.validation.security import host_user_errors
from weighbridge.policies.pods.validation.selectors import term_errors
from weighbridge.policies.pods.validation.wordings import NO_KEY, NO_TERM, NODE_WITH_GATES, UNUSED_SECONDS, UNUSED_VALUE
from weighbridge.policies.schema.names import dns1123_subdomain, label_value, qualified_name

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")


def scheduling_errors(spec: JSONObject) -> Iterator[FieldError]:
    """The errors of the parts of a pod that say where it may run."""
    for check in (
        pod_claim_errors,
        node_name_errors,
        node_selector_errors,
        required_node_errors,
        _affinity_errors,
        gate_errors,
        _spread_errors,
        toleration_errors,
        _restart_errors,
        _host_port_errors,
        host_user_errors,
    ):
        yield from check(spec, "spec")
    if items(spec, "schedulingGates") and text(spec, "nodeName"):
        yield FieldError(ErrorType.FORBIDDEN, "spec.nodeName", detail=NODE_WITH_GATES)


def node_name_errors(spec: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of the name of the node on which a pod is to run."""
    name = text(spec, "nodeName")
    yield from value_errors(f"{path}.nodeName", name, dns1123_subdomain(name) if name else ())


def _affinity_errors(spec: JSONObject, path: str) -> Iterator[FieldError]:
    if "affinity" in spec:
        yield from affinity_errors(part(spec, "affinity"), f"{path}.affinity")


def _spread_errors(spec: JSONObject, path: str) -> Iterator[FieldError]:
    if "topologySpreadConstraints" in spec:
        yield from spread_errors(items(spec, "topologySpreadConstraints"), f"{path}.topologySpreadConstraints")


def _restart_errors(spec: JSONObject, path: str) -> Iterator[FieldError]:
    for kind, index, held in containers(spec):
        yield from restart_errors(held, f"{path}.{kind}[{index}]", is_init=kind == "initContainers")


def _host_port_errors(spec: JSONObject, path: str) -> Iterator[FieldError]:
    yield from host_port_errors(spec, path, is_pod=True)


def node_selector_errors(spec: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of a pod's node selector."""
    for key, value in text_map(spec, "nodeSelector").items():
        yield from _label_key(key, f"{path}.nodeSelector")
        yield from value_errors(f"{path}.nodeSelector", value, label_value(value))


def required_node_errors(spec: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of the terms of required node affinity."""
    affinity = part(spec, "affinity", "nodeAffinity")
    if affinity.get(_REQUIRED) is not None:
        yield from _terms(items(affinity, _REQUIRED, "nodeSelectorTerms"), f"{path}.affinity.nodeAffinity.{_REQUIRED}.nodeSelectorTerms")


def gate_errors(spec: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of scheduling gates."""
    gates = [text(gate, "name") for gate in items(spec, "schedulingGates")]
    for index, (name, is_repeated) in enumerate(zip(gates, repeats(gates), strict=True)):
        yield from _label_key(name, f"{path}.schedulingGates[{index}]")
        if is_repeated:
            yield FieldError(ErrorType.DUPLICATE, f"{path}.schedulingGates[{index}]", name)


def toleration_errors(spec: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of a pod's tolerations."""
    for index, toleration in enumerate(items(spec, "tolerations")):
        yield from _toleration(toleration, f"{path}.tolerations[{index}]")


def _terms(terms: list[JSONObject], path: str) -> Iterator[FieldError]:
    if not terms:
        yield FieldError(ErrorType.REQUIRED, path, detail=NO_TERM)
    for index, term in enumerate(terms):
        yield from term_errors(term, f"{path}[{index}]")


def _toleration(toleration: JSONObject, path: str) -> Iterator[FieldError]:
    key, operator = text(toleration, "key"), text(toleration, "operator")
    value, effect = text(toleration, "value"), text(toleration, "effect")
    if key:
        yield from _label_key(key, f"{path}.key")
    elif operator != "Exists":
        yield FieldError(ErrorType.INVALID, f"{path}.operator", operator, NO_KEY)
    if toleration.get("tolerationSeconds") is not None and effect != "NoExecute":
        yield FieldError(ErrorType.INVALID, f"{path}.effect", effect, UNUSED_SECONDS)
    match operator:
        case "" | "Equal":
            messages = label_value(value)
            if messages:
                yield FieldError(ErrorType.INVALID, f"{path}.operator", value, ";".join(messages))
        case "Exists":
            if value:
                yield FieldError(ErrorType.INVALID, f"{path}.operator", value, UNUSED_VALUE)
        case "Gt" | "Lt":
            # NB: these operators are refused although the text lists them, since comparing is an alpha feature.
            operators = ("Equal", "Exists", "Lt", "Gt") if release().compares_tolerations else ("Equal", "Exists")
            yield unsupported(f"{path}.operator", operator, operators)
        case _:
            yield unsupported(f"{path}.operator", operator, ("Equal", "Exists"))
    if effect and effect not in _EFFECTS:
        yield unsupported(f"{path}.effect", effect, _EFFECTS)


def _label_key(key: str, path: str) -> Iterator[FieldError]:
    yield from value_errors(path, key, qualified_name(key))
