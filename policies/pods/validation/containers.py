"""The API server's checks of a container: image, ports, environment, mounts, resources, users.

Source: Kubernetes v1.36, pkg/apis/core/validation (validateContainers, ValidateEnv); of an image only its presence is checked here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.field_errors import ErrorType, FieldError, unsupported, value_errors
from weighbridge.policies.ground.fields import flag, items, part, text
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.pods.validation.claims import reference_errors
from weighbridge.policies.pods.validation.ports import port_errors
from weighbridge.policies.pods.validation.resources import container_resource_errors
from weighbridge.policies.pods.validation.security import container_security_errors
from weighbridge.policies.pods.validation.volumes import mount_errors
from weighbridge.policies.pods.validation.wordings import (
    BEGINS_WITH_BACKSTEP,
    CONFIG_KEY_SHAPE,
    ENV_NAME_SHAPE,
    SEVERAL_FIELDS,
    VALUE_AND_SOURCE,
    no_pod_field,
    no_subscript,
    none_of,
    not_named,
    too_long,
    wrong_version,
)
from weighbridge.policies.schema.names import dns1123_label, dns1123_subdomain, go_lower, qualified_name

_ENV_NAME: Final = expression(r"[ -<>-~]+", re.ASCII)
_ENV_SOURCES: Final = ("fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef")
#: The fields of its pod to which a variable can refer, and further ones whose names the server knows.
_POD_FIELDS: Final = (
    *("metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName"),
    *("status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"),
)
_CONVERTED: Final = frozenset({"metadata.annotations", "metadata.labels", "spec.restartPolicy", "spec.schedulerName", "status.phase"})
#: The name of a former field, which is still an alias of `spec.nodeName`.
_OLD_NODE_NAME: Final = "spec.host"
_SUBSCRIPT: Final = expression(r"(.+?)\['(.*)'\]", re.DOTALL)
_RESOURCES: Final = tuple(f"{kind}.{name}" for kind in ("limits", "requests") for name in ("cpu", "ephemeral-storage", "memory"))
_MAX_KEY: Final = 253
_KEY: Final = expression(r"[-._a-zA-Z0-9]+", re.ASCII)


def container_errors(
    container: JSONObject, path: str, volumes: set[str], claims: set[str], *, host_users: bool = True
) -> Iterator[FieldError]:
    """The errors of a container of a pod with these volumes and resource claims; without `host_users` it has a user namespace."""
    name = text(container, "name")
    if not name:
        yield FieldError(ErrorType.REQUIRED, f"{path}.name")
    yield from value_errors(f"{path}.name", name, dns1123_label(name) if name else ())
    if not text(container, "image"):
        yield FieldError(ErrorType.REQUIRED, f"{path}.image")
    if "ports" in container:
        yield from port_errors(items(container, "ports"), f"{path}.ports")
    if "env" in container or "envFrom" in container:
        yield from _environment_errors(container, path)
    if "volumeMounts" in container:
        privileged = flag(part(container, "securityContext"), "privileged")
        yield from mount_errors(items(container, "volumeMounts"), volumes, f"{path}.volumeMounts", is_privileged=privileged)
    if container.get("resources"):
        yield from _resource_errors(container, path, claims)
    if "securityContext" in container:
        yield from container_security_errors(part(container, "securityContext"), f"{path}.securityContext", host_users=host_users)


def _environment_errors(container: JSONObject, path: str) -> Iterator[FieldError]:
    for index, entry in enumerate(items(container, "env")):
        # Most variables have only a plain name and a value.
        if "valueFrom" in entry or not _ENV_NAME.fullmatch(text(entry, "name")):
            yield from _env_errors(entry, f"{path}.env[{index}]")
    for index, entry in enumerate(items(container, "envFrom")):
        yield from _all_from_errors(entry, f"{path}.envFrom", index)


def _all_from_errors(entry: JSONObject, path: str, index: int) -> Iterator[FieldError]:
    """The errors of an entry of `envFrom`, which makes a variable of each key."""
    prefix = text(entry, "prefix")
    if prefix and not _ENV_NAME.fullmatch(prefix):
        yield FieldError(ErrorType.INVALID, f"{path}[{index}].prefix", prefix, ENV_NAME_SHAPE)
    named = [kind for kind in ("configMapRef", "secretRef") if isinstance(entry.get(kind), dict)]
    for kind in named:
        where, name = f"{path}[{index}].{kind}.name", text(entry[kind], "name")
        if not name:
            yield FieldError(ErrorType.REQUIRED, where)
        # NB: the server allows a name to end with a dash here, as if it were a prefix.
        checked = f"{name[:-2]}a" if len(name) > 1 and name.endswith("-") else name
        yield from value_errors(where, name, dns1123_subdomain(checked) if name else ())
    # NB: here the server's field doesn't have the index.
    if not named:
        yield FieldError(ErrorType.INVALID, path, "", none_of(("configMapRef", "secretRef")))
    elif len(named) > 1:
        yield FieldError(ErrorType.INVALID, path, "", SEVERAL_FIELDS)


def _env_errors(entry: JSONObject, path: str) -> Iterator[FieldError]:
    name = text(entry, "name")
    if not name:
        yield FieldError(ErrorType.REQUIRED, f"{path}.name")
    elif not _ENV_NAME.fullmatch(name):
        yield FieldError(ErrorType.INVALID, f"{path}.name", name, ENV_NAME_SHAPE)
    source = entry.get("valueFrom")
    if not isinstance(source, dict):
        return
    path = f"{path}.valueFrom"
    sources = _ENV_SOURCES if release().reads_variables_of_files else _ENV_SOURCES[:-1]
    named = [kind for kind in sources if source.get(kind) is not None]
    for kind in named:
        yield from _source_errors(kind, part(source, kind), f"{path}.{kind}")
    if not named:
        yield FieldError(ErrorType.INVALID, path, "", none_of(sources))
    elif text(entry, "value"):
        yield FieldError(ErrorType.INVALID, path, "", VALUE_AND_SOURCE)
    elif len(named) > 1:
        yield FieldError(ErrorType.INVALID, path, "", SEVERAL_FIELDS)


def _source_errors(kind: str, source: JSONObject, path: str) -> Iterator[FieldError]:
    if kind in {"configMapKeyRef", "secretKeyRef"}:
        yield from _key_errors(source, path)
    elif kind == "fieldRef":
        field = text(source, "fieldPath")
        version = text(source, "apiVersion") or "v1"
        if not field:
            yield FieldError(ErrorType.REQUIRED, f"{path}.fieldPath")
        elif version != "v1":
            yield FieldError(ErrorType.INVALID, f"{path}.fieldPath", field, wrong_version(version))
        else:
            yield from _field_errors(field, path)
    elif kind == "resourceFieldRef":
        resource = text(source, "resource")
        if not resource:
            yield FieldError(ErrorType.REQUIRED, f"{path}.resource")
        elif resource not in _RESOURCES and not resource.startswith(("limits.hugepages-", "requests.hugepages-")):
            yield unsupported(f"{path}.resource", resource, _RESOURCES)


def _field_errors(field: str, path: str) -> Iterator[FieldError]:
    """The errors of the field of a pod that a variable refers to."""
    subscripted = _SUBSCRIPT.fullmatch(field)
    if subscripted is not None and subscripted[1] in ("metadata.labels", "metadata.annotations"):
        key = go_lower(subscripted[2]) if subscripted[1] == "metadata.annotations" else subscripted[2]
        yield from value_errors(path, key, qualified_name(key))
    elif subscripted is not None:
        yield FieldError(ErrorType.INVALID, f"{path}.fieldPath", field, no_subscript(field))
    elif field in _CONVERTED:
        yield unsupported(f"{path}.fieldPath", field, _POD_FIELDS)
    elif field not in _POD_FIELDS and field != _OLD_NODE_NAME:
        yield FieldError(ErrorType.INVALID, f"{path}.fieldPath", field, no_pod_field(field))


def _key_errors(reference: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of a reference to a key of a Secret or ConfigMap."""
    name, key = text(reference, "name"), text(reference, "key")
    yield from value_errors(f"{path}.name", name, dns1123_subdomain(name))
    if not key:
        yield FieldError(ErrorType.REQUIRED, f"{path}.key")
        return
    if len(key.encode(errors="replace")) > _MAX_KEY:
        yield FieldError(ErrorType.INVALID, f"{path}.key", key, too_long(_MAX_KEY))
    if not _KEY.fullmatch(key):
        yield FieldError(ErrorType.INVALID, f"{path}.key", key, CONFIG_KEY_SHAPE)
    if key in (".", ".."):
        yield FieldError(ErrorType.INVALID, f"{path}.key", key, not_named(key))
    elif key.startswith(".."):
        yield FieldError(ErrorType.INVALID, f"{path}.key", key, BEGINS_WITH_BACKSTEP)


def _resource_errors(container: JSONObject, path: str, claims: set[str]) -> Iterator[FieldError]:
    yield from container_resource_errors(container, path)
    yield from reference_errors(container, path, claims)
