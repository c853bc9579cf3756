"""The API server's checks of a pod's smaller fields: DNS and hosts, readiness gates, preemption, overhead, the operating system.

What a pod of Windows may not have isn't checked.
Source: Kubernetes v1.36, pkg/apis/core/validation (ValidatePodSpec, validatePodDNSConfig, ValidateHostAliases, validateOS).
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv6Address, ip_address
from typing import Final

from weighbridge.policies.ground.field_errors import ErrorType, FieldError, unsupported, value_errors
from weighbridge.policies.ground.fields import flag, items, part, text, texts
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.ground.server_release import release
from weighbridge.policies.pods.validation.resources import overhead_errors
from weighbridge.policies.pods.validation.wordings import (
    LEADING_ZEROS,
    MAPPED_IP,
    NO_DNS_CONFIG,
    NO_IP,
    NO_NAMESERVER,
    NO_OPTION,
    NOT_OF_LINUX,
    SHARED_TWICE,
    too_many_nameservers,
    too_many_searches,
)
from weighbridge.policies.schema.names import dns1123_label, dns1123_subdomain, dns1123_subdomain_with_underscore, qualified_name

_DNS: Final = ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None")
_PREEMPTION: Final = ("PreemptLowerPriority", "Never")
_SYSTEMS: Final = ("linux", "windows")
_MOST_NAMESERVERS: Final = 3
_MOST_SEARCHES: Final = 32


def pod_field_errors(pod: JSONObject, path: str) -> Iterator[FieldError]:
    """The errors of these fields of a pod."""
    if (policy := text(pod, "dnsPolicy")) and policy not in _DNS:
        yield unsupported(f"{path}.dnsPolicy", policy, _DNS)
    if "dnsConfig" in pod or policy == "None":
        yield from _dns_errors(pod, policy, path)
    if flag(pod, "hostPID") and flag(pod, "shareProcessNamespace"):
        # NB: before 1.37 the server says that this field is one of the security context.
        part_of = "" if release().names_shared_processes else ".securityContext"
        yield FieldError(ErrorType.INVALID, f"{path}{part_of}.shareProcessNamespace", bad_value=True, detail=SHARED_TWICE)
    for index, gate in enumerate(items(pod, "readinessGates")):
        kind = text(gate, "conditionType")
        yield from value_errors(f"{path}.readinessGates[{index}].conditionType", kind, qualified_name(kind))
    for field in ("hostname", "subdomain"):
        if host := text(pod, field):
            yield from value_errors(f"{path}.{field}", host, dns1123_label(host))
    for index, alias in enumerate(items(pod, "hostAliases")):
        yield from _alias_errors(alias, f"{path}.hostAliases[{index}]")
    preemption = pod.get("preemptionPolicy")
    if preemption == "":
        # The field is a pointer, so an empty value doesn't get the default.
        yield FieldError(ErrorType.REQUIRED, f"{path}.preemptionPolicy")
    elif isinstance(preemption, str) and preemption not in _PREEMPTION:
        yield unsupported(f"{path}.preemptionPolicy", preemption, _PREEMPTION)
    yield from overhead_errors(pod, path)
    yield from _system_errors(pod, path)


def _dns_errors(pod: JSONObject, policy: str, path: str) -> Iterator[FieldError]:
    config = pod.get("dnsConfig")
    if not isinstance(config, dict):
        if policy == "None":
            yield FieldError(ErrorType.REQUIRED, f"{path}.dnsConfig", detail=NO_DNS_CONFIG)
        return
    path = f"{path}.dnsConfig"
    servers, searches = texts(config, "nameservers"), texts(config, "searches")
    if policy == "None" and not servers:
        yield FieldError(ErrorType.REQUIRED, f"{path}.nameservers", detail=NO_NAMESERVER)
    if len(servers) > _MOST_NAMESERVERS:
        yield FieldError(ErrorType.INVALID, f"{path}.nameservers", [*servers], too_many_nameservers(_MOST_NAMESERVERS))
    for index, server in enumerate(servers):
        yield from value_errors(f"{path}.nameservers[{index}]", server, ip_messages(server))
    if len(searches) > _MOST_SEARCHES:
        yield FieldError(ErrorType.INVALID, f"{path}.searches", [*searches], too_many_searches(_MOST_SEARCHES))
    for index, search in enumerate(searches):
        name = search if search == "." else search.removesuffix(".")
        yield from value_errors(f"{path}.searches[{index}]", name, dns1123_subdomain_with_underscore(name) if name != "." else ())
    for index, option in enumerate(items(config, "options")):
        if not text(option, "name"):
            yield FieldError(ErrorType.REQUIRED, f"{path}.options[{index}]", detail=NO_OPTION)


def _alias_errors(alias: JSONObject, path: str) -> Iterator[FieldError]:
    yield from value_errors(f"{path}.ip", text(alias, "ip"), ip_messages(text(alias, "ip")))
    for index, name in enumerate(texts(alias, "hostnames")):
        yield from value_errors(f"{path}.hostnames[{index}]", name, dns1123_subdomain(name))


def ip_messages(written: str) -> list[str]:
    """Why a text is no IP address; empty if it is one."""
    try:
        found = ip_address(written)
    except ValueError:
        return [LEADING_ZEROS] if _has_leading_zeros(written) else [NO_IP]
    if isinstance(found, IPv6Address) and found.scope_id is not None:
        return [NO_IP]
    return [MAPPED_IP] if isinstance(found, IPv6Address) and found.ipv4_mapped is not None else []


def _has_leading_zeros(written: str) -> bool:
    """Whether a text is an IPv4 address but for zeros before its numbers."""
    numbers = written.split(".")
    return len(numbers) == 4 and all(one.isascii() and one.isdecimal() and len(one.lstrip("0")) <= 3 and int(one) <= 255 for one in numbers)


def _system_errors(pod: JSONObject, path: str) -> Iterator[FieldError]:
    if not isinstance(pod.get("os"), dict):
        return
    name = text(part(pod, "os"), "name")
    if not name:
        yield FieldError(ErrorType.REQUIRED, f"{path}.os.name")
    elif name not in _SYSTEMS:
        yield unsupported(f"{path}.os", name, _SYSTEMS)
    elif name == "linux" and "windowsOptions" in part(pod, "securityContext"):
        yield FieldError(ErrorType.FORBIDDEN, f"{path}.securityContext.windowsOptions", detail=NOT_OF_LINUX)
