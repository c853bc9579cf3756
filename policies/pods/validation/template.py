"""The API server's checks of a pod template: labels, annotations, and the pod that it describes.

Source: Kubernetes v1.36, pkg/apis/core/validation (ValidatePodTemplateSpec, ValidatePodSpec).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from weighbridge.policies.ground.content import once_sound
from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.field_errors import ErrorType, FieldError, unsupported, value_errors
from weighbridge.policies.ground.fields import items, part, text, text_map
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.validation.affinity import affinity_errors, spread_errors
from weighbridge.policies.pods.validation.claims import claim_errors, names_of
from weighbridge.policies.pods.validation.container_fields import container_field_errors
from weighbridge.policies.pods.validation.containers import container_errors
from weighbridge.policies.pods.validation.pod_fields import pod_field_errors
from weighbridge.policies.pods.validation.ports import host_port_errors
from weighbridge.policies.pods.validation.restarts import restart_errors
from weighbridge.policies.pods.validation.scheduling import (
    gate_errors,
    node_name_errors,
    node_selector_errors,
    required_node_errors,
    toleration_errors,
)
from weighbridge.policies.pods.validation.security import host_user_errors, pod_security_errors
from weighbridge.policies.pods.validation.volumes import volume_errors
from weighbridge.policies.pods.validation.wordings import no_deadline_in
from weighbridge.policies.schema.names import dns1123_subdomain, go_lower, label_value, qualified_name

# Most keys and values are valid, which one match of all of them together shows. Errors are worked out only for the others.
_KEY: Final = r"(?:[a-z0-9]{1,63}(?:[.-][a-z0-9]{1,60}){0,3}/)?[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?"
_VALUE: Final = r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?"
_GOOD_KEYS: Final = expression(rf"{_KEY}(?:\n{_KEY})*", re.ASCII)
_GOOD_VALUES: Final = expression(rf"{_VALUE}(?:\n{_VALUE})*", re.ASCII)

_ALWAYS: Final = "Always"


def label_errors(labels: Mapping[str, str], path: str) -> Iterator[FieldError]:
    """The errors of the labels of an object."""
    if _are_good(labels, _GOOD_KEYS) and _are_good(labels.values(), _GOOD_VALUES):
        return
    for key in sorted(labels):
        yield from value_errors(path, key, qualified_name(key))
        yield from value_errors(path, labels[key], label_value(labels[key]))


def annotation_errors(annotations: Mapping[str, str], path: str) -> Iterator[FieldError]:
    """The errors of the keys of an object's annotations."""
    if _are_good(annotations, _GOOD_KEYS):
        return
    for key in sorted(annotations):
        yield from value_errors(path, key, qualified_name(go_lower(key)))


def _are_good(texts: Collection[str], good: re.Pattern[str]) -> bool:
    """Whether all texts are certainly valid. If it is false, they may still be valid."""
    lines = "\n".join(texts)
    return not texts or (lines.count("\n") == len(texts) - 1 and good.fullmatch(lines) is not None)


def template_errors(template: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of a pod template."""
    yield from label_errors(text_map(template, "metadata", "labels"), f"{path}.labels")
    yield from annotation_errors(text_map(template, "metadata", "annotations"), f"{path}.annotations")
    yield from pod_errors(part(template, "spec"), f"{path}.spec")


def endless_pod_errors(pod: JSONObject, path: str, owner: str) -> Iterator[FieldError]:
    """The errors of a pod that must run forever, as all pods of the `owner` do."""
    # An empty policy gets the default.
    policy = text(pod, "restartPolicy") or _ALWAYS
    if policy != _ALWAYS:
        yield unsupported(f"{path}.restartPolicy", policy, [_ALWAYS])
    if pod.get("activeDeadlineSeconds") is not None:
        yield FieldError(ErrorType.FORBIDDEN, f"{path}.activeDeadlineSeconds", detail=no_deadline_in(owner))


@once_sound(1024)
def pod_errors(pod: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of the spec of a pod."""
    volumes = set[str]()
    yield from volume_errors(items(pod, "volumes"), f"{path}.volumes", volumes)
    yield from claim_errors(items(pod, "resourceClaims"), f"{path}.resourceClaims")
    claims = names_of(items(pod, "resourceClaims"))
    names = set[str]()
    for kind in ("containers", "initContainers"):
        is_init = kind == "initContainers"
        for index, container in enumerate(items(pod, kind)):
            where = f"{path}.{kind}[{index}]"
            yield from container_errors(container, where, volumes, claims, host_users=pod.get("hostUsers") is not False)
            yield from container_field_errors(container, where, volumes, pod=pod, is_init=is_init)
            yield from restart_errors(container, where, is_init=is_init)
            if (called := text(container, "name")) in names:
                yield FieldError(ErrorType.DUPLICATE, f"{path}.{kind}[{index}].name", called)
            names.add(called)
    yield from host_port_errors(pod, path, is_pod=False)
    yield from host_user_errors(pod, path)
    yield from node_name_errors(pod, path)
    yield from node_selector_errors(pod, path)
    yield from pod_security_errors(part(pod, "securityContext"), f"{path}.securityContext")
    yield from required_node_errors(pod, path)
    if "affinity" in pod:
        yield from affinity_errors(part(pod, "affinity"), f"{path}.affinity")
    yield from gate_errors(pod, path)
    if "topologySpreadConstraints" in pod:
        yield from spread_errors(items(pod, "topologySpreadConstraints"), f"{path}.topologySpreadConstraints")
    if account := text(pod, "serviceAccountName"):
        yield from value_errors(f"{path}.serviceAccountName", account, dns1123_subdomain(account))
    yield from pod_field_errors(pod, path)
    yield from toleration_errors(pod, path)
    for field in ("priorityClassName", "runtimeClassName"):
        name = pod.get(field)
        # NB: an empty name of a PriorityClass counts as missing; an empty name of a RuntimeClass is an error.
        if isinstance(name, str) and (name or field == "runtimeClassName"):
            yield from value_errors(f"{path}.{field}", name, dns1123_subdomain(name))
