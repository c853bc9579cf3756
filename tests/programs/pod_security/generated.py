"""Namespaces with labels of Pod Security, and pods that break its checks in all ways that the API server's validation lets through."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

JSON: TypeAlias = dict[str, Any]

LABEL = "pod-security.kubernetes.io/"
LEVELS = ("privileged", "baseline", "restricted")
#: Versions at which some check changes, the version before each, the newest, and one that no server knows.
VERSIONS = (
    *("latest", "v1.0", "v1.7", "v1.8", "v1.18", "v1.19", "v1.21", "v1.22", "v1.23", "v1.24", "v1.25", "v1.26", "v1.27", "v1.28", "v1.29"),
    *("v1.30", "v1.31", "v1.32", "v1.33", "v1.34", "v1.35", "v1.36", "v1.37", "v1.99"),
)
EXEMPT_NAMESPACE, EXEMPT_CLASS, OTHER_CLASS = "exempt", "exempt-class", "other-class"
#: Namespaces with a LimitRange and a ResourceQuota, so that several plugins may refuse a pod.
LIMITED = 4
_CAPABILITIES = ("ALL", "CHOWN", "NET_RAW", "NET_BIND_SERVICE", "SYS_TIME", "KILL", "NET_ADMIN")
_SYSCTLS = (
    *("kernel.shm_rmid_forced", "net.ipv4.tcp_syncookies", "net.ipv4.ip_local_reserved_ports", "net.ipv4.tcp_keepalive_time"),
    *("net.ipv4.tcp_rmem", "net.ipv4.tcp_notsent_lowat", "kernel.msgmax", "net.core.somaxconn"),
)
_VOLUMES: Sequence[JSON] = (
    {"hostPath": {"path": "/x"}},
    {"emptyDir": {}},
    {},
    {"secret": {"secretName": "s"}},
    {"configMap": {"name": "c"}},
    {"projected": {"sources": [{"configMap": {"name": "c"}}]}},
    {"downwardAPI": {"items": [{"path": "a", "fieldRef": {"fieldPath": "metadata.name"}}]}},
    {"persistentVolumeClaim": {"claimName": "p"}},
    {"csi": {"driver": "d.example.com"}},
    {"image": {"reference": "example.com/a:1", "pullPolicy": "Always"}},
    {"nfs": {"server": "s", "path": "/p"}},
    {"iscsi": {"targetPortal": "1.2.3.4", "iqn": "iqn.2001-04.com.example:a", "lun": 1}},
    {"gcePersistentDisk": {"pdName": "p"}},
    {"awsElasticBlockStore": {"volumeID": "v"}},
    {"rbd": {"monitors": ["m"], "image": "i"}},
    {"cephfs": {"monitors": ["m"]}},
    {"fc": {"targetWWNs": ["w"], "lun": 1}},
    {"azureFile": {"secretName": "s", "shareName": "n"}},
    {"azureDisk": {"diskName": "d", "diskURI": "https://blob/vhds/d.vhd"}},
    {"flexVolume": {"driver": "example.com/d"}},
    {"glusterfs": {"endpoints": "e", "path": "p"}},
    {"vsphereVolume": {"volumePath": "p"}},
    {"portworxVolume": {"volumeID": "v"}},
)


def namespaces(rng: random.Random, count: int) -> list[JSON]:
    """Namespaces with labels of all modes, levels and versions; the last one is exempt."""
    made = [_namespace(f"standard-{index}", _labels(rng)) for index in range(count)]
    return [*made, _namespace(EXEMPT_NAMESPACE, {f"{LABEL}enforce": "restricted"})]


def _labels(rng: random.Random) -> dict[str, str]:
    labels = {}
    for mode, share in (("enforce", 0.75), ("warn", 0.5), ("audit", 0.3)):
        if rng.random() < share:
            labels[f"{LABEL}{mode}"] = rng.choice((*LEVELS, "restricted", "baseline"))
        if rng.random() < share:
            labels[f"{LABEL}{mode}-version"] = rng.choice(VERSIONS)
    return labels


def _namespace(name: str, labels: dict[str, str]) -> JSON:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}}


def limits(namespace: str) -> list[JSON]:
    """A LimitRange and a ResourceQuota that some of the pods violate."""
    limit = {"limits": [{"type": "Container", "max": {"memory": "2Gi"}, "default": {"memory": "1Gi"}}]}
    quota = {"hard": {"requests.memory": "1536Mi"}}
    return [
        {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "limits", "namespace": namespace}, "spec": limit},
        {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "quota", "namespace": namespace}, "spec": quota},
    ]


def runtime_classes() -> list[JSON]:
    """A class whose pods are exempt, and one whose pods aren't."""
    return [
        {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": name}, "handler": "h"}
        for name in (EXEMPT_CLASS, OTHER_CLASS)
    ]


def pod(rng: random.Random, name: str) -> JSON:
    """A pod. Every second one passes most checks, so that the other checks can be seen alone."""
    is_good = rng.random() < 0.5
    containers = [_container(rng, letter, is_good=is_good) for letter in "abc"[: rng.choice((1, 1, 2, 3))]]
    spec: JSON = {"containers": containers}
    if rng.random() < 0.3:
        spec["initContainers"] = [_container(rng, f"init-{index}", is_good=is_good) for index in range(rng.choice((1, 2)))]
    annotations: dict[str, str] = {}
    drawn = rng.sample(_PARTS, rng.choice((0, 1, 1, 2, 3)))
    if is_good and rng.random() < 0.8:
        _good(rng, spec)
    for part in drawn:
        part(rng, spec, annotations)
    if rng.random() < 0.06:
        spec["os"] = {"name": rng.choice(("windows", "linux"))}
    if rng.random() < 0.06:
        spec["runtimeClassName"] = rng.choice((EXEMPT_CLASS, OTHER_CLASS))
    _keep_valid(spec)
    metadata: JSON = {"name": name, **({"annotations": annotations} if annotations else {})}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def _container(rng: random.Random, name: str, *, is_good: bool) -> JSON:
    container: JSON = {"name": name, "image": "example.invalid/none"}
    context: JSON = {}
    if is_good:
        context |= {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
    for part in rng.sample(_CONTAINER_PARTS, rng.choice((0, 0, 1, 2, 2))):
        part(rng, container, context)
    if context or rng.random() < 0.1:
        container["securityContext"] = context
    if rng.random() < 0.2:
        container["resources"] = {"requests": {"memory": rng.choice(("64Mi", "1800Mi", "3Gi"))}}
    return container


def _capabilities(rng: random.Random, _: JSON, context: JSON) -> None:
    drop, add = (rng.sample(_CAPABILITIES, rng.choice((0, 0, 1, 2))) for _ in "ab")
    context["capabilities"] = {**({"drop": drop} if drop else {}), **({"add": add} if add else {})}


def _escalation(rng: random.Random, _: JSON, context: JSON) -> None:
    context["allowPrivilegeEscalation"] = rng.choice((True, False))


def _privileged(rng: random.Random, _: JSON, context: JSON) -> None:
    context["privileged"] = rng.choice((True, True, False))


def _users(rng: random.Random, _: JSON, context: JSON) -> None:
    context |= {"runAsNonRoot": rng.choice((True, False)), **({"runAsUser": rng.choice((0, 1000))} if rng.random() < 0.5 else {})}


def _proc_mount(rng: random.Random, _: JSON, context: JSON) -> None:
    context["procMount"] = rng.choice(("Default", "Unmasked"))


def _profiles(rng: random.Random, _: JSON, context: JSON) -> None:
    context[rng.choice(("seccompProfile", "appArmorProfile"))] = _profile(rng)


def _profile(rng: random.Random) -> JSON:
    kind = rng.choice(("RuntimeDefault", "Localhost", "Unconfined", "Unconfined"))
    return {"type": kind, **({"localhostProfile": "p"} if kind == "Localhost" else {})}


def _selinux(rng: random.Random, _: JSON, context: JSON) -> None:
    context["seLinuxOptions"] = {
        key: rng.choice(values)
        for key, values in {
            "type": ("container_t", "container_engine_t", "spc_t", "x"),
            "user": ("u",),
            "role": ("r",),
            "level": ("l",),
        }.items()
        if rng.random() < 0.5
    }


def _ports(rng: random.Random, container: JSON, _: JSON) -> None:
    container["ports"] = [
        {"containerPort": number, **({"hostPort": rng.choice((number, 0))} if rng.random() < 0.7 else {})}
        for number in rng.sample(range(80, 120), rng.choice((1, 2)))
    ]


def _probes(rng: random.Random, container: JSON, _: JSON) -> None:
    if container["name"].startswith("init"):
        container["restartPolicy"] = "Always"
    host: JSON = {"host": rng.choice(("10.0.0.1", "example.com"))} if rng.random() < 0.7 else {}
    handler: JSON = {rng.choice(("httpGet", "tcpSocket")): {"port": 80, **host}}
    if rng.random() < 0.3:
        container["lifecycle"] = {rng.choice(("postStart", "preStop")): handler}
    else:
        container[rng.choice(("livenessProbe", "readinessProbe", "startupProbe"))] = handler


ContainerPart: TypeAlias = Callable[[random.Random, JSON, JSON], None]
_CONTAINER_PARTS: Sequence[ContainerPart] = (
    *(_capabilities, _escalation, _privileged, _users, _proc_mount, _profiles, _selinux, _ports, _probes),
)


def _good(rng: random.Random, spec: JSON) -> None:
    context: JSON = {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}
    spec["securityContext"] = {key: value for key, value in context.items() if rng.random() < 0.9}


def _context(spec: JSON) -> JSON:
    context: JSON = spec.setdefault("securityContext", {})
    return context


def _host(rng: random.Random, spec: JSON, _: JSON) -> None:
    spec |= {name: True for name in ("hostNetwork", "hostPID", "hostIPC") if rng.random() < 0.5}


def _volumes(rng: random.Random, spec: JSON, _: JSON) -> None:
    drawn = rng.sample(_VOLUMES, rng.choice((1, 2, 4)))
    spec["volumes"] = [{"name": f"v{index}", **source} for index, source in enumerate(drawn)]


def _pod_users(rng: random.Random, spec: JSON, _: JSON) -> None:
    _users(rng, {}, _context(spec))


def _pod_profiles(rng: random.Random, spec: JSON, _: JSON) -> None:
    _profiles(rng, {}, _context(spec))


def _pod_selinux(rng: random.Random, spec: JSON, _: JSON) -> None:
    _selinux(rng, {}, _context(spec))


def _sysctls(rng: random.Random, spec: JSON, _: JSON) -> None:
    _context(spec)["sysctls"] = [{"name": name, "value": "1"} for name in rng.sample(_SYSCTLS, rng.choice((1, 2, 3)))]


def _own_users(rng: random.Random, spec: JSON, _: JSON) -> None:
    spec["hostUsers"] = rng.choice((False, False, True))


def _windows(rng: random.Random, spec: JSON, _: JSON) -> None:
    options = {"windowsOptions": {"hostProcess": True}}
    spec["hostNetwork"] = True
    if rng.random() < 0.5:
        _context(spec).update(options)
        return
    for container in (*spec["containers"], *spec.get("initContainers", ())):
        container.setdefault("securityContext", {}).update(options)


def _annotations(rng: random.Random, spec: JSON, annotations: JSON) -> None:
    names = [container["name"] for container in spec["containers"]]
    for name in names:
        if rng.random() < 0.5:
            key = f"container.apparmor.security.beta.kubernetes.io/{name}"
            annotations[key] = rng.choice(("unconfined", "runtime/default", "localhost/p"))
    if rng.random() < 0.4:
        annotations["seccomp.security.alpha.kubernetes.io/pod"] = rng.choice(("unconfined", "docker/default", 'a"b\t'))
    if rng.random() < 0.4:
        annotations[f"container.seccomp.security.alpha.kubernetes.io/{rng.choice((*names, 'z'))}"] = rng.choice(
            ("unconfined", "localhost/p")
        )


Part: TypeAlias = Callable[[random.Random, JSON, JSON], None]
_PARTS: Sequence[Part] = (
    *(_host, _volumes, _volumes, _pod_users, _pod_profiles, _pod_selinux, _sysctls, _own_users, _own_users, _windows, _annotations),
)


def _keep_valid(spec: JSON) -> None:
    """Take out what the API server refuses before any plugin sees it."""
    for name in ("hostNetwork", "hostPID", "hostIPC"):
        if spec.get("hostUsers") is False:
            spec.pop(name, None)
    for container in (*spec["containers"], *spec.get("initContainers", ())):
        context = container.get("securityContext", {})
        if context.get("privileged") and context.get("allowPrivilegeEscalation") is False:
            del context["allowPrivilegeEscalation"]
        if spec.get("hostUsers") is not False and context.get("procMount") == "Unmasked":
            spec["hostUsers"] = False
            for name in ("hostNetwork", "hostPID", "hostIPC"):
                spec.pop(name, None)
        for port in container.get("ports", ()) if spec.get("hostNetwork") else ():
            port.pop("hostPort", None)


#: The kinds whose objects create pods, each with its path and the spec around the template.
_AROUND: dict[str, tuple[str, str]] = {
    "Deployment": ("apps/v1", "deployments"),
    "ReplicaSet": ("apps/v1", "replicasets"),
    "StatefulSet": ("apps/v1", "statefulsets"),
    "DaemonSet": ("apps/v1", "daemonsets"),
    "Job": ("batch/v1", "jobs"),
    "CronJob": ("batch/v1", "cronjobs"),
    "ReplicationController": ("v1", "replicationcontrollers"),
    "PodTemplate": ("v1", "podtemplates"),
}


def workload(rng: random.Random, name: str) -> tuple[str, JSON]:
    """An object that creates pods, and the plural of its kind."""
    kind = rng.choice([*_AROUND])
    made = pod(rng, name)
    labels = {"app": name}
    template: JSON = {"metadata": {"labels": labels, "annotations": made["metadata"].get("annotations", {})}, "spec": made["spec"]}
    api_version, plural = _AROUND[kind]
    outer: JSON = {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}}
    if kind == "PodTemplate":
        return plural, {**outer, "template": template}
    spec: JSON = {"template": template}
    if kind in ("Job", "CronJob"):
        template["spec"]["restartPolicy"] = "Never"
    elif kind == "ReplicationController":
        spec["selector"] = labels
    else:
        spec["selector"] = {"matchLabels": labels}
    if kind == "StatefulSet" and rng.random() < 0.5:
        claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
        spec["volumeClaimTemplates"] = [{"metadata": {"name": "v0"}, "spec": claim}]
    return plural, {**outer, "spec": {"schedule": "* * * * *", "jobTemplate": {"spec": spec}} if kind == "CronJob" else spec}
