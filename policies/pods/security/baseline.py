"""The checks of the level baseline, each with its file of k8s.io/pod-security-admission v0.37."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from weighbridge.policies.ground.fields import flag, items, part, text, texts, whole
from weighbridge.policies.ground.go_text import quote
from weighbridge.policies.ground.objects import JSONObject
from weighbridge.policies.pods.security import wordings
from weighbridge.policies.pods.security.checked_pod import Broken, Check, CheckedPod, context_of, named

_APP_ARMOR: Final = "container.apparmor.security.beta.kubernetes.io/"
_SECCOMP_POD: Final = "seccomp.security.alpha.kubernetes.io/pod"
_SECCOMP_CONTAINER: Final = "container.seccomp.security.alpha.kubernetes.io/"
_CAPABILITIES: Final = frozenset(
    {
        *("AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "SETFCAP", "SETGID"),
        *("SETPCAP", "SETUID", "SYS_CHROOT"),
    }
)
_SELINUX: Final = frozenset({"", "container_t", "container_init_t", "container_kvm_t"})
_SYSCTLS: Final = frozenset(
    {
        *("kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.tcp_syncookies", "net.ipv4.ping_group_range"),
        "net.ipv4.ip_unprivileged_port_start",
    }
)
_SYSCTLS_27: Final = _SYSCTLS | {"net.ipv4.ip_local_reserved_ports"}
_SYSCTLS_29: Final = _SYSCTLS_27 | {
    f"net.ipv4.tcp_{name}" for name in ("keepalive_time", "fin_timeout", "keepalive_intvl", "keepalive_probes")
}
_SYSCTLS_32: Final = _SYSCTLS_29 | {"net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"}
_SYSCTLS_37: Final = _SYSCTLS_32 | {"net.ipv4.tcp_slow_start_after_idle", "net.ipv4.tcp_notsent_lowat"}
_PROBES: Final = ("livenessProbe", "readinessProbe", "startupProbe")
_HOOKS: Final = ("postStart", "preStop")


def _app_armor(pod: CheckedPod) -> Broken | None:
    """policy/check_appArmorProfile.go."""

    def is_bad(context: JSONObject) -> bool:
        return "appArmorProfile" in context and bool(part(context, "appArmorProfile")) and _type(context, "appArmorProfile") not in allowed

    allowed = ("RuntimeDefault", "Localhost")
    bad = [container for container in pod.containers if is_bad(context_of(container))]
    contexts = [*([pod.context] if is_bad(pod.context) else []), *map(context_of, bad)]
    annotations = sorted(
        f"{key}={quote(value)}" for key, value in pod.annotations.items() if key.startswith(_APP_ARMOR) and not _is_app_armor(value)
    )
    values = [*sorted({_type(context, "appArmorProfile") for context in contexts}), *annotations]
    if not values:
        return None
    who = wordings.setters(named(bad), is_pod=is_bad(pod.context))
    return Broken(wordings.app_armor_reason(len(values)), wordings.app_armor(who, len(annotations), values))


def _is_app_armor(value: str) -> bool:
    return value in ("", "runtime/default") or value.startswith("localhost/")


def _type(context: JSONObject, profile: str) -> str:
    return text(part(context, profile), "type")


def _capabilities(pod: CheckedPod) -> Broken | None:
    """policy/check_capabilities_baseline.go."""
    added = [set(texts(part(context_of(container), "capabilities"), "add")) - _CAPABILITIES for container in pod.containers]
    bad = named(container for container, more in zip(pod.containers, added, strict=True) if more)
    if not bad:
        return None
    return Broken(wordings.CAPABILITIES, wordings.added_capabilities(bad, sorted(set().union(*added))))


def _host_namespaces(pod: CheckedPod) -> Broken | None:
    """policy/check_hostNamespaces.go."""
    found = [f"{name}=true" for name in ("hostNetwork", "hostPID", "hostIPC") if flag(pod.spec, name)]
    return Broken(wordings.HOST_NAMESPACES, wordings.listed(found)) if found else None


def _host_paths(pod: CheckedPod) -> Broken | None:
    """policy/check_hostPathVolumes.go."""
    bad = named(volume for volume in items(pod.spec, "volumes") if isinstance(volume.get("hostPath"), dict))
    return Broken(wordings.HOST_PATHS, wordings.host_paths(bad)) if bad else None


def _host_ports(pod: CheckedPod) -> Broken | None:
    """policy/check_hostPorts.go."""
    used = [{whole(port, "hostPort") for port in items(container, "ports")} - {0} for container in pod.containers]
    bad = [container for container, ports in zip(pod.containers, used, strict=True) if ports]
    if not bad:
        return None
    ports = sorted(map(str, set().union(*used)))
    return Broken("hostPort", wordings.host_ports(named(bad), ports))


def _hosts_of_probes(pod: CheckedPod) -> Broken | None:
    """policy/check_hostProbesAndhostLifecycle.go."""
    hosts = [set(filter(None, _hosts(container))) for container in pod.containers]
    bad = sorted({text(container, "name") for container, found in zip(pod.containers, hosts, strict=True) if found})
    if not bad:
        return None
    return Broken(wordings.PROBED_HOST, wordings.probed_hosts(bad, sorted(set().union(*hosts))))


def _hosts(container: JSONObject) -> Iterator[str]:
    handlers = [*(part(container, probe) for probe in _PROBES), *(part(container, "lifecycle", hook) for hook in _HOOKS)]
    for handler in handlers:
        yield text(part(handler, "httpGet"), "host")
        yield text(part(handler, "tcpSocket"), "host")


def _privileged(pod: CheckedPod) -> Broken | None:
    """policy/check_privileged.go."""
    bad = named(container for container in pod.containers if flag(context_of(container), "privileged"))
    return Broken("privileged", wordings.privileged(bad)) if bad else None


def proc_mount(pod: CheckedPod) -> Broken | None:
    """policy/check_procMount_baseline.go: procMount_1_0."""
    bad = [container for container in pod.containers if text(context_of(container), "procMount", "Default") != "Default"]
    if not bad:
        return None
    types = sorted({text(context_of(container), "procMount") for container in bad})
    return Broken("procMount", wordings.proc_mount(named(bad), types))


def without_own_users(check: Check) -> Check:
    """The same check, only for pods without a user namespace (policy/helpers.go, relaxPolicyForUserNamespacePod)."""
    return lambda pod: None if pod.has_own_users else check(pod)


def _selinux(pod: CheckedPod, allowed: frozenset[str]) -> Broken | None:
    """policy/check_seLinuxOptions.go."""

    def options(context: JSONObject) -> JSONObject:
        return part(context, "seLinuxOptions")

    def is_bad(context: JSONObject) -> bool:
        own = options(context)
        return text(own, "type") not in allowed or bool(text(own, "user") or text(own, "role"))

    bad = [container for container in pod.containers if is_bad(context_of(container))]
    who = wordings.setters(named(bad), is_pod=is_bad(pod.context))
    if not who:
        return None
    every = [options(context) for context in (pod.context, *map(context_of, pod.containers))]
    types = sorted({text(own, "type") for own in every} - allowed)
    keys = [key for key in ("user", "role") if any(text(own, key) for own in every)]
    return Broken("seLinuxOptions", wordings.selinux(who, types, keys))


def _seccomp_annotations(pod: CheckedPod) -> Broken | None:
    """policy/check_seccompProfile_baseline.go: seccompProfileBaseline_1_0."""
    keys = {_SECCOMP_POD, *(f"{_SECCOMP_CONTAINER}{name}" for name in named(pod.containers))}
    bad = sorted(f"{key}={quote(pod.annotations[key])}" for key in keys & pod.annotations.keys() if not _is_seccomp(pod.annotations[key]))
    return Broken("seccompProfile", wordings.seccomp_annotations(bad)) if bad else None


def _is_seccomp(value: str) -> bool:
    return value in ("runtime/default", "docker/default") or value.startswith("localhost/")


def seccomp(pod: CheckedPod) -> Broken | None:
    """policy/check_seccompProfile_baseline.go: seccompProfileBaseline_1_19."""

    def is_bad(context: JSONObject) -> bool:
        return has_seccomp(context) and _type(context, "seccompProfile") not in ("Localhost", "RuntimeDefault")

    bad = [container for container in pod.containers if is_bad(context_of(container))]
    who = wordings.setters(named(bad), is_pod=is_bad(pod.context))
    if not who:
        return None
    contexts = [*([pod.context] if is_bad(pod.context) else []), *map(context_of, bad)]
    types = sorted({_type(context, "seccompProfile") for context in contexts})
    return Broken("seccompProfile", wordings.seccomp(who, types))


def has_seccomp(context: JSONObject) -> bool:
    """Whether a security context has a seccomp profile."""
    return isinstance(context.get("seccompProfile"), dict)


def _sysctls(pod: CheckedPod, allowed: frozenset[str]) -> Broken | None:
    """policy/check_sysctls.go."""
    bad = [name for name in named(items(pod.context, "sysctls")) if name not in allowed]
    return Broken(wordings.SYSCTLS, wordings.listed(bad)) if bad else None


def _host_process(pod: CheckedPod) -> Broken | None:
    """policy/check_windowsHostProcess.go."""

    def is_bad(context: JSONObject) -> bool:
        return flag(part(context, "windowsOptions"), "hostProcess")

    bad = named(container for container in pod.containers if is_bad(context_of(container)))
    who = wordings.setters(bad, is_pod=is_bad(pod.context))
    return Broken("hostProcess", wordings.host_process(who)) if who else None


def _of(check: Callable[[CheckedPod, frozenset[str]], Broken | None], allowed: frozenset[str]) -> Check:
    return lambda pod: check(pod, allowed)


#: The checks by their ids, each with its forms and the minor versions that introduced them, oldest first.
CHECKS: Final[dict[str, tuple[tuple[int, Check], ...]]] = {
    "appArmorProfile": ((0, _app_armor),),
    "capabilities_baseline": ((0, _capabilities),),
    "hostNamespaces": ((0, _host_namespaces),),
    "hostPathVolumes": ((0, _host_paths),),
    "hostPorts": ((0, _host_ports),),
    "hostProbesAndHostLifecycle": ((34, _hosts_of_probes),),
    "privileged": ((0, _privileged),),
    "procMount": ((0, proc_mount), (35, without_own_users(proc_mount))),
    "seLinuxOptions": ((0, _of(_selinux, _SELINUX)), (31, _of(_selinux, _SELINUX | {"container_engine_t"}))),
    "seccompProfile_baseline": ((0, _seccomp_annotations), (19, seccomp)),
    "sysctls": (
        (0, _of(_sysctls, _SYSCTLS)),
        (27, _of(_sysctls, _SYSCTLS_27)),
        (29, _of(_sysctls, _SYSCTLS_29)),
        (32, _of(_sysctls, _SYSCTLS_32)),
        (37, _of(_sysctls, _SYSCTLS_37)),
    ),
    "windowsHostProcess": ((0, _host_process),),
}
