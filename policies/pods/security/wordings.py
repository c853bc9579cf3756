"""What the plugin PodSecurity says against a pod: every wording.

A violation has a reason in a word or two, and a detail. Source: k8s.io/pod-security-admission v0.37, policy/check_*.go, policy/helpers.go,
policy/visitor.go, policy/checks.go and admission/admission.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

# --- answers ---


def violation(standard: object, found: str) -> str:
    """The refusal of a pod."""
    return f'violates PodSecurity "{standard}": {found}'


def violation_of_template(standard: object, found: str) -> str:
    """The warning about an object that creates pods."""
    return f'would violate PodSecurity "{standard}": {found}'


def violated(reasons: Iterable[tuple[str, str]]) -> str:
    """All violations, each a reason with its detail."""
    return ", ".join(f"{reason} ({detail})" if detail else reason for reason, detail in reasons)


# --- the parts of a pod ---


def quoted(texts: Iterable[str]) -> str:
    """``"a", "b"``."""
    return ", ".join(f'"{one}"' for one in texts)


def counted(word: str, names: Sequence[str]) -> str:
    """``container "a"``, or ``containers "a", "b"``."""
    return f"{plural(word, len(names))} {quoted(names)}"


def plural(word: str, count: int) -> str:
    """The word for one, or for several."""
    return word if count == 1 else f"{word}s"


def containers(names: Sequence[str]) -> str:
    """Containers by their names."""
    return counted("container", names)


def using(names: Sequence[str], word: str = "container") -> str:
    """The beginning of a detail about something that containers or volumes use."""
    return f"{counted(word, names)} {'uses' if len(names) == 1 else 'use'}"


def setters(names: Sequence[str], *, is_pod: bool) -> str:
    """The parts that set a forbidden value: ``pod and container "a"``; empty if none does."""
    return " and ".join([*(["pod"] if is_pod else []), *([containers(names)] if names else [])])


# --- baseline ---

CAPABILITIES: Final = "non-default capabilities"
HOST_NAMESPACES: Final = "host namespaces"
HOST_PATHS: Final = "hostPath volumes"
PROBED_HOST: Final = "probe or lifecycle host"
SYSCTLS: Final = "forbidden sysctls"


def app_armor_reason(count: int) -> str:
    """The reason of a violation by AppArmor profiles."""
    return plural("forbidden AppArmor profile", count)


def app_armor(setter: str, annotations: int, values: Iterable[str]) -> str:
    """A security context or an annotation sets an AppArmor profile that isn't allowed."""
    who = [setter, *([plural("annotation", annotations)] if annotations else [])]
    return f"{' and '.join(filter(None, who))} must not set AppArmor profile type to {quoted(values)}"


def added_capabilities(names: Sequence[str], capabilities: Iterable[str]) -> str:
    """Containers add capabilities that aren't allowed."""
    return f"{containers(names)} must not include {quoted(capabilities)} in securityContext.capabilities.add"


def listed(texts: Iterable[str]) -> str:
    """Names, separated by commas."""
    return ", ".join(texts)


def host_paths(names: Sequence[str]) -> str:
    """Volumes mount files of the node."""
    return counted("volume", names)


def host_ports(names: Sequence[str], ports: Sequence[str]) -> str:
    """Containers take ports of their node."""
    return f"{using(names)} {plural('hostPort', len(ports))} {listed(ports)}"


def probed_hosts(names: Sequence[str], hosts: Sequence[str]) -> str:
    """Probes or hooks call other hosts."""
    return f"{using(names)} {counted(PROBED_HOST, hosts)}"


def privileged(names: Sequence[str]) -> str:
    """Containers are privileged."""
    return f"{containers(names)} must not set securityContext.privileged=true"


def proc_mount(names: Sequence[str], types: Iterable[str]) -> str:
    """Containers see more of /proc than by default."""
    return f"{containers(names)} must not set securityContext.procMount to {quoted(types)}"


def selinux(setter: str, types: Sequence[str], keys: Iterable[str]) -> str:
    """The pod or containers set SELinux types that aren't allowed, or options that must not be set."""
    what = [*([counted("type", types)] if types else []), *(f"{key} may not be set" for key in keys)]
    return f"{setter} set forbidden securityContext.seLinuxOptions: {'; '.join(what)}"


def seccomp_annotations(annotations: Sequence[str]) -> str:
    """Annotations set seccomp profiles that aren't allowed."""
    return f"forbidden {plural('annotation', len(annotations))} {listed(annotations)}"


def seccomp(setter: str, types: Iterable[str]) -> str:
    """The pod or containers set a seccomp profile that isn't allowed."""
    return f"{setter} must not set securityContext.seccompProfile.type to {quoted(types)}"


def host_process(setter: str) -> str:
    """Windows containers run as processes of their node."""
    return f"{setter} must not set securityContext.windowsOptions.hostProcess=true"


# --- restricted ---

ESCALATION: Final = "allowPrivilegeEscalation != false"
UNRESTRICTED_CAPABILITIES: Final = "unrestricted capabilities"
VOLUMES: Final = "restricted volume types"
AS_ROOT: Final = "runAsNonRoot != true"


def escalation(names: Sequence[str]) -> str:
    """Containers may get more privileges."""
    return f"{containers(names)} must set securityContext.allowPrivilegeEscalation=false"


def kept_capabilities(names: Sequence[str]) -> str:
    """Containers don't drop all capabilities."""
    return f'{containers(names)} must set securityContext.capabilities.drop=["ALL"]'


def restricted_capabilities(details: Iterable[str]) -> str:
    """The details about kept and about added capabilities, as one."""
    return "; ".join(details)


def restricted_volumes(names: Sequence[str], kinds: Sequence[str]) -> str:
    """Volumes are of kinds that aren't allowed."""
    return f"{using(names, 'volume')} {counted('restricted volume type', kinds)}"


def as_root(setter: str) -> str:
    """The pod or containers allow themselves to run as root."""
    return f"{setter} must not set securityContext.runAsNonRoot=false"


def maybe_as_root(names: Sequence[str]) -> str:
    """Neither the pod nor the containers forbid themselves to run as root."""
    return f"pod or {containers(names)} must set securityContext.runAsNonRoot=true"


def as_user_zero(setter: str) -> str:
    """The pod or containers run as root."""
    return f"{setter} must not set runAsUser=0"


def no_seccomp(names: Sequence[str]) -> str:
    """Containers have no seccomp profile, and the pod has none either."""
    return f'pod or {containers(names)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"'
