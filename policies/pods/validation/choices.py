"""The API server's checks of fields of a pod and its containers that have a few values, and of its names.

Source: Kubernetes v1.37, pkg/apis/core/validation (validateDNSPolicy, validatePodDNSConfig, validateReadinessGates, ValidateOS,
ValidatePreemptionPolicy, validatePullPolicy, validateContainerCommon). An empty value has its default by then, unless the field is a
pointer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.field_errors import ErrorType, FieldError, unsupported, value_errors
from weighbridge.policies.ground.fields import items, part, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.wordings import NO_DNS_CONFIG
from weighbridge.policies.schema.names import dns1123_label, qualified_name

_OF_CONTAINERS: Final = {
    "terminationMessagePolicy": ("File", "FallbackToLogsOnError"),
    "imagePullPolicy": ("Always", "IfNotPresent", "Never"),
}
_DNS: Final = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
#: Fields that are pointers, or in a struct that is one: an empty value is refused.
_REQUIRED: Final = {"preemptionPolicy": ("PreemptLowerPriority", "Never"), "os": ("linux", "windows")}


def container_choice_errors(container: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of the policies of a container."""
    for field, values in _OF_CONTAINERS.items():
        chosen = text(container, field)
        if chosen and chosen not in values:
            yield unsupported(f"{path}.{field}", chosen, values)


def pod_choice_errors(pod: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of the policies, the names and the conditions of a pod."""
    policy = text(pod, "dnsPolicy")
    if policy and policy not in _DNS:
        yield unsupported(f"{path}.dnsPolicy", policy, _DNS)
    if policy == "None" and not isinstance(pod.get("dnsConfig"), dict):
        yield FieldError(ErrorType.REQUIRED, f"{path}.dnsConfig", detail=NO_DNS_CONFIG)
    for index, gate in enumerate(items(pod, "readinessGates")):
        kind = text(gate, "conditionType")
        yield from value_errors(f"{path}.readinessGates[{index}].conditionType", kind, qualified_name(kind))
    for field in ("hostname", "subdomain"):
        if name := text(pod, field):
            yield from value_errors(f"{path}.{field}", name, dns1123_label(name))
    yield from _required_choice_errors(pod, path)


def _required_choice_errors(pod: JSONObject, path: str) -> Iterator[FieldError]:
    given = {"preemptionPolicy": pod.get("preemptionPolicy")}
    if isinstance(pod.get("os"), dict):
        given["os"] = text(part(pod, "os"), "name")
    for field, chosen in given.items():
        if chosen == "":
            yield FieldError(ErrorType.REQUIRED, f"{path}.os.name" if field == "os" else f"{path}.{field}")
        elif isinstance(chosen, str) and chosen not in _REQUIRED[field]:
            yield unsupported(f"{path}.{field}", chosen, _REQUIRED[field])
