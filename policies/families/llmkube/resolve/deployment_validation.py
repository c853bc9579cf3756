"""Whether the API server takes the Deployment that the operator makes of a service.

It is the last thing that can refuse a service, and the operator tells no more of it than `Failed to create Deployment`; the reason is in
its log alone. Checked is what an author can reach through Model and InferenceService. Source: Kubernetes v1.36, pkg/apis/apps/validation
(ValidateDeployment) and pkg/apis/core/validation (ValidatePodTemplateSpec); facts 3.2, R38.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from policies.families.llmkube.resolve.affinity_validation import affinity_errors, spread_errors
from policies.families.llmkube.resolve.container_validation import container_errors, init_container_errors
from policies.families.llmkube.resolve.security_validation import pod_security_errors
from policies.families.llmkube.resolve.volume_validation import volume_errors
from policies.field_errors import ErrorType, FieldError, invalid_message
from policies.fields import items, part, text, text_map
from policies.objects import JSONObject, name_of
from policies.pods.validation.scheduling import scheduling_errors
from policies.schema.names import dns1123_label, dns1123_subdomain, label_value, qualified_name
from policies.schema.object_meta import go_lower

_TEMPLATE: Final = "spec.template"
_POD: Final = f"{_TEMPLATE}.spec"
# Most keys and values are plainly good; only for the others it is worked out what is wrong with them.
_GOOD_KEY: Final = re.compile(r"(?:[a-z0-9]{1,63}(?:[.-][a-z0-9]{1,60}){0,3}/)?[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?", re.ASCII)
_GOOD_VALUE: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?", re.ASCII)


def refusal(deployment: JSONObject) -> str:
    """The API server's message on the Deployment; empty where it takes it."""
    errors = list(_errors(deployment))
    return invalid_message("Deployment", "apps", name_of(deployment), errors) if errors else ""


def _errors(deployment: JSONObject) -> Iterator[FieldError]:
    name, labels = name_of(deployment), text_map(deployment, "metadata", "labels")
    yield from _invalid("metadata.name", name, dns1123_subdomain(name))
    selector, template = part(deployment, "spec", "selector"), part(deployment, "spec", "template")
    matched, of_pods = text_map(selector, "matchLabels"), text_map(template, "metadata", "labels")
    if not _are_plain(labels, matched, of_pods):
        yield from _label_errors("metadata.labels", labels)
        wrong = [error for value in matched.values() for error in _invalid("spec.selector.matchLabels", value, label_value(value))]
        if wrong:
            yield from wrong
            yield FieldError(ErrorType.INVALID, "spec.selector", selector, "invalid label selector")
            return
        yield from _label_errors(f"{_TEMPLATE}.labels", of_pods)
    for key in sorted(text_map(template, "metadata", "annotations")):
        if not _GOOD_KEY.fullmatch(key):
            yield from _invalid(f"{_TEMPLATE}.annotations", key, qualified_name(go_lower(key)))
    yield from _pod_errors(part(template, "spec"))


def _pod_errors(pod: JSONObject) -> Iterator[FieldError]:
    yield from volume_errors(items(pod, "volumes"), f"{_POD}.volumes")
    yield from _claim_errors(items(pod, "resourceClaims"))
    claims = {text(claim, "name") for claim in items(pod, "resourceClaims")}
    volumes = {text(volume, "name") for volume in items(pod, "volumes")}
    for index, container in enumerate(items(pod, "containers")):
        yield from container_errors(container, f"{_POD}.containers[{index}]", volumes, claims)
    for index, container in enumerate(items(pod, "initContainers")):
        yield from init_container_errors(container, f"{_POD}.initContainers[{index}]")
    for error in scheduling_errors(pod):
        yield FieldError(error.type, f"{_TEMPLATE}.{error.field}", error.bad_value, error.detail)
    yield from pod_security_errors(part(pod, "securityContext"), f"{_POD}.securityContext")
    if "affinity" in pod:
        yield from affinity_errors(part(pod, "affinity"), f"{_POD}.affinity")
    if "topologySpreadConstraints" in pod:
        yield from spread_errors(items(pod, "topologySpreadConstraints"), f"{_POD}.topologySpreadConstraints")
    for field in ("priorityClassName", "runtimeClassName"):
        name = text(pod, field)
        if name or field in pod:
            yield from _invalid(f"{_POD}.{field}", name, dns1123_subdomain(name))


def _claim_errors(claims: list[JSONObject]) -> Iterator[FieldError]:
    seen = set[str]()
    for index, claim in enumerate(claims):
        path, name = f"{_POD}.resourceClaims[{index}]", text(claim, "name")
        if not name:
            yield FieldError(ErrorType.REQUIRED, f"{path}.name")
        elif name in seen:
            yield FieldError(ErrorType.DUPLICATE, f"{path}.name", name)
        else:
            yield from _invalid(f"{path}.name", name, dns1123_label(name))
        seen.add(name)
        named = [field for field in ("resourceClaimName", "resourceClaimTemplateName") if isinstance(claim.get(field), str)]
        if len(named) != 1:
            detail = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"
            yield FieldError(
                ErrorType.INVALID, path, claim, detail if named else "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
            )
        for field in named:
            yield from _invalid(f"{path}.{field}", claim[field], dns1123_subdomain(claim[field]))


def _are_plain(*maps: dict[str, str]) -> bool:
    """Whether nothing can be wrong with these labels."""
    keys, values = {key for labels in maps for key in labels}, {value for labels in maps for value in labels.values()}
    return all(map(_GOOD_KEY.fullmatch, keys)) and all(map(_GOOD_VALUE.fullmatch, values))


def _label_errors(path: str, labels: dict[str, str]) -> Iterator[FieldError]:
    for key in sorted(labels):
        yield from _invalid(path, key, qualified_name(key))
        yield from _invalid(path, labels[key], label_value(labels[key]))


def _invalid(path: str, value: str, messages: list[str]) -> Iterator[FieldError]:
    for message in messages:
        yield FieldError(ErrorType.INVALID, path, value, message)
