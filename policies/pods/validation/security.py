"""The API server's checks of users, groups, profiles and privileges of a pod and of its containers.

Source: Kubernetes v1.36, pkg/apis/core/validation (validatePodSpecSecurityContext, ValidateSecurityContext). Options of Windows are left
out, and so are the annotations that profiles once had.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from weighbridge.policies.ground.expressions import expression
from weighbridge.policies.ground.field_errors import OMITTED, ErrorType, FieldError, unsupported
from weighbridge.policies.ground.fields import flag, items, part, repeats, text, texts
from weighbridge.policies.ground.go_text import json_text
from weighbridge.policies.ground.objects import JSONObject, JSONValue
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.pods.requests import containers
from weighbridge.policies.pods.validation.volumes import descending_errors
from weighbridge.policies.pods.validation.wordings import (
    ESCALATES_BY_CAPABILITY,
    ESCALATES_PRIVILEGED,
    UNMASKED_ON_HOST,
    WITHOUT_HOST_USERS,
    no_profile,
    no_profile_type,
    outside,
    printed,
    sysctl_shape,
    unused_profile,
)

_MAX_ID: Final = 2**31 - 1
_OUT_OF_RANGE: Final = outside(0, _MAX_ID)
_PROFILES: Final = ("Localhost", "RuntimeDefault", "Unconfined")
_SYSCTL: Final = r"([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_SYSCTL_RE: Final = expression(_SYSCTL, re.ASCII)
_MAX_SYSCTL: Final = 253
#: The fields of a container's context in the order in which the server prints them.
_CONTEXT: Final = (
    "capabilities", "privileged", "SELinuxOptions", "windowsOptions", "runAsUser", "runAsGroup", "runAsNonRoot", "readOnlyRootFilesystem",
    "allowPrivilegeEscalation", "procMount", "seccompProfile", "appArmorProfile",
)  # fmt: skip
#: The fields of the context's parts.
_FIELDS: Final = {
    "SELinuxOptions": ("user", "role", "type", "level"),
    "capabilities": ("add", "drop"),
    "seccompProfile": ("type", "localhostProfile"),
    "appArmorProfile": ("type", "localhostProfile"),
}
#: The texts among these fields; one that isn't set is empty.
_TEXTS: Final = frozenset({"user", "role", "type", "level"})


def pod_security_errors(context: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of a pod's security context."""
    groups = context.get("supplementalGroups")
    listed = enumerate(groups) if isinstance(groups, list) else ()
    for field in ("fsGroup", "runAsUser", "runAsGroup"):
        if field in context:
            yield from _id_errors(context[field], f"{path}.{field}")
    for index, group in listed:
        yield from _id_errors(group, f"{path}.supplementalGroups[{index}]")
    if "sysctls" in context:
        yield from _sysctl_errors(items(context, "sysctls"), f"{path}.sysctls")
    yield from _word_errors(context, "fsGroupChangePolicy", ("Always", "OnRootMismatch"), path)
    if "seccompProfile" in context:
        yield from _profile_errors(context["seccompProfile"], f"{path}.seccompProfile", "seccomp")
    if "appArmorProfile" in context:
        yield from _profile_errors(context["appArmorProfile"], f"{path}.appArmorProfile", "AppArmor")
    yield from _word_errors(context, "supplementalGroupsPolicy", ("Merge", "Strict"), path)
    policies = ("MountOption", "Recursive") if release().mounts_selinux_labels else ("Recursive",)
    yield from _word_errors(context, "seLinuxChangePolicy", policies, path)


def host_user_errors(spec: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of a pod with a user namespace that shares other namespaces with its node, or has raw devices."""
    if spec.get("hostUsers") is not False:
        return
    # NB: the server begins the names of two of these fields with a capital letter.
    for field, named in (("hostNetwork", "hostNetwork"), ("hostPID", "HostPID"), ("hostIPC", "HostIPC")):
        if flag(spec, field):
            yield FieldError(ErrorType.FORBIDDEN, f"{path}.{named}", detail=WITHOUT_HOST_USERS)
    for kind, index, container in containers(spec):
        if items(container, "volumeDevices"):
            yield FieldError(ErrorType.FORBIDDEN, f"{path}.{kind}[{index}].volumeDevices", detail=WITHOUT_HOST_USERS)


def container_security_errors(context: JSONObject, path: str, *, host_users: bool = True) -> Iterator[FieldError]:
    """The errors of a container's security context; a pod without `host_users` has a user namespace."""
    for field in ("runAsUser", "runAsGroup"):
        if field in context:
            yield from _id_errors(context[field], f"{path}.{field}")
    if context.get("procMount") is not None:
        yield from _word_errors(context, "procMount", ("Default", "Unmasked"), path)
        if host_users and context["procMount"] == "Unmasked":
            yield FieldError(ErrorType.INVALID, f"{path}.procMount", "Unmasked", UNMASKED_ON_HOST)
    if "seccompProfile" in context:
        yield from _profile_errors(context["seccompProfile"], f"{path}.seccompProfile", "seccomp")
    if context.get("allowPrivilegeEscalation") is False:
        if context.get("privileged") is True:
            yield _invalid(path, _as_go(context), ESCALATES_PRIVILEGED)
        if "CAP_SYS_ADMIN" in texts(part(context, "capabilities"), "add"):
            yield _invalid(path, _as_go(context), ESCALATES_BY_CAPABILITY)
    if "appArmorProfile" in context:
        yield from _profile_errors(context["appArmorProfile"], f"{path}.appArmorProfile", "AppArmor")


def _id_errors(number: JSONValue, path: str) -> Iterator[FieldError]:
    if isinstance(number, int) and not isinstance(number, bool) and not 0 <= number <= _MAX_ID:
        yield FieldError(ErrorType.INVALID, path, number, _OUT_OF_RANGE)


def _sysctl_errors(sysctls: list[JSONObject], path: str) -> Iterator[FieldError]:
    names = [text(sysctl, "name") for sysctl in sysctls]
    for index, (name, is_repeated) in enumerate(zip(names, repeats(names), strict=True)):
        if not name:
            yield FieldError(ErrorType.REQUIRED, f"{path}[{index}].name")
        elif len(name) > _MAX_SYSCTL or not _SYSCTL_RE.fullmatch(name):
            yield FieldError(ErrorType.INVALID, f"{path}[{index}].name", name, sysctl_shape(_MAX_SYSCTL, _SYSCTL))
        elif is_repeated:
            yield FieldError(ErrorType.DUPLICATE, f"{path}[{index}].name", name)


def _profile_errors(profile: JSONValue, path: str, system: str) -> Iterator[FieldError]:
    """The errors of a profile of seccomp or AppArmor."""
    if not isinstance(profile, dict):
        return
    kind, local = text(profile, "type"), profile.get("localhostProfile")
    if not kind:
        yield FieldError(ErrorType.REQUIRED, f"{path}.type", detail=no_profile_type(system))
    elif kind not in _PROFILES:
        yield unsupported(f"{path}.type", kind, _PROFILES)
    # NB: for seccomp the server checks the name for any type, and prints the whole profile; for AppArmor it prints only the name.
    is_seccomp = system == "seccomp"
    if kind == "Localhost":
        yield from _local_errors(local, f"{path}.localhostProfile", system)
    elif local is not None and (is_seccomp or kind in _PROFILES):
        shown = _members(profile, ("type", "localhostProfile")) if is_seccomp else json_text(local)
        yield _invalid(f"{path}.localhostProfile", shown, unused_profile(system))


def _local_errors(local: JSONValue, path: str, system: str) -> Iterator[FieldError]:
    """The errors of the name of a profile on the node: a path for seccomp, any name for AppArmor."""
    if not isinstance(local, str) or (system == "AppArmor" and not local):
        yield FieldError(ErrorType.REQUIRED, path, detail=no_profile(system))
    elif system == "seccomp":
        yield from descending_errors(local, path)


def _word_errors(context: JSONObject, field: str, supported: tuple[str, ...], path: str) -> Iterator[FieldError]:
    word = context.get(field)
    if isinstance(word, str) and word not in supported:
        yield unsupported(f"{path}.{field}", word, supported)


def _invalid(path: str, shown: str, detail: str) -> FieldError:
    """The error of a value that the server prints as a Go struct, with its fields in the order of their declaration."""
    return FieldError(ErrorType.INVALID, path, OMITTED, printed(shown, detail))


def _as_go(context: JSONObject) -> str:
    """A container's context as the server prints it: every field, whether it is set or not."""
    return _members({**context, "SELinuxOptions": context.get("seLinuxOptions")}, _CONTEXT)


def _members(value: JSONObject, fields: tuple[str, ...]) -> str:
    return "{" + ",".join(f'"{field[0].upper()}{field[1:]}":{_member(field, value.get(field))}' for field in fields) + "}"


def _member(field: str, value: JSONValue) -> str:
    if not isinstance(value, dict):
        return json_text("" if value is None and field in _TEXTS else value)
    return _members(value, _FIELDS.get(field, tuple(value)))
