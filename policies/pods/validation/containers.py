"""The API server's checks of a container: image, environment, mounts, resources, users, probes.

Source: Kubernetes v1.36, pkg/apis/core/validation (validateContainers, ValidateEnv); of an image nothing is checked here but that there is
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from policies.field_errors import ErrorType, FieldError, unsupported, value_errors
from policies.fields import flag, items, part, text
from policies.objects import JSONObject
from policies.pods.validation.probes import probe_errors
from policies.pods.validation.resources import container_resource_errors
from policies.pods.validation.security import container_security_errors
from policies.pods.validation.volumes import mount_errors
from policies.schema.names import dns1123_label, dns1123_subdomain

_ENV_NAME: Final = re.compile(r"[ -<>-~]+", re.ASCII)
_ENV_SHAPE: Final = "a valid environment variable name must consist only of printable ASCII characters other than '='"
_ENV_SOURCES: Final = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
#: What of its pod a variable can hold, and what the server knows of pods besides.
_POD_FIELDS: Final = (
    *("metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName"),
    *("status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"),
)
_CONVERTED: Final = frozenset(
    {
        *("metadata.annotations", "metadata.labels", "spec.restartPolicy", "spec.schedulerName", "spec.hostNetwork"),
        *("status.phase", "status.nominatedNodeName"),
    }
)
_RESOURCES: Final = tuple(f"{kind}.{name}" for kind in ("limits", "requests") for name in ("cpu", "ephemeral-storage", "memory"))
_KEY: Final = re.compile(r"[-._a-zA-Z0-9]+", re.ASCII)
_KEY_SHAPE: Final = (
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' "
    "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"
)


def container_errors(container: JSONObject, path: str, volumes: set[str], claims: set[str]) -> Iterator[FieldError]:
    """What is wrong with a container of a pod that has these volumes and resource claims."""
    name = text(container, "name")
    yield from value_errors(f"{path}.name", name, dns1123_label(name))
    if not text(container, "image"):
        yield FieldError(ErrorType.REQUIRED, f"{path}.image")
    if "env" in container or "envFrom" in container:
        yield from _environment_errors(container, path)
    if "volumeMounts" in container:
        privileged = flag(part(container, "securityContext"), "privileged")
        yield from mount_errors(items(container, "volumeMounts"), volumes, f"{path}.volumeMounts", is_privileged=privileged)
    if container.get("resources"):
        yield from _resource_errors(container, path, claims)
    if "securityContext" in container:
        yield from container_security_errors(part(container, "securityContext"), f"{path}.securityContext")
    for kind in ("livenessProbe", "readinessProbe", "startupProbe"):
        probe = container.get(kind)
        if isinstance(probe, dict):
            yield from probe_errors(probe, f"{path}.{kind}", kind)


def _environment_errors(container: JSONObject, path: str) -> Iterator[FieldError]:
    for index, entry in enumerate(items(container, "env")):
        # Most variables have a plain name and a value.
        if "valueFrom" in entry or not _ENV_NAME.fullmatch(text(entry, "name")):
            yield from _env_errors(entry, f"{path}.env[{index}]")
    for index, entry in enumerate(items(container, "envFrom")):
        if isinstance(entry.get("secretRef"), dict):
            where, name = f"{path}.envFrom[{index}].secretRef.name", text(entry["secretRef"], "name")
            if not name:
                yield FieldError(ErrorType.REQUIRED, where)
            yield from value_errors(where, name, dns1123_subdomain(name) if name else ())


def _env_errors(entry: JSONObject, path: str) -> Iterator[FieldError]:
    name = text(entry, "name")
    if not name:
        yield FieldError(ErrorType.REQUIRED, f"{path}.name")
    elif not _ENV_NAME.fullmatch(name):
        yield FieldError(ErrorType.INVALID, f"{path}.name", name, _ENV_SHAPE)
    source = entry.get("valueFrom")
    if not isinstance(source, dict):
        return
    path = f"{path}.valueFrom"
    named = [kind for kind in _ENV_SOURCES if source.get(kind) is not None]
    for kind in named:
        yield from _source_errors(kind, part(source, kind), f"{path}.{kind}")
    if not named:
        listed = ", ".join(f"`{kind}`" for kind in _ENV_SOURCES[:-1])
        yield FieldError(ErrorType.INVALID, path, "", f"must specify one of: {listed} or `{_ENV_SOURCES[-1]}`")
    elif text(entry, "value"):
        yield FieldError(ErrorType.INVALID, path, "", "may not be specified when `value` is not empty")
    elif len(named) > 1:
        yield FieldError(ErrorType.INVALID, path, "", "may not have more than one field specified at a time")


def _source_errors(kind: str, source: JSONObject, path: str) -> Iterator[FieldError]:
    if kind in {"configMapKeyRef", "secretKeyRef"}:
        yield from _key_errors(source, path)
    elif kind == "fieldRef":
        field = text(source, "fieldPath")
        version = text(source, "apiVersion") or "v1"
        if not field:
            yield FieldError(ErrorType.REQUIRED, f"{path}.fieldPath")
        elif version != "v1":
            detail = f"error converting fieldPath: unsupported pod version: {version}"
            yield FieldError(ErrorType.INVALID, f"{path}.fieldPath", field, detail)
        elif field in _CONVERTED:
            yield unsupported(f"{path}.fieldPath", field, _POD_FIELDS)
        elif field not in _POD_FIELDS and not field.startswith(("metadata.labels[", "metadata.annotations[")):
            detail = f"error converting fieldPath: field label not supported: {field}"
            yield FieldError(ErrorType.INVALID, f"{path}.fieldPath", field, detail)
    elif kind == "resourceFieldRef":
        resource = text(source, "resource")
        if not resource:
            yield FieldError(ErrorType.REQUIRED, f"{path}.resource")
        elif resource not in _RESOURCES and not resource.startswith(("limits.hugepages-", "requests.hugepages-")):
            yield unsupported(f"{path}.resource", resource, _RESOURCES)


def _key_errors(reference: JSONObject, path: str) -> Iterator[FieldError]:
    """What is wrong with a reference to a key of a Secret or ConfigMap."""
    name, key = text(reference, "name"), text(reference, "key")
    yield from value_errors(f"{path}.name", name, dns1123_subdomain(name))
    if not key:
        yield FieldError(ErrorType.REQUIRED, f"{path}.key")
    elif not _KEY.fullmatch(key):
        yield FieldError(ErrorType.INVALID, f"{path}.key", key, _KEY_SHAPE)
    if key in (".", ".."):
        yield FieldError(ErrorType.INVALID, f"{path}.key", key, f"must not be '{key}'")
    elif key.startswith(".."):
        yield FieldError(ErrorType.INVALID, f"{path}.key", key, "must not start with '..'")


def _resource_errors(container: JSONObject, path: str, claims: set[str]) -> Iterator[FieldError]:
    yield from container_resource_errors(container, path)
    seen = set[str]()
    for index, claim in enumerate(items(container, "resources", "claims")):
        where, name = f"{path}.resources.claims[{index}]", text(claim, "name")
        if not name:
            yield FieldError(ErrorType.REQUIRED, where)
        elif name in seen:
            yield FieldError(ErrorType.DUPLICATE, where, name)
        elif name not in claims:
            known = f": {', '.join(sorted(claims))}" if claims else " which is empty"
            yield FieldError(ErrorType.NOT_FOUND, where, name, f"must be one of the names in pod.spec.resourceClaims{known}")
        seen.add(name)
